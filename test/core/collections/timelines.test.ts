import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readCallbacks } from '../../../src/core/collections/timelines.ts'
import { applyCallbackResults, type NewCallback, storeCallbacks } from '../../../src/core/connections/callbacks.ts'
import { createReference } from '../../../src/core/connections/order-references.ts'
import { begin } from '../../../src/db/client.ts'
import { openDatabase } from '../../test-app.ts'

let database: Awaited<ReturnType<typeof openDatabase>>

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.db`truncate callbacks`)

const NOW = new Date('2030-01-15T12:00:00Z')
const CALLBACK: NewCallback = {
  network: 'sandbox',
  connection: 'sandbox',
  headers: {},
  body: '{}',
  verified: true,
  state: 'settled',
  note: null,
}

const store = (...callbacks: Partial<NewCallback>[]) =>
  begin(database.db, (tx) =>
    storeCallbacks(
      tx,
      NOW,
      callbacks.map((changes) => ({ ...CALLBACK, ...changes })),
    ),
  )

describe('the callbacks of an order', () => {
  it('are those that named it when they were stored, in each form of a reference', async () => {
    for (const form of ['uuid-v4', 'alphanumeric-25', 'ascii-12'] as const) {
      const reference = createReference(form)
      const [id] = await store({ order_reference: reference, state: 'failed' }, { body: `{"text":"${reference}"}` })
      expect((await readCallbacks(database.db, [reference])).map((one) => one.id)).toEqual([id])
    }
  })

  it('are those whose order was known later', async () => {
    const reference = createReference('uuid-v4')
    const [id] = await store({ body: '{"id":"theirs"}', state: 'waiting' })
    const result = { id: id!, state: 'settled' as const, note: null, due_at: null, order_reference: reference }
    await begin(database.db, (tx) => applyCallbackResults(tx, NOW, [result]))
    expect(await readCallbacks(database.db, [reference])).toMatchObject([{ kind: 'callback', id, verified: true }])
  })

  it('do not include what no order can be called', async () => {
    await store({ order_reference: 'x'.repeat(200) }, { order_reference: "'; drop table callbacks" })
    expect(await database.db`select from callbacks where order_reference is not null`).toHaveLength(0)
  })

  it('are found by indexes, however many callbacks there are', async () => {
    await database.db`
      insert into callbacks (network, connection, received, headers, body, verified, state, ended, order_reference)
      select 'sandbox', 'sandbox', ${NOW}, '{}', repeat('x', 200), true, 'settled', ${NOW}, gen_random_uuid()
      from generate_series(1, 3000)`
    await database.db.unsafe('analyze callbacks')
    const plan = await database.db.unsafe<{ 'QUERY PLAN': string }[]>(`explain
      select id from callbacks where order_reference = any('{A00000000000}')`)
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toContain('callbacks_ended_default_order_reference_idx')
    // These partitions are empty here.
    expect(text.replaceAll(/Seq Scan on callbacks_(open|earlier)/g, '')).not.toContain('Seq Scan')
  })
})
