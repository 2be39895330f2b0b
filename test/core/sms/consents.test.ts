import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { refuseSms } from '../../../src/core/sms/attempts.ts'
import {
  deleteOldIncoming,
  listConsents,
  listIncomingSms,
  receiveIncomingSms,
  setConsents,
} from '../../../src/core/sms/consents.ts'
import { endOfQuietHours, readCountryRules, setCountryRule } from '../../../src/core/sms/country-rules.ts'
import { permitSms } from '../../../src/core/sms/permission.ts'
import { readSmsUsage, setSmsLimit } from '../../../src/core/sms/usage.ts'
import { meaningOf } from '../../../src/core/sms/words.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'
import { openDesk, routeTo } from './desk.ts'

const PHONE = '+256772000001'

let shop: Shop
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  shop = await openShop()
  desk = openDesk(shop, [routeTo('a')])
})
beforeEach(() => desk.clear())
afterAll(() => shop.close())

let texts = 0
const receive = (text: string, from = PHONE) => {
  texts += 1
  const message = { remote_id: `T${texts}`, from, to: '8008', text }
  return begin(shop.db, (tx) => receiveIncomingSms(tx, shop.now(), { slug: 'a', organization: null }, [message]))
}

/** Claim what is due, and say which of it may be sent. */
async function permit() {
  const claimed = await desk.claim({ lease_ms: 0 })
  return permitSms(shop.db, shop.now(), claimed, true, async () => new Set())
}

describe('the words of customers', () => {
  it.each([
    ['STOP', 'stop'],
    [' stop. ', 'stop'],
    ['Stop all', 'stop'],
    ['STOP DEMOSHOP', 'stop'],
    ['Arrêt', 'stop'],
    ['ACHA', 'stop'],
    ['Simama!', 'stop'],
    ['START', 'start'],
    ['Anza', 'start'],
    ['Msaada', 'help'],
    ['HELP?', 'help'],
    ['stop by at noon', undefined],
    ['I will not stop', undefined],
    ['START the car', undefined],
    ['END OF TERM FEES', undefined],
    ['CANCEL ORDER 7', undefined],
    ['CANCEL', 'stop'],
    ['', undefined],
    ['🛑', undefined],
  ])('%s means %s', (text, meaning) => {
    expect(meaningOf(text)?.meaning).toBe(meaning)
  })

  it('STOP and START count for those that have sent to the phone, and are answered once a day', async () => {
    await desk.queue({ phonenumber: PHONE })
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'sent' })
    expect(await receive('STOP')).toMatchObject([{ meaning: 'stop', organizations: [shop.organization] }])
    expect(await listConsents(shop.db, {}, 10)).toMatchObject([
      { phonenumber: PHONE, organization: shop.organization, state: 'withdrawn', word: 'stop', connection: 'a' },
    ])
    const replies = async () => (await shop.db`select from sms_messages where purpose = 'reply'`).length
    expect(await replies()).toBe(1)
    await receive('START')
    await receive('HELP')
    expect(await listConsents(shop.db, {}, 10)).toMatchObject([{ state: 'given' }])
    expect(await replies()).toBe(1)
    expect((await listIncomingSms(shop.db, {}, 10)).map(({ meaning }) => meaning)).toEqual(['help', 'start', 'stop'])
  })

  it('STOP from somebody who got nothing counts for all, and is not answered', async () => {
    await receive('STOP')
    expect(await listConsents(shop.db, {}, 10)).toMatchObject([{ organization: null, state: 'withdrawn' }])
    expect(await shop.db`select from sms_messages`).toHaveLength(0)
  })

  it('are deleted after 90 days', async () => {
    await receive('Hello')
    const later = (days: number) => new Date(shop.now().getTime() + days * 86_400_000)
    expect(await begin(shop.db, (tx) => deleteOldIncoming(tx, later(89), 10))).toBe(0)
    expect(await begin(shop.db, (tx) => deleteOldIncoming(tx, later(91), 10))).toBe(1)
    expect(await listIncomingSms(shop.db, {}, 10)).toEqual([])
  })

  it('that come twice under one id are stored once', async () => {
    const message = { remote_id: 'same', from: PHONE, to: '8008', text: 'STOP' }
    const twice = () =>
      begin(shop.db, (tx) => receiveIncomingSms(tx, shop.now(), { slug: 'a', organization: null }, [message, message]))
    await twice()
    await twice()
    expect(await listIncomingSms(shop.db, {}, 10)).toHaveLength(1)
  })
})

describe('words from a provider that gives no ids', () => {
  /** Minutes after the first, and the text. */
  const states = async (said: [number, string][]) => {
    const begun = shop.now().getTime()
    const found: (string | undefined)[] = []
    for (const [minutes, text] of said) {
      const message = { remote_id: `digest of ${text}`, is_digest: true, from: PHONE, to: '', text }
      const now = new Date(begun + minutes * 60_000)
      await begin(shop.db, (tx) => receiveIncomingSms(tx, now, { slug: 'a', organization: null }, [message]))
      found.push((await listConsents(shop.db, {}, 10))[0]?.state)
    }
    return found
  }
  const stored = async () => (await listIncomingSms(shop.db, {}, 10)).map(({ body }) => body).reverse()

  it('count again after other words', async () => {
    expect(
      await states([
        [0, 'STOP'],
        [1, 'START'],
        [2, 'STOP'],
        [90, 'START'],
        [91, 'STOP'],
      ]),
    ).toEqual(['withdrawn', 'given', 'withdrawn', 'given', 'withdrawn'])
    expect(await stored()).toEqual(['STOP', 'START', 'STOP', 'START', 'STOP'])
  })

  it('are stored once when their acknowledgement was lost, and never undo a STOP', async () => {
    expect(
      await states([
        [0, 'START'],
        [1, 'START'],
        [2, 'STOP'],
        [3, 'STOP'],
        [4, 'START'],
      ]),
    ).toEqual(['given', 'given', 'withdrawn', 'withdrawn', 'withdrawn'])
    expect(await stored()).toEqual(['START', 'STOP'])
  })

  it('are said anew on another day', async () => {
    await states([
      [0, 'STOP'],
      [24 * 60, 'STOP'],
    ])
    expect(await stored()).toEqual(['STOP', 'STOP'])
  })
})

describe('an SMS that is not transactional', () => {
  const queue = (phonenumber = PHONE) =>
    desk.queue({ collection_request: null, purpose: 'message', transactional: false, phonenumber })

  it('is not sent after STOP, and what is transactional is', async () => {
    await receive('STOP')
    const offer = await queue()
    const thanks = await desk.queue({ phonenumber: PHONE })
    const { allowed, refused } = await permit()
    expect(allowed.map(({ id }) => id)).toEqual([thanks])
    expect(refused).toMatchObject([{ id: offer, reason: 'opted_out' }])
  })

  it('takes confirmations of payments with it where the organization wants that', async () => {
    await receive('STOP')
    await begin(shop.db, (tx) => setSmsLimit(tx, shop.organization, { stop_covers_receipts: true }))
    const thanks = await desk.queue({ phonenumber: PHONE })
    const how = await desk.queue({ phonenumber: PHONE, purpose: 'instructions' })
    const { allowed, refused } = await permit()
    expect([allowed.map(({ id }) => id), refused.map(({ id }) => id)]).toEqual([[how], [thanks]])
  })

  it('needs consent where the rule of the country says so', async () => {
    await begin(shop.db, (tx) => setCountryRule(tx, 'UG', { consent_required: true }))
    await queue()
    expect((await permit()).refused).toMatchObject([{ reason: 'no_consent' }])
    const said = { organization: null, phonenumber: PHONE, state: 'given' as const, word: null, connection: null }
    await begin(shop.db, (tx) => setConsents(tx, [{ ...said, by: 'Grace', at: shop.now() }]))
    expect((await permit()).allowed).toHaveLength(1)
  })

  it('waits for the end of quiet hours in the time zone of the country', async () => {
    // 12:00 in UTC is 13:00 in Lagos and 15:00 in Kampala.
    await begin(shop.db, (tx) => setCountryRule(tx, 'UG', { quiet_from: '14:00', quiet_until: '16:30' }))
    const id = await queue()
    await queue('+2348031234567')
    const { allowed, held } = await permit()
    expect(allowed).toHaveLength(1)
    expect(held).toEqual([
      { id, organization: shop.organization, due_at: new Date('2030-01-15T13:30:00Z'), counted: true },
    ])
  })
})

describe('quiet hours', () => {
  it('go over midnight, and end to the minute', async () => {
    const nigeria = (await readCountryRules(shop.db)).get('NG')
    const end = (time: string) => endOfQuietHours(nigeria, new Date(`2030-01-15T${time}Z`))?.toISOString()
    expect(end('18:59:59')).toBeUndefined()
    expect(end('19:00:00')).toBe('2030-01-16T07:00:00.000Z')
    expect(end('06:59:59')).toBe('2030-01-15T07:00:00.000Z')
    expect(end('07:00:00')).toBeUndefined()
    expect(endOfQuietHours(undefined, shop.now())).toBeUndefined()
  })

  it('refuse times, zones and countries that do not exist', async () => {
    const set = (country: string, change: Parameters<typeof setCountryRule>[2]) =>
      begin(shop.db, (tx) => setCountryRule(tx, country, change))
    await expect(set('UG', { quiet_from: '25:00', quiet_until: '08:00' })).rejects.toThrow(Invalid)
    await expect(set('UG', { quiet_from: '08:00', quiet_until: '08:00' })).rejects.toThrow(Invalid)
    await expect(set('UG', { time_zone: 'Africa/Atlantis' })).rejects.toThrow(Invalid)
    await expect(set('Uganda', { time_zone: 'Africa/Kampala' })).rejects.toThrow(Invalid)
    await expect(set('FR', { consent_required: true })).rejects.toThrow(Invalid)
  })
})

describe('the limit of a month', () => {
  it('is never passed, however many processes send, and ends with the month', async () => {
    await begin(shop.db, (tx) => setSmsLimit(tx, shop.organization, { monthly_parts: 5 }))
    for (let count = 0; count < 12; count += 1) await desk.queue()
    const claimed = (await Promise.all([desk.claim({ limit: 4 }), desk.claim({ limit: 4 }), desk.claim()])).flat()
    expect(claimed.length).toBeLessThanOrEqual(5)
    const rest = await desk.claim({ limit: 20 })
    expect(claimed.length + rest.length).toBe(5)
    const failed = await shop.db<{ reason: string }[]>`select reason from sms_messages where state = 'failed'`
    expect(failed.map(({ reason }) => reason)).toEqual(Array(7).fill('limit_reached'))
    expect(await readSmsUsage(shop.db, { since: shop.now() })).toMatchObject([
      { month: '2030-01', messages: 5, parts: 5, monthly_parts: 5 },
    ])
    shop.testApp.clock.advance(31 * 86_400)
    await desk.queue()
    expect(await desk.claim()).toHaveLength(1)
  })

  it('gives back what a provider refused', async () => {
    await begin(shop.db, (tx) => setSmsLimit(tx, shop.organization, { monthly_parts: 1 }))
    await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'failed', reason: 'invalid_number', message: 'no', retry: false })
    await desk.queue()
    expect(await desk.claim()).toHaveLength(1)
    const beyond = await desk.queue()
    expect(await desk.claim()).toEqual([])
    expect(await desk.find(beyond)).toMatchObject({ state: 'failed', reason: 'limit_reached' })
  })

  it('does not count what no provider got: it moved to another connection, or was not sent', async () => {
    const id = await desk.queue()
    await desk.claim({ lease_ms: 0 })
    await openDesk(shop, [routeTo('a', { is_usable: false }), routeTo('b')]).claim({ lease_ms: 0 })
    expect(await desk.attempts(id)).toMatchObject([{ connection: 'a' }, { connection: 'b' }])
    expect(await readSmsUsage(shop.db, { since: shop.now() })).toMatchObject([{ messages: 1, parts: 1 }])
    const refusal = { id, organization: shop.organization, reason: 'expired', message: 'Too late.' }
    await begin(shop.db, async (tx) => refuseSms(tx, [refusal]))
    expect(await readSmsUsage(shop.db, { since: shop.now() })).toMatchObject([{ messages: 0, parts: 0 }])
  })
})

describe('the erasure of a person', () => {
  it('takes texts, numbers and ids, and leaves that the person has said STOP', async () => {
    const phonenumber = '+80000000444'
    const { id } = await shop.createRequest({ phonenumber })
    await shop.ingest(shop.paymentReport({ phonenumber }))
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'sent', remote_id: 'P444', message: `to ${phonenumber}` })
    await desk.queue({ phonenumber, collection_request: null, purpose: 'message', body: `Dear ${phonenumber}` })
    await receive('STOP', phonenumber)
    const { contact } = await shop.request(id)
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), contact, { author: 1, lease_end: null }))
    for (const table of ['sms_messages', 'sms_incoming']) {
      const rows = await shop.db.unsafe(`select * from ${table}`)
      expect(JSON.stringify(rows), table).not.toMatch(/80000000444|P444/)
    }
    expect(await listConsents(shop.db, { phonenumber }, 10)).toMatchObject([{ state: 'withdrawn' }])
    expect(await desk.claim()).toEqual([])
  })
})
