import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HistoryPage } from '../../../src/core/contacts/history.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { eventually } from '../../test-app.ts'
import { sendReviewed } from '../reviewed.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const PHONE = '+80000000003'

/** Advance the clock until this has a value. */
function advanceUntil<Value>(what: string, read: () => Promise<Value | undefined>): Promise<Value> {
  return eventually(what, async () => {
    shop.testApp.clock.advance(1)
    shop.testApp.app.wake()
    return read()
  })
}

/** A customer sends money that no request asked for. */
async function sendUnrequested(amount: string): Promise<void> {
  const { app, db, organization } = shop.testApp
  const [place] = await db<{ number: string }[]>`
    select p.number from connection_places p join accounts a on a.id = p.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const payment = { phonenumber: PHONE, amount: parseAmount(amount)!, currency: 'BXC', receiver: place!.number }
  await app.simulator!.pay({ ...payment, reference: 'rent' })
  app.wake()
}

async function contactId(): Promise<number> {
  return (await shop.owner.get(`/contacts?phone_number=${encodeURIComponent(PHONE)}`)).body.results[0].id
}

describe('the page of a contact', () => {
  beforeAll(async () => {
    const { owner } = shop
    const input = { phonenumber: PHONE, currency: 'BXC', send_instructions: true }
    await owner.post('/collectionrequests', { ...input, amount: '40', reason: 'Fees' })
    const paid = await advanceUntil(
      'the money',
      async () => (await owner.get('/incoming?status=successful')).body.results[0],
    )
    await owner.post('/collectionrequests', { ...input, amount: '50', start_date: '2031-01-31T12:00:00Z' })
    const { id } = (
      await owner.post('/collectionrequests', { ...input, amount: '60', start_date: '2031-01-31T12:00:00Z' })
    ).body
    await owner.post(`/collectionrequests/${id}/cancel`)
    await sendReviewed(owner, '/payments', { phonenumber: PHONE, amount: '15', currency: 'BXC', description: 'Wages' })
    await advanceUntil('the payment', async () => {
      const [paid] = (await owner.get('/payments')).body.results
      return paid.state === 'processed' || undefined
    })
    await sendUnrequested('70')
    await advanceUntil(
      'the money that was not asked for',
      async () => (await owner.get('/incoming?unmatched=true')).body.results[0],
    )
    const refund = { amount: '20', reason: 'duplicate', comment: 'Paid twice.' }
    expect((await sendReviewed(owner, `/incoming/${paid.id}/refund`, refund)).status).toBe(200)
    await advanceUntil('the refund', async () => {
      const [refund] = (await owner.get('/payments')).body.results
      return refund.state === 'processed' || undefined
    })
  })

  it('has the totals of each currency and the look-up', async () => {
    const { body } = await shop.owner.get(`/contacts/${await contactId()}/overview`)
    expect(body).toMatchObject({
      local_number: '00000003',
      lookup: { state: 'done', looked_up: expect.any(String), next_attempt: null },
    })
    expect(body.totals).toMatchObject([
      {
        currency: 'BXC',
        requested: 3,
        requested_amount: '150.0000',
        paid: 1,
        open: 1,
        failed: 1,
        collections: 2,
        collected: '110.0000',
        given_back: '20.0000',
        payments: 1,
        paid_out: '15.0000',
        first_paid: expect.any(String),
        last_paid: expect.any(String),
      },
    ])
  })

  it('has everything with the contact, the newest first, by page and by kind', async () => {
    const path = `/contacts/${await contactId()}/history`
    const { body: all } = await shop.owner.get(`${path}?limit=100`)
    const entries: HistoryPage['results'] = all.results
    expect(all.next).toBe(null)
    const kinds = Object.groupBy(entries, ({ kind }) => kind)
    expect(Object.fromEntries(Object.entries(kinds).map(([kind, list]) => [kind, list.length]))).toMatchObject({
      request: 3,
      collection: 2,
      payment: 1,
      refund: 1,
      sms: expect.any(Number),
    })
    expect(kinds.collection).toMatchObject([
      { unrequested: true, amount: '70.0000', about: 'rent' },
      { unrequested: false, amount: '40.0000' },
    ])
    expect(kinds.payment).toMatchObject([{ state: 'complete', about: 'Wages', currency: 'BXC' }])
    const times = entries.map(({ at }) => String(at))
    expect(times).toEqual(times.toSorted().toReversed())
    const paged: HistoryPage['results'] = []
    let next: string | null = ''
    while (next !== null) {
      const { body }: { body: HistoryPage } = await shop.owner.get(
        `${path}?limit=2${next && `&before=${encodeURIComponent(next)}`}`,
      )
      expect(body.results.length).toBeLessThanOrEqual(2)
      paged.push(...body.results)
      next = body.next
    }
    expect(paged).toEqual(entries)
    expect((await shop.owner.get(`${path}?kind=refund`)).body.results).toEqual(kinds.refund)
    expect((await shop.owner.get(`${path}?before=x`)).status).toBe(400)
    expect((await shop.owner.get(`${path}?kind=gossip`)).status).toBe(400)
  })

  it('shows bills only to those who may see them, and nothing to others', async () => {
    const id = await contactId()
    const { db, organization } = shop.testApp
    const [account] = await db<{ id: number }[]>`
      select id from accounts where organization = ${organization} and currency = 'BXC' and kind = 'local'`
    await db`
      insert into bill_purchases (organization, account, agent_reference, kind, service_type, country,
        account_number, phone, amount, currency, details, metadata, status, failure_code, created, author, modified)
      values (${organization}, ${account!.id}, 'A1', 'airtime', 'airtime', 'XX', ${PHONE}, ${PHONE}, 5, 'BXC',
        '{}', '{}', 'failed', 'x', ${shop.testApp.clock.now()}, 1, ${shop.testApp.clock.now()})`
    const bills = async (person: Shop['owner']) =>
      (await person.get(`/contacts/${id}/history?kind=bill`)).body.results.length
    expect([await bills(shop.owner), await bills(shop.viewer)]).toEqual([1, 0])
    for (const page of ['overview', 'history'])
      expect((await shop.otherOwner.get(`/contacts/${id}/${page}`)).status).toBe(403)
  })
})

describe('contacts from a file', () => {
  const LINES = ['phone number,name,shift', '+80000000061,Ann Other,1', '+80000000062,Joe Soap,2', 'x,Eve,3']
  const body = (lines: readonly string[], known = 'skip') => ({
    file_name: 'customers.csv',
    content: Buffer.from(lines.join('\n')).toString('base64'),
    known,
  })
  const count = async () => (await shop.owner.get('/contacts')).body.count

  it('are checked first, and imported once for each key', async () => {
    const { owner } = shop
    const { body: checked } = await owner.post('/contacts/imports/check', body(LINES))
    expect(checked).toMatchObject({ ignored_columns: ['shift'], same_file: [] })
    expect(checked.rows.map(({ state }: { state: string }) => state)).toEqual(['new', 'new', 'refused'])
    const before = await count()
    const key = { 'duplicate-check-key': 'one import' }
    const send = () => owner.send('POST', '/contacts/imports', body(LINES), key)
    const [one, other] = await Promise.all([send(), send()])
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.body).toMatchObject({ added: 2, updated: 0, unchanged: 0, refused: 1, file_name: 'customers.csv' })
    expect([other.body.id, (await send()).body]).toEqual([one.body.id, one.body])
    expect(await count()).toBe(before + 2)
    const again = await owner.post('/contacts/imports/check', body(LINES))
    expect(again.body.same_file).toMatchObject([{ id: one.body.id }])
    expect((await owner.get('/contacts/imports')).body.results).toEqual([one.body])
    const { body: refused } = await owner.get(`/contacts/imports/${one.body.id}/refused`)
    expect(refused.titles.slice(0, 2)).toEqual(['Phone number', 'First name'])
    expect(refused.rows).toEqual([['x', 'Eve', '', '', '', '', '', '', '', '4', expect.stringContaining('phone')]])
    expect((await shop.viewer.get(`/contacts/imports/${one.body.id}/refused`)).status).toBe(403)
    expect((await shop.otherOwner.get(`/contacts/imports/${one.body.id}/refused`)).status).toBe(404)
    // The key belongs to that file.
    const wrong = await owner.send('POST', '/contacts/imports', body(LINES, 'update'), key)
    expect([wrong.status, wrong.body.type]).toEqual([409, 'contactimport'])
    const [entry] = await shop.testApp.db`
      select details from audit_log where action = 'finish import of contacts' order by id`
    expect(entry!.details).toMatchObject({ file: 'customers.csv', added: 2, refused: 1 })
    expect((await shop.audit()).filter((action) => action.includes('import'))).toHaveLength(2)
  })

  it('need the permission, and a row that is right', async () => {
    const { owner, viewer, otherOwner } = shop
    for (const path of ['/contacts/imports', '/contacts/imports/check'])
      expect((await viewer.post(path, body(LINES))).status).toBe(403)
    expect((await owner.post('/contacts/imports', body([LINES[0]!, LINES[3]!]))).body).toEqual({
      file: ['No row of this file can be imported.'],
    })
    expect((await otherOwner.get('/contacts/imports')).body.count).toBe(0)
    for (const kind of ['csv', 'xlsx'])
      expect((await viewer.open(`/contacts/imports/template.${kind}`)).status).toBe(200)
  })
})
