import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from './test-service.ts'

const PATH = '/api/collectionrequests'

/** The responses must be the same with and without batches. */
const ways: [name: string, settings: Record<string, string>][] = [
  ['together', {}],
  ['one by one', { BATCH_MOST: '1' }],
]

describe.each(ways)('interface 4.3.1, with writes %s: the body of a new request', (_name, settings) => {
  let service: TestService

  beforeAll(async () => {
    service = await openTestService({ jobs: false, settings })
  })
  afterAll(() => service.close())

  /** The status and body of the response to an invalid body. */
  async function refusalOf(fields: Record<string, unknown>) {
    const { status, body } = await service.shop.post(PATH, { ...REQUIRED_FIELDS, ...fields })
    expect(status).toBe(400)
    return body
  }

  it('phonenumber, amount and currency are required, and the response names all missing fields', async () => {
    const required = ['This field is required.']
    const { status, body } = await service.shop.post(PATH, {})
    expect([status, body]).toEqual([400, { phonenumber: required, amount: required, currency: required }])
    const none = ['This field may not be null.']
    expect(await refusalOf({ phonenumber: null, amount: null, currency: null })).toEqual({
      phonenumber: none,
      amount: none,
      currency: none,
    })
  })

  it('phonenumber: "International format", in any human spelling', async () => {
    for (const phonenumber of ['+256 772 000 001', '256772000001', '00256772000001', '+256-772-000001', 256772000001])
      expect((await service.createRequest({ phonenumber, currency: 'UGX' })).phonenumber).toBe('+256772000001')
    for (const phonenumber of ['0772000001', 'hello', '', '+1', '+800123456789', [], {}])
      expect(await refusalOf({ phonenumber })).toEqual({
        phonenumber: ['Enter a valid phone number (e.g. +256772000001).'],
      })
  })

  it('first_name "default Anonymous", last_name "default Contact", replaced when they are known', async () => {
    const phonenumber = '+80000000041'
    expect((await service.createRequest({ phonenumber })).contact).toMatchObject({
      first_name: 'Anonymous',
      last_name: 'Contact',
    })
    const named = await service.createRequest({ phonenumber, first_name: 'Jane', last_name: 'Doe' })
    expect(named.contact).toMatchObject({ first_name: 'Jane', last_name: 'Doe' })
    const renamed = await service.createRequest({ phonenumber, first_name: 'John' })
    expect(renamed.contact).toMatchObject({ first_name: 'Jane', last_name: 'Doe' })
  })

  it('names: a blank one is not given, and a later request gives the half that is missing', async () => {
    const nameAfter = async (phonenumber: string, names: object) => {
      const { contact } = await service.createRequest({ phonenumber, ...names })
      const { first_name, last_name } = contact as Record<string, string>
      return `${first_name} ${last_name}`
    }
    const [one, other] = ['+80000000046', '+80000000047']
    expect(await nameAfter(one, { first_name: '  ', last_name: '\t' })).toBe('Anonymous Contact')
    expect(await nameAfter(one, { first_name: 'Jane' })).toBe('Jane Contact')
    expect(await nameAfter(one, { first_name: 'John', last_name: ' ' })).toBe('Jane Contact')
    expect(await nameAfter(one, { first_name: 'John', last_name: 'Roe' })).toBe('Jane Contact')
    expect(await nameAfter(one, { first_name: 'Jane', last_name: 'Doe' })).toBe('Jane Doe')
    expect(await nameAfter(other, { last_name: 'Roe' })).toBe('Anonymous Roe')
    expect(await nameAfter(other, { first_name: 'Ann' })).toBe('Ann Roe')
  })

  it('amount: "string, integer or decimal", "No thousands separators", returned with four decimals', async () => {
    for (const [amount, returned] of [
      ['100.2', '100.2000'],
      [3000, '3000.0000'],
      [1200.5, '1200.5000'],
      ['0.0001', '0.0001'],
      ['999999999.9999', '999999999.9999'],
      ['+5', '5.0000'],
    ])
      expect((await service.createRequest({ amount })).amount).toBe(returned)
    const number = ['A valid number is required.']
    for (const amount of ['1,500', '1 500', 'x', '', true, [], {}, 'NaN', 'Infinity', '1e3'])
      expect([amount, await refusalOf({ amount })]).toEqual([amount, { amount: number }])
    for (const amount of ['0', '-5', 0, '1.00001', '1234567890123456'])
      expect(Object.keys(await refusalOf({ amount }))).toEqual(['amount'])
    const { body } = await service.shop.post(
      PATH,
      `{"phonenumber":"${REQUIRED_FIELDS.phonenumber}","currency":"BXC","amount":12345678901234.567}`,
    )
    expect(body).toEqual({ amount: ['Send the amount as a string.'] })
  })

  it('currency: "3-letter code; a funded wallet in this currency is required, with zero balance the request fails"', async () => {
    expect(await refusalOf({ currency: 'XYZ' })).toEqual({
      currency: [expect.stringContaining('"XYZ" is not a valid choice.')],
    })
    expect(await refusalOf({ currency: 'NGN' })).toEqual({
      currency: [expect.stringContaining('"NGN" is not a valid choice.')],
    })
    expect(await refusalOf({ currency: 'ugx' })).toEqual({
      currency: [expect.stringContaining('"ugx" is not a valid choice.')],
    })
    const homeless = await service.otherShop.post(PATH, {
      ...REQUIRED_FIELDS,
      currency: 'UGX',
      phonenumber: '+256772000001',
    })
    expect([homeless.status, Object.keys(homeless.body)]).toEqual([400, ['currency']])
    const { organization, user } = service.otherShop
    const wallet = { organization, currency: 'KES', kind: 'local' as const, name: 'empty', author: user }
    await begin(service.testApp.db, (tx) => createAccount(tx, service.testApp.clock.now(), wallet))
    const poor = await service.otherShop.post(PATH, {
      ...REQUIRED_FIELDS,
      currency: 'KES',
      phonenumber: '+254712000001',
    })
    expect([poor.status, Object.keys(poor.body)]).toEqual([400, ['currency']])
  })

  it('currency: a phone of a country with another currency is refused', async () => {
    expect(Object.keys(await refusalOf({ currency: 'UGX', phonenumber: '+254712000001' }))).toEqual(['currency'])
    await service.createRequest({ currency: 'KES', phonenumber: '+254712000001' })
    await service.createRequest({ currency: 'BXC', phonenumber: '+254712000001' })
  })

  it('account: "Required to collect into a cross-border account", and it must be the caller\'s own', async () => {
    const { testApp, organization, user, otherShop } = service
    const abroad = await begin(testApp.db, async (tx) => {
      const wallet = { organization, currency: 'UGX', kind: 'cross_border' as const, name: 'abroad', author: user }
      const account = await createAccount(tx, testApp.clock.now(), wallet)
      const funds = { account: account.id, amount: parseAmount('10')!, description: 'Funds', author: user }
      await fundAccount(tx, testApp.clock.now(), funds)
      return account.id
    })
    const given = await service.createRequest({ account: abroad, currency: 'UGX', phonenumber: '+254712000001' })
    expect(given.account).toBe(abroad)
    const omitted = await service.createRequest({ currency: 'UGX', phonenumber: '+256772000001' })
    expect(omitted.account).not.toBe(abroad)
    expect((await service.createRequest({ account: 0 })).account).toBeGreaterThan(0)
    expect(
      (await service.createRequest({ account: String(omitted.account), currency: 'UGX', phonenumber: '+256772000001' }))
        .account,
    ).toBe(omitted.account)
    expect(Object.keys(await refusalOf({ account: abroad }))).toEqual(['account'])
    expect(Object.keys(await refusalOf({ account: 999_999 }))).toEqual(['account'])
    expect(await refusalOf({ account: 'mine' })).toEqual({ account: ['A valid integer is required.'] })
    const other = await service.shop.post(PATH, { ...REQUIRED_FIELDS, account: otherShop.account })
    expect([other.status, other.body]).toEqual([403, { detail: 'You do not have permission to perform this action.' }])
  })

  it('reason: more than the advised 20 characters are accepted', async () => {
    const reason = 'A reason of more than twenty characters'
    expect((await service.createRequest({ reason })).reason).toBe(reason)
  })

  it('metadata: "Custom attributes stored with the object", as an object or a JSON text, with their types', async () => {
    const metadata = { id: 7, price: 1.5, yes: true, nothing: null, text: '7', deep: { list: [1] } }
    expect((await service.createRequest({ metadata })).metadata).toEqual(metadata)
    expect((await service.createRequest({ metadata: JSON.stringify(metadata) })).metadata).toEqual(metadata)
    expect((await service.createRequest({ 'the service': metadata })).metadata).toEqual(metadata)
    expect((await service.createRequest({ metadata: null })).metadata).toEqual({})
    for (const wrong of ['text', 7, [1], '[1]']) {
      expect([wrong, Object.keys(await refusalOf({ metadata: wrong }))]).toEqual([wrong, ['metadata']])
      // Errors name the field as it was sent.
      expect([wrong, Object.keys(await refusalOf({ 'the service': wrong }))]).toEqual([wrong, ['the service']])
    }
    expect((await service.createRequest({ metadata, 'the service': metadata })).metadata).toEqual(metadata)
    expect(await refusalOf({ metadata, 'the service': { id: 8 } })).toEqual({
      metadata: ['metadata and the service are both given, and differ.'],
    })
  })

  it('metadata: at most 50 keys of 40 characters, and values of 500', async () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))
    await service.createRequest({ metadata: { ...keys(49), ['k'.repeat(40)]: 'v'.repeat(500) } })
    for (const metadata of [keys(51), { ['k'.repeat(41)]: 1 }, { key: 'v'.repeat(501) }])
      expect(Object.keys(await refusalOf({ metadata }))).toEqual(['metadata'])
  })

  it('success_message and instructions: "max 140 characters"', async () => {
    const longest = 'ä'.repeat(140)
    const created = await service.createRequest({ success_message: longest, instructions: longest })
    expect(created).toMatchObject({ success_message: longest, instructions: longest })
    const too_long = ['Ensure this field has no more than 140 characters.']
    expect(await refusalOf({ success_message: `${longest}x`, instructions: `${longest}x` })).toEqual({
      success_message: too_long,
      instructions: too_long,
    })
    expect((await service.createRequest({ instructions: 'skip' })).instructions).toBe('skip')
  })

  it('send_instructions: "boolean … Default false"', async () => {
    expect((await service.createRequest()).send_instructions).toBe(false)
    for (const yes of [true, 'True', 'true', '1', 'yes', 1])
      expect((await service.createRequest({ send_instructions: yes })).send_instructions).toBe(true)
    for (const no of [false, 'False', 'false', '0', 'no', 0])
      expect((await service.createRequest({ send_instructions: no })).send_instructions).toBe(false)
    expect(await refusalOf({ send_instructions: 'maybe' })).toEqual({ send_instructions: ['Must be a valid boolean.'] })
  })

  it('expiry_date: "Default 24 hours; accepts relative text such as tomorrow, 24 hours, 2 minutes, or %d/%m/%Y …"', async () => {
    for (const [expiry_date, date] of [
      [undefined, '2030-01-16 12:00:00'],
      ['24 hours', '2030-01-16 12:00:00'],
      ['tomorrow', '2030-01-16 12:00:00'],
      ['2 minutes', '2030-01-15 12:02:00'],
      ['3 days', '2030-01-18 12:00:00'],
      ['31/01/2030', '2030-01-31 00:00:00'],
      ['31/01/2030 18:30:15', '2030-01-31 18:30:15'],
      ['2030-01-31T18:30:15Z', '2030-01-31 18:30:15'],
    ])
      expect((await service.createRequest({ expiry_date })).expiry_date).toBe(`${date}.000000+00:00`)
    for (const expiry_date of ['soon', '31/02/2030', '14/01/2030', '2030-01-15T11:59:59Z', 5])
      expect([expiry_date, Object.keys(await refusalOf({ expiry_date }))]).toEqual([expiry_date, ['expiry_date']])
  })

  it('start_date: "must be later than the creation time; accepts tomorrow, %d/%m/%Y, %d/%m/%Y %H:%M:%S"', async () => {
    for (const [start_date, date, expiry] of [
      ['tomorrow', '2030-01-16 12:00:00', '2030-01-17 12:00:00'],
      ['20/01/2030', '2030-01-20 00:00:00', '2030-01-21 00:00:00'],
      ['20/01/2030 08:15:00', '2030-01-20 08:15:00', '2030-01-21 08:15:00'],
    ]) {
      const created = await service.createRequest({ start_date })
      expect([created.start_date, created.expiry_date]).toEqual([`${date}.000000+00:00`, `${expiry}.000000+00:00`])
    }
    for (const start_date of ['15/01/2030', '15/01/2030 12:00:00', 'never'])
      expect(Object.keys(await refusalOf({ start_date }))).toEqual(['start_date'])
    expect(Object.keys(await refusalOf({ start_date: 'tomorrow', expiry_date: '15/01/2030 13:00:00' }))).toEqual([
      'expiry_date',
    ])
  })

  it('retry_interval_minutes: "not less than 10"', async () => {
    expect((await service.createRequest()).retry_interval_minutes).toBeNull()
    expect((await service.createRequest({ retry_interval_minutes: 10 })).retry_interval_minutes).toBe(10)
    expect((await service.createRequest({ retry_interval_minutes: '30' })).retry_interval_minutes).toBe(30)
    expect(await refusalOf({ retry_interval_minutes: 9 })).toEqual({
      retry_interval_minutes: ['Ensure this value is greater than or equal to 10.'],
    })
  })

  it('max_attempts: "Default 3, maximum 3; 0 disables"', async () => {
    expect((await service.createRequest()).max_attempts).toBe(3)
    for (const max_attempts of [0, 1, 2, 3, '0'])
      expect((await service.createRequest({ max_attempts })).max_attempts).toBe(Number(max_attempts))
    for (const max_attempts of [4, -1, 1.5, 'three'])
      expect(Object.keys(await refusalOf({ max_attempts }))).toEqual(['max_attempts'])
  })

  it('subscription_settings: the rules of 2.7', async () => {
    const settings = { start_date: '20/01/2030 08:00:00', end_date: '20/02/2030 08:00:00', frequency: 'weekly' }
    const { subscription_settings } = await service.createRequest({ subscription_settings: settings })
    expect(JSON.parse(String(subscription_settings))).toEqual(settings)
    await service.createRequest({ subscription_settings: { end_date: '20/02/2030 08:00:00', weekdays: 'monday, Tue' } })
    await service.createRequest({
      subscription_settings: { ...settings, frequency: 'monthly,yearly', months: 'Jan,february' },
    })
    for (const wrong of [
      { ...settings, start_date: '14/01/2030 08:00:00' },
      { ...settings, end_date: '19/01/2030 08:00:00' },
      { ...settings, end_date: undefined },
      { ...settings, frequency: 'often' },
      { ...settings, weekdays: 'someday' },
      { ...settings, months: 'Brumaire' },
      { ...settings, start_date: '2030-01-20' },
      { ...settings, frequency: undefined },
      { ...settings, frequency: { toString: 1 } },
      { ...settings, frequency: ['weekly', { toString: null, valueOf: null }] },
      { ...settings, weekdays: { toString: 1, valueOf: 1 } },
      { ...settings, weekdays: [['monday']] },
      { ...settings, months: [{ toString: 1 }] },
      { ...settings, months: 1 },
      { ...settings, start_date: { toString: 1 } },
      'weekly',
    ])
      expect([wrong, Object.keys(await refusalOf({ subscription_settings: wrong }))]).toEqual([
        wrong,
        ['subscription_settings'],
      ])
  })

  it('Duplicate-Check-Key: exactly one of several simultaneous requests succeeds; the other responses name it', async () => {
    const headers = { 'Duplicate-Check-Key': 'order 4711' }
    const refused = await service.shop.post(PATH, { ...REQUIRED_FIELDS, amount: 'x' }, headers)
    expect(refused.status).toBe(400)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => service.shop.post(PATH, REQUIRED_FIELDS, headers)),
    )
    const accepted = answers.filter(({ status }) => status === 201)
    const duplicates = answers.filter(({ status }) => status === 409)
    expect([accepted.length, duplicates.length]).toEqual([1, 11])
    for (const { body } of duplicates) {
      expect(body).toMatchObject({ type: 'collectionrequest', id: accepted[0]!.body.id })
      expect(body.detail).toContain('Duplicate Request Detected!')
    }
    expect((await service.otherShop.post(PATH, REQUIRED_FIELDS, headers)).status).toBe(201)
    service.testApp.clock.advance(24 * 60 * 60 - 1)
    expect((await service.shop.post(PATH, REQUIRED_FIELDS, headers)).status).toBe(409)
    service.testApp.clock.advance(1)
    expect((await service.shop.post(PATH, REQUIRED_FIELDS, headers)).status).toBe(201)
  })
})
