import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { callRaw, openTestService, type TestService } from '../../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

function get(path: string, accept?: string, method = 'GET') {
  const headers = { authorization: `Token ${service.key}`, ...(accept !== undefined && { accept }) }
  return callRaw(service.url, method, path, { headers })
}

async function table(path: string, accept?: string): Promise<Record<string, string>[]> {
  const { status, headers, text } = await get(path, accept)
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  return parse(text, { columns: true, record_delimiter: '\r\n' })
}

describe('a list as CSV', () => {
  it('has all collection requests that match, oldest first', async () => {
    const reason = '=HYPERLINK("https://evil.example")'
    const paid = await service.createRequest({ reason, metadata: { order: 7 }, first_name: 'Grace, "G"' })
    await service.advanceUntilStatus(paid.id, 'successful')
    const second = await service.createRequest({ phonenumber: '+256770000009', currency: 'UGX', amount: '125' })
    const all = await table('/api/collectionrequests?format=csv')
    expect(all.map((row) => Number(row.id))).toEqual([paid.id, second.id])
    expect(all[0]).toMatchObject({
      status: 'successful',
      phonenumber: '+80000000003',
      first_name: 'Grace, "G"',
      last_name: 'Contact',
      amount: '1500.0000',
      currency: 'BXC',
      reason: `'${reason}`,
      remote_transaction_id: expect.stringMatching(/^[A-Z0-9]+$/),
      metadata: '{"order":7}',
    })
    expect(await table('/api/collectionrequests?format=csv&currency=UGX&limit=1&offset=9')).toMatchObject([
      { amount: '125.0000', currency: 'UGX' },
    ])
    expect(await table('/api/collectionrequests?format=csv&status=nonsense')).toEqual([])
  })

  it('has every transaction with its sign', async () => {
    const rows = await table('/api/transactions?format=csv&start_date=2030-01-15')
    expect(rows).toHaveLength(5)
    expect(rows.at(-1)).toMatchObject({ type: 'mobile_collection', amount: '1500.0000', currency: 'BXC' })
    expect(await table('/api/transactions?format=csv&account=999')).toEqual([])
  })

  it('is sent when Accept prefers it, unless the query names a format', async () => {
    for (const accept of ['text/csv', 'text/csv, application/json;q=0.9', 'text/csv, */*;q=0.1'])
      expect(await table('/api/transactions', accept)).toHaveLength(5)
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/csv', 'text/csv;q=0.5, */*'])
      expect((await get('/api/transactions', accept)).body.count).toBe(5)
    expect((await get('/api/transactions?format=json', 'text/csv')).body.count).toBe(5)
    expect((await get('/api/transactions?format=xml')).status).toBe(406)
  })

  it('is not available for other lists, and other media types are refused', async () => {
    expect((await get('/api/events', 'text/csv')).status).toBe(406)
    expect((await get('/api/transactions', 'text/html')).status).toBe(406)
    expect((await get('/api/transactions', 'text/csv;q=0')).status).toBe(406)
  })

  it('sends only the headers to a HEAD', async () => {
    const { status, headers, text } = await get('/api/transactions?format=csv', undefined, 'HEAD')
    expect([status, headers['content-type'], text]).toEqual([200, 'text/csv; charset=utf-8', ''])
    expect(headers['content-disposition']).toBe('attachment; filename=transactions.csv')
  })

  it('has any number of chunks', async () => {
    const { db } = service.testApp
    const columns = (
      await db<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = 'collection_requests'::regclass and attnum > 0 and not attisdropped and attname <> 'id'
        and attgenerated = ''`
    ).map((row) => row.name)
    await db`
      insert into collection_requests (${sql.identifiers(columns)})
      select ${sql.identifiers(columns.map((name) => `r.${name}`))} from collection_requests r, generate_series(1, 2500)
      where r.status = 'successful'`
    const rows = await table('/api/collectionrequests?format=csv')
    expect(rows.length).toBe(2_502)
    expect(new Set(rows.map((row) => row.id)).size).toBe(2_502)
  })
})
