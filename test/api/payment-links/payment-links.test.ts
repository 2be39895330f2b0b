import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'

const PATH = '/api/paymentlinks'
const FEES = { title: 'School fees', amount: '1500', currency: 'BXC' }

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const errorsOf = async (fields: object) => {
  const { status, body } = await service.shop.post(PATH, fields)
  expect(status).toBe(400)
  return body
}

describe('payment links', () => {
  it('are created with all fields, read, listed and changed', async () => {
    const fields = [
      { name: 'pupil', label: 'Name of the pupil', type: 'text', required: true },
      { name: 'term', label: 'Term', type: 'choice', choices: ['1', '2'] },
    ]
    const body = {
      ...FEES,
      description: 'For one child.',
      single_use: true,
      expiry_date: '24 hours',
      fields,
      success_message: 'Thank you!',
      return_url: 'https://shop.example/thanks?x=1',
      frame_ancestors: 'https://shop.example, https://www.shop.example',
    }
    const { status, body: made } = await service.shop.post(PATH, body)
    expect([status, made]).toEqual([
      201,
      {
        id: expect.any(Number),
        number: 'LNK-000001',
        organization: service.organization,
        state: 'active',
        title: 'School fees',
        url: expect.stringMatching(new RegExp(`^${service.url}/pay/[\\w-]{24}$`)),
        description: 'For one child.',
        currency: 'BXC',
        account: null,
        country: 'XX',
        amount: '1500.0000',
        min_amount: null,
        max_amount: null,
        amounts: null,
        single_use: true,
        expiry_date: '2030-01-16T12:00:00Z',
        fields: [
          { ...fields[0], choices: [] },
          { ...fields[1], required: false },
        ],
        success_message: 'Thank you!',
        return_url: 'https://shop.example/thanks?x=1',
        frame_ancestors: ['https://shop.example', 'https://www.shop.example'],
        created: '2030-01-15T12:00:00Z',
        author: service.user,
        modified: '2030-01-15T12:00:00Z',
        updated_by: null,
      },
    ])
    expect((await service.shop.get(`${PATH}/${made.id}`)).body).toEqual(made)

    const changes = { state: 'closed', title: 'Fees', expiry_date: null, return_url: '', frame_ancestors: [] }
    const changed = await service.shop.send('PATCH', `${PATH}/${made.id}`, changes)
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        ...changes,
        return_url: null,
        updated_by: String(service.user),
      },
    ])
    expect((await service.shop.get(`${PATH}?state=closed`)).body).toMatchObject({ count: 1, results: [changed.body] })
    expect((await service.shop.get(`${PATH}?state=active`)).body.count).toBe(0)
    const reopened = await service.shop.send('PATCH', `${PATH}/${made.id}`, { state: 'active' })
    expect(reopened.body).toMatchObject({ state: 'active', title: 'Fees' })
  })

  it('take amounts to choose from, or limits, also as a form', async () => {
    const list = await service.shop.post(PATH, { title: 'Gift', currency: 'BXC', amounts: ['1000', 2000.5] })
    expect(list.body).toMatchObject({ amount: null, amounts: ['1000.0000', '2000.5000'] })
    const response = await fetch(service.url + PATH, {
      method: 'POST',
      headers: { authorization: `Token ${service.key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'title=Gift&currency=BXC&min_amount=500&max_amount=5000&fields=[{"name":"for","label":"For"}]',
    })
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { min_amount: '500.0000', max_amount: '5000.0000', fields: [{ name: 'for', type: 'text', required: false }] },
    ])
  })

  it('name every wrong field', async () => {
    expect(await errorsOf({})).toEqual({
      title: ['This field is required.'],
      currency: ['This field is required.'],
    })
    const kinds = { amount: ['Give amount, or min_amount and max_amount, or amounts.'] }
    expect(await errorsOf({ title: 'x', currency: 'BXC' })).toEqual(kinds)
    expect(await errorsOf({ ...FEES, amounts: ['1'] })).toEqual(kinds)
    const open = { title: 'x', currency: 'BXC' }
    expect(await errorsOf({ ...open, min_amount: '5' })).toEqual({ max_amount: ['This field is required.'] })
    expect(await errorsOf({ ...open, min_amount: '5', max_amount: '4' })).toEqual({
      max_amount: ['The largest amount must not be below the smallest.'],
    })
    expect(await errorsOf({ ...FEES, amount: '1.005', country: 'KE' })).toEqual({
      amount: ['This amount has more decimals than BXC has.'],
    })
    expect(await errorsOf({ ...FEES, expiry_date: '01/01/2029' })).toEqual({
      expiry_date: ['The expiry date must be in the future.'],
    })
    expect(await errorsOf({ ...FEES, currency: 'UGX', country: 'KE', amount: '1' })).toEqual({
      country: ['UGX is not used in this country. Name a cross-border account.'],
    })
    expect(await errorsOf({ ...FEES, account: 999_999 })).toEqual({
      account: ['Invalid pk "999999" - object does not exist.'],
    })
    const wrong = {
      fields: [{ name: 'payment_link', label: 'x' }],
      return_url: 'javascript:alert(1)',
      frame_ancestors: ["https://x.example; script-src 'unsafe-inline'"],
    }
    expect(await errorsOf({ ...FEES, ...wrong })).toEqual({
      fields: ['The name payment_link is taken.'],
      return_url: ['Enter a URL that begins with https://.'],
      frame_ancestors: expect.arrayContaining(['Enter origins such as https://shop.example.']),
    })
    const twice = [
      { name: 'a', label: 'A' },
      { name: 'a', label: 'B' },
    ]
    expect(await errorsOf({ ...FEES, fields: twice })).toEqual({ fields: ['Two fields have the same name.'] })
  })

  it('are created once with a Duplicate-Check-Key, in the wallet of the caller only', async () => {
    const headers = { 'duplicate-check-key': 'link-1' }
    expect((await service.shop.post(PATH, FEES, headers)).status).toBe(201)
    expect((await service.shop.post(PATH, FEES, headers)).status).toBe(409)
    const account = service.otherShop.account
    expect((await service.shop.post(PATH, { ...FEES, account })).status).toBe(403)
  })

  it('are in the audit log with where their customers go back to', async () => {
    const { body } = await service.shop.post(PATH, { ...FEES, return_url: 'https://shop.example/thanks' })
    const [entry] = await service.testApp
      .db`select action, details from audit_log where object = ${body.id} and object_type = 'paymentlink'`
    expect(entry).toEqual({
      action: 'create payment link',
      details: { title: 'School fees', state: 'active', return_host: 'shop.example' },
    })
  })
})
