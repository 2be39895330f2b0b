import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { type NewCallback, storeCallbacks } from '../../../src/core/connections/callbacks.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import type { DueContact } from '../../../src/core/contacts/lookups.ts'
import { eraseNextChunk, finishErasure } from '../../../src/core/contacts/message-erasure.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

const PHONE = '+80077665544'
const callback: NewCallback = {
  network: 'sandbox',
  connection: 'sandbox',
  headers: {},
  body: '',
  verified: true,
  state: 'settled',
  note: null,
}

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Somebody who has paid and is then erased; `remote_id` is what the network calls the payment. */
async function eraseSomebody(): Promise<{ contact: DueContact; remote_id: string }> {
  const money = shop.paymentReport({ phonenumber: PHONE })
  await shop.ingest(money)
  const [row] = await shop.db<{ id: number }[]>`select id from contacts where phone_number = ${PHONE}`
  const contact = await begin(shop.db, (tx) => eraseContact(tx, shop.now(), row!.id, { author: 1, lease_end: null }))
  return { contact, remote_id: money.remote_id }
}

async function sweep(contact: DueContact, ...bodies: (string | NewCallback)[]): Promise<string[]> {
  const made = bodies.map((body) => (typeof body === 'string' ? { ...callback, body } : body))
  await begin(shop.db, async (tx) => {
    await tx`delete from callbacks`
    await storeCallbacks(tx, shop.now(), made)
  })
  expect(await begin(shop.db, (tx) => eraseNextChunk(tx, contact, { source: 'callbacks', after_id: 0 }))).toBe(null)
  return (await shop.db<{ body: string }[]>`select body from callbacks order by id`).map((row) => row.body)
}

describe('the callbacks about an erased person', () => {
  it('are erased completely in every notation of the number, and no others are', async () => {
    const { contact } = await eraseSomebody()
    const other = '<payer>80077665545</payer>'
    const bodies = await sweep(contact, `{"phone":"${PHONE}"}`, '<payer>80077665544</payer>', other)
    expect(bodies).toEqual(['', '', other])
  })

  it('stay if they may be about a customer of another organization', async () => {
    const { contact, remote_id } = await eraseSomebody()
    const { id } = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    await shop.db`update contacts set organization = ${id}, phone_number = ${PHONE} where id = (
      select min(id) from contacts where erased is not null)`
    const theirs = `{"phone":"${PHONE}","id":"THEIRS"}`
    expect(await sweep(contact, theirs, `{"phone":"${PHONE}","id":"${remote_id}"}`)).toEqual([theirs, ''])
    await shop.db`delete from contacts where organization = ${id}`
  })

  it('stay until they are processed, and are then searched again', async () => {
    const { contact } = await eraseSomebody()
    const late_callback: NewCallback = { ...callback, state: 'waiting', verified: false, body: PHONE }
    const failed_callback: NewCallback = { ...callback, state: 'failed', body: `failed ${PHONE}` }
    expect(await sweep(contact, late_callback, failed_callback)).toEqual([PHONE, `failed ${PHONE}`])
    await begin(shop.db, (tx) => finishErasure(tx, shop.now(), contact))
    const read = async () =>
      (await shop.db`select number_being_erased, due_at from contacts where id = ${contact.id}`)[0]!
    expect(await read()).toEqual({ number_being_erased: PHONE, due_at: new Date(shop.now().getTime() + 3_600_000) })
    await shop.db`update callbacks set state = 'settled', due_at = null, ended = received`
    await begin(shop.db, (tx) => finishErasure(tx, shop.now(), contact))
    expect(await read()).toEqual({ number_being_erased: null, due_at: null })
  })
})
