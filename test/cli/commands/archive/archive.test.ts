import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArchived, searchArchive } from '../../../../src/cli/commands/archive/find.ts'
import { verifyArchive } from '../../../../src/cli/commands/archive/verify.ts'
import { listSegments } from '../../../../src/core/archive/segments.ts'
import { eraseContact } from '../../../../src/core/contacts/erasure.ts'
import { begin } from '../../../../src/db/client.ts'
import { findInconsistencies } from '../../../../src/jobs/check-consistency.ts'
import { checkReferences } from '../../../simulation/checks/references.ts'
import { type OldShop, openOldShop } from './old-shop.ts'

let shop: OldShop

beforeAll(async () => {
  shop = await openOldShop()
})
afterAll(() => shop.close())
beforeEach(() => shop.archive())

const read = (id: number, kind: 'requests' | 'sms' | 'orders' = 'requests') => readArchived(shop.db, shop, kind, id)
const verify = async () => verifyArchive(shop.folder, await listSegments(shop.db))

async function expectOrder(): Promise<void> {
  expect(await findInconsistencies(shop.db)).toEqual([])
  expect(await checkReferences(shop.db)).toEqual([])
  expect((await verify()).faults).toEqual([])
}

describe('the archive', () => {
  it('takes nothing before the end of its retention', async () => {
    const id = await shop.endRequest()
    expect(await shop.archive()).toMatchObject({ written: 0, removed: 0 })
    expect(await shop.count(id)).toMatchObject({ requests: 1, orders: 1 })
    shop.grow()
  })

  it('takes an unpaid request with all its rows', async () => {
    const id = await shop.endRequest({ reason: 'Rent of "May",\nflat 7' })
    shop.grow()
    await shop.archive()
    expect(await shop.count(id)).toEqual({ requests: 0, transitions: 0, orders: 0, answers: 0, sms: 0 })
    const found = await read(id)
    expect(found!.tables.collection_requests).toMatchObject([
      {
        id: String(id),
        reason: 'Rent of "May",\nflat 7',
        phonenumber: '+80000000007',
        status: 'failed',
        collection: null,
      },
    ])
    const counts = Object.entries(found!.tables).map(([table, { length }]) => [table, length > 0])
    expect(Object.fromEntries(counts)).toMatchObject({
      collection_request_transitions: true,
      network_orders: true,
      network_order_answers: true,
      sms_messages: true,
    })
    await expectOrder()
  })

  it('takes the unpaid request of an invoice, which stays with its reminder', async () => {
    const id = await shop.endRequest()
    const { contact, author } = await shop.request(id)
    const [invoice] = await shop.db<{ id: number }[]>`
      insert into invoices (organization, number, code, state, contact, currency, lines, taxes, subtotal, total, due_date, notes, language,
        reminder_days, reminder_prompts, overdue_at, issued, created, author, modified)
      values (${shop.organization}, 1, ${'c'.repeat(24)}, 'issued', ${contact}, 'BXC', '[]', '[]', 1500, 1500, '2030-01-31', '', 'en',
        '{}', true, ${shop.now()}, ${shop.now()}, ${shop.now()}, ${author}, ${shop.now()}) returning id`
    await shop.db`insert into invoice_requests values (${id}, ${invoice!.id}, 'reminder', ${shop.now()})`
    await shop.db`
      insert into invoice_reminders (invoice, day, request, created) values (${invoice!.id}, '2030-01-31', ${id}, ${shop.now()})`
    shop.grow()
    await shop.archive()
    expect(await shop.count(id)).toMatchObject({ requests: 0, orders: 0 })
    expect(await shop.db`select from invoice_requests`).toEqual([])
    expect(await shop.db`select request from invoice_reminders where invoice = ${invoice!.id}`).toEqual([
      { request: null },
    ])
    await expectOrder()
  })

  it('leaves the rows on which the books rest: a paid request, its order, its collection and its transfers', async () => {
    const before = await shop.wallet()
    const id = await shop.endRequest({ paid: true })
    const [collection] = (await shop.collections()).filter((one) => one.collection_request === id)
    const balance = (await shop.wallet()).balance
    expect(balance).not.toEqual(before.balance)
    shop.grow()
    await shop.archive()
    expect(await shop.count(id)).toEqual({ requests: 1, transitions: 0, orders: 1, answers: 0, sms: 0 })
    expect((await shop.wallet()).balance).toEqual(balance)
    expect((await shop.collections()).find((one) => one.id === collection!.id)).toEqual(collection)
    expect((await read(id))!.tables.collection_request_transitions!.length).toBeGreaterThan(1)
    expect(await shop.archive()).toMatchObject({ written: 0 })
    await expectOrder()
  })

  it('takes answers to orders and SMS after their own time', async () => {
    const id = await shop.endRequest({ paid: true })
    shop.grow()
    const [sms] = await shop.db<
      { id: number }[]
    >`select max(id) as id from sms_messages where collection_request = ${id}`
    await shop.archive({ kinds: ['sms', 'orders'] })
    const [order] = await shop.orders(id)
    expect(await shop.count(id)).toMatchObject({ requests: 1, orders: 1, answers: 0, sms: 0 })
    expect((await read(sms!.id, 'sms'))!.tables.sms_messages).toMatchObject([{ body: 'Dear +80000000007' }])
    expect((await read(order!.id, 'orders'))!.tables.network_order_answers!.length).toBeGreaterThan(0)
    await expectOrder()
  })

  it('leaves open requests, however old they are', async () => {
    const { id } = await shop.createRequest({ phonenumber: '+80000000009' })
    shop.grow()
    await shop.archive()
    expect(await shop.count(id)).toMatchObject({ requests: 1 })
    expect(await read(id)).toBeUndefined()
  })

  it('finds a request again by number, reference and organization', async () => {
    const id = await shop.endRequest({ phonenumber: '+80000000031' })
    const [order] = await shop.orders(id)
    shop.grow()
    await shop.archive()
    const search = (filters: object) => searchArchive(shop.db, shop, { kind: 'requests', ...filters }, 10)
    expect(await search({ phone: '+80000000031' })).toMatchObject([{ id, status: 'failed' }])
    expect(await search({ reference: order!.reference, organization: shop.organization })).toMatchObject([{ id }])
    expect(await search({ reference: order!.reference, organization: 999 })).toEqual([])
    expect(await search({ phone: '+80000000032' })).toEqual([])
  })
})

describe('a person who is erased', () => {
  it('cannot be read in the archive any more, and the files stay as they are', async () => {
    const id = await shop.endRequest({ phonenumber: '+80000000055', reason: 'Clinic' })
    const { contact } = await shop.request(id)
    shop.grow()
    await shop.archive()
    expect((await read(id))!.tables.sms_messages).toMatchObject([{ body: 'Dear +80000000055' }])
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), Number(contact), { author: 1, lease_end: null }))
    const found = await read(id)
    expect(found!.tables.collection_requests).toMatchObject([
      { phonenumber: 'erased', reason: 'erased', amount: '1500.0000' },
    ])
    expect(found!.tables.sms_messages).toMatchObject([{ body: 'erased' }])
    await expectOrder()
    for (const path of await readdir(shop.folder, { recursive: true })) {
      if (!path.endsWith('.gz')) continue
      const text = gunzipSync(await readFile(join(shop.folder, path))).toString()
      expect(text).not.toMatch(/80000000055|Clinic/)
    }
  })

  it('is erased even while the archive is written, in its files and in the database', async () => {
    const id = await shop.endRequest({ phonenumber: '+80000000066' })
    const { contact } = await shop.request(id)
    shop.grow()
    await expect(shop.archive({ onStep: failAt(3) })).rejects.toThrow('stopped')
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), Number(contact), { author: 1, lease_end: null }))
    const run = await shop.archive()
    expect(run.changed).toBe(1)
    expect(await shop.count(id)).toMatchObject({ requests: 0 })
    expect((await read(id))!.tables.collection_requests).toMatchObject([{ phonenumber: `erased-${contact}` }])
    await expectOrder()
  })
})

/** Stop a run at this step, counted from 1, as a crash would. */
function failAt(step: number): () => void {
  let steps = 0
  return () => {
    steps += 1
    if (steps === step) throw new Error('stopped')
  }
}

describe('a run that is stopped', () => {
  it('at any step loses nothing, and the next one goes on', async () => {
    const ids: number[] = []
    for (let made = 0; made < 4; made += 1) ids.push(await shop.endRequest({ paid: made === 3 }))
    shop.grow()
    const stops: string[] = []
    for (let step = 1, ended = false; !ended; step += 1) {
      ended = await shop.archive({ onStep: failAt(1 + (step % 4)) }).then(
        () => true,
        (error: Error) => {
          stops.push(error.message)
          return false
        },
      )
      for (const id of ids) {
        const { transitions } = await shop.count(id)
        // It is whole in the database, or in the archive.
        if (transitions === 0) expect((await read(id))!.tables.collection_request_transitions).toBeDefined()
        else expect(transitions).toBeGreaterThan(1)
      }
      if (step > 60) throw new Error('The archive does not come to its end.')
    }
    expect(stops.length).toBeGreaterThan(4)
    expect(new Set(stops)).toEqual(new Set(['stopped']))
    for (const id of ids) expect(await shop.count(id)).toMatchObject({ transitions: 0, answers: 0, sms: 0 })
    await expectOrder()
  })

  it('and a file that has changed since then: nothing is removed', async () => {
    const id = await shop.endRequest()
    shop.grow()
    await expect(shop.archive({ kinds: ['requests'], onStep: failAt(4) })).rejects.toThrow('stopped')
    const [segment] = (await listSegments(shop.db)).slice(-1)
    const folder = (await readdir(shop.folder)).find((name) =>
      name.startsWith(String(segment!.sequence).padStart(6, '0')),
    )
    const path = join(shop.folder, folder!, 'collection_requests.csv.gz')
    const right = await readFile(path)
    const wrong = Buffer.from(right)
    wrong[wrong.length - 1]! ^= 1
    await writeFile(path, wrong)
    await expect(shop.archive()).rejects.toThrow('collection_requests.csv.gz')
    expect((await verify()).faults).toEqual([expect.stringContaining('collection_requests.csv.gz')])
    expect(await shop.count(id)).toMatchObject({ requests: 1, orders: 1 })
    await writeFile(path, right)
    await shop.archive()
    expect(await shop.count(id)).toMatchObject({ requests: 0 })
    await expectOrder()
  })

  it('does not write over a segment that a restored database does not know', async () => {
    const last = (await listSegments(shop.db)).length
    const folder = join(shop.folder, `${String(last + 1).padStart(6, '0')}-sms`)
    await mkdir(folder)
    const id = await shop.endRequest()
    shop.grow()
    await expect(shop.archive()).rejects.toThrow('Was the database restored?')
    expect((await verify()).faults).toEqual([`${folder} is no segment that the database knows.`])
    expect(await shop.count(id)).toMatchObject({ requests: 1 })
    await rm(folder, { recursive: true })
    await shop.archive()
    expect(await shop.count(id)).toMatchObject({ requests: 0 })
  })

  it('does not go on in another folder', async () => {
    await expect(shop.archive({ folder: join(shop.folder, 'other') })).rejects.toThrow('cannot be used')
  })
})
