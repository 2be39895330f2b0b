import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin } from '../../src/db/client.ts'
import { openShop, type Shop } from '../core/shop.ts'
import { checkReferences } from '../simulation/checks/references.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('references without a foreign key', () => {
  it('are counted when the row that they name does not exist', async () => {
    const request = await shop.createRequest()
    expect(await checkReferences(shop.db)).toEqual([])
    await shop.db`update collection_requests set contact = contact + 1000, currency = 'UGX' where id = ${request.id}`
    expect(await checkReferences(shop.db)).toEqual([
      '1 rows have a reference to no row: collection_requests (contact) to contacts.',
      '1 rows have a reference to no row: collection_requests (account, currency) to accounts.',
    ])
    await shop.clear()
  })
})

describe('references with a foreign key', () => {
  it('cannot name a row that does not exist', async () => {
    await shop.ingest(shop.paymentReport())
    const change = begin(shop.db, (tx) => tx`update collections set collection_request = 1000000`)
    await expect(change).rejects.toThrow('collections_collection_request_fkey')
  })

  it('have an index, so that deleting the named row reads no whole table', async () => {
    const few = ['accounts', 'api_keys', 'bulk_payments', 'connections', 'countries', 'currencies', 'memberships']
    const rows = await shop.db<{ name: string }[]>`
      select c.conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) as name from pg_constraint c
      where c.contype = 'f' and c.conparentid = 0
        and c.confrelid::regclass::text <> all(${[...few, 'organization_moves', 'organizations', 'users', 'webhooks']}::text[])
        and not exists (
          select from pg_index i where i.indrelid = c.conrelid and (i.indkey::int2[])[0] = any(c.conkey))
      order by 1`
    expect(rows.map(({ name }) => name)).toEqual([])
  })
})
