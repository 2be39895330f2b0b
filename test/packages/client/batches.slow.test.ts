import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Kusanya } from '../../../packages/client/src/index.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

let service: TestService
let proxy: FaultyProxy
let kusanya: Kusanya

beforeAll(async () => {
  service = await openTestService()
  proxy = await openProxy(service.url)
  kusanya = new Kusanya({ url: proxy.url, key: service.key, retries: 2, timeout_ms: 20_000 })
  const pupil = { last_name: 'Okello', tags: ['P5'] }
  await kusanya.contacts.create({ ...pupil, first_name: 'Ada', phone_number: '+80000000551' })
  await kusanya.contacts.create({ ...pupil, first_name: 'Eve', phone_number: '+80000000552' })
})
beforeEach(() => {
  proxy.mishaps = []
  proxy.seen = []
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

const TERM = { tag: 'P5', text: 'Term 1', amount: '850', currency: 'BXC' }
const TRIP = { tag: 'P5', amount: '500', currency: 'BXC', reason: 'Trip' }
const keysOfPosts = () =>
  proxy.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['duplicate-check-key'])

describe('batches of invoices', () => {
  it('are previewed, made once although the first answer is lost, read and listed', async () => {
    const preview = await kusanya.invoiceBatches.preview(TERM)
    expect(preview).toMatchObject({ customers: 2, all: [{ invoices: 2, total: '1700.0000' }], duplicates: [] })
    proxy.seen = []
    proxy.mishaps = ['answer-lost']
    const batch = await kusanya.invoiceBatches.create({ ...TERM, issue: true })
    expect(batch).toMatchObject({ source: 'tag', name: 'P5', made: 2, skipped: 0, finished: expect.any(String) })
    const keys = keysOfPosts()
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(await kusanya.invoiceBatches.get(batch.id)).toEqual(batch)
    expect(await kusanya.invoiceBatches.list().toArray()).toEqual([batch])
    expect((await kusanya.invoices.list({ batch: batch.id }).page()).count).toBe(2)
    expect(await kusanya.invoiceBatches.create(TERM)).toMatchObject({ made: 0, skipped: 2 })
  })

  it('are continued by the same call, and never taken for another batch with the key', async () => {
    const options = { duplicate_check_key: 'term-2' }
    const term = { ...TERM, text: 'Term 2' }
    const batch = await kusanya.invoiceBatches.create(term, options)
    expect(await kusanya.invoiceBatches.create(term, options)).toEqual(batch)
    proxy.mishaps = [{ status: 502, body: 'Bad gateway' }]
    const refused = await kusanya.invoiceBatches.create({ ...term, amount: '900' }, options).catch((error) => error)
    expect(refused).toMatchObject({ status: 409, attempts: 2, duplicate: { type: 'invoicebatch', id: batch.id } })
  })
})

describe('many invoices', () => {
  it('are issued, reminded of and voided, by a filter and by their ids', async () => {
    const { id: batch } = await kusanya.invoiceBatches.create({ ...TERM, text: 'Uniform' })
    const ids = (await kusanya.invoices.list({ batch, ordering: 'id' }).toArray()).map(({ id }) => id)
    expect(await kusanya.invoices.issueMany({ filter: { batch } })).toEqual({ done: 2, left_out: [] })
    const reminded = await kusanya.invoices.remindMany({ invoices: ids })
    expect(reminded.done + reminded.left_out.length).toBe(2)
    proxy.mishaps = ['answer-lost']
    const voided = await kusanya.invoices.voidMany({ invoices: ids, reason: 'Wrong price' })
    expect(voided).toMatchObject({ done: 0, left_out: ids.map((invoice) => ({ invoice })) })
    expect((await kusanya.invoices.list({ batch, state: 'void' }).page()).count).toBe(2)
  })

  it('are summed by tag and by customer', async () => {
    const [sum] = await kusanya.invoices.sumByTag({ tag: 'P5' })
    expect(sum).toMatchObject({ tag: 'P5', currency: 'BXC', open: '1700.0000', invoices: 2 })
    const customers = kusanya.invoices.customers({ tag: 'P5', limit: 1 })
    expect((await customers.toArray()).map(({ name, open }) => [name, open])).toEqual([
      ['Ada Okello', '850.0000'],
      ['Eve Okello', '850.0000'],
    ])
    expect((await customers.first())?.name).toBe('Ada Okello')
  })
})

describe('batches of requests', () => {
  it('are previewed, made once although the first answer is lost, read and listed', async () => {
    const preview = await kusanya.requestBatches.preview(TRIP)
    expect(preview).toMatchObject({ rows: [{ state: 'ready' }, { state: 'ready' }], all: [{ total: '1000.0000' }] })
    proxy.seen = []
    proxy.mishaps = ['answer-lost']
    const batch = await kusanya.requestBatches.create(TRIP)
    expect(batch).toMatchObject({ name: 'P5', duplicates: 'skip', made: 2, finished: expect.any(String) })
    const keys = keysOfPosts()
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(await kusanya.requestBatches.get(batch.id)).toEqual(batch)
    expect(await kusanya.requestBatches.list().toArray()).toEqual([batch])
    expect((await kusanya.collectionRequests.list({ reason: 'Trip' }).page()).count).toBe(2)
  })

  it('are refused with the field that is wrong', async () => {
    const refused = await kusanya.requestBatches.create({ ...TRIP, tag: 'P9' }).catch((error) => error)
    expect(refused).toMatchObject({ status: 400, fields: { tag: [expect.any(String)] }, is_outcome_unknown: false })
  })
})
