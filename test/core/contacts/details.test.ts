import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { listContacts } from '../../../src/core/contacts/details.ts'
import { contactFilters, contactPageQuery } from '../../../src/core/contacts/filters.ts'
import { begin } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const NEWEST = { field: 'id', descending: true, limit: 10, offset: 0 } as const

/** Two thirds of 60,000 contacts are ours, one third another organization's, all mixed. */
describe('among 60,000 contacts', () => {
  let testApp: TestApp

  beforeAll(async () => {
    testApp = await buildTestApp()
    const other = await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Stranger'))
    await testApp.db`
      insert into contacts (organization, first_name, last_name, email, phone_number, type, status, phone_is_supported,
        phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
        created, modified, author)
      select case when n % 3 = 0 then ${other.id}::bigint else ${testApp.organization}::bigint end, 'First ' || n % 500,
        'Last ' || n % 700, case when n % 10 = 1 then 'n' || n || '@example.com' end, '+800' || lpad(n::text, 8, '0'),
        'employee', 'active', 'yes', 'yes', '', 'unchecked', 0, 'Sandbox Network',
        '2030-01-01'::timestamptz + n * interval '1 minute', '2030-01-01'::timestamptz + n * interval '1 minute', 1
      from generate_series(1, 60000) n`
    await testApp.db`
      insert into contact_number_keys (contact, organization, key, is_whole)
      select id, organization, 'p.' || id, true from contacts`
    await testApp.db`
      insert into contact_tags (contact, organization, tag) select id, organization, 'P' || id % 200 from contacts`
    await testApp.db`
      insert into contact_payers (contact, organization, phone_number, position)
      select id, organization, '+801' || lpad((id / 3)::text, 8, '0'), 0 from contacts`
    await testApp.db`vacuum analyze contacts, contact_number_keys, contact_tags, contact_payers`
  }, 300_000)
  afterAll(() => testApp.close())

  const read = (query: Record<string, string>) => z.object(contactFilters).parse(query)

  it.each([
    [{ first_name: 'First 77' }, 'contacts_first_name'],
    [{ last_name: 'Last 77' }, 'contacts_last_name'],
    [{ email: 'n1001@example.com' }, 'contacts_email'],
    [{ phone_number: '80000000100' }, 'contacts_organization_phone_number_key'],
    [{ created_after: '2030-01-05', created_before: '2030-01-05 01:00' }, 'contacts_created'],
    [{ number: 'P-1001' }, 'contact_number_keys_key'],
    [{ tag: 'p7' }, 'contact_tags_tag'],
    [{ payer: '80100000100' }, 'contact_payers_phone_number'],
  ])('%j uses an index', async (query, index) => {
    const plan = await withSnapshot(testApp.db, async (tx) => {
      const [row] = await tx`explain (format json) ${contactPageQuery(testApp.organization, read(query), NEWEST)}`
      return JSON.stringify(row!['QUERY PLAN'])
    })
    expect(plan).not.toContain('"Seq Scan"')
    expect(plan).toContain(`"${index}"`)
  })

  it('a search finds exactly the matching contacts of the organization', async () => {
    const find = (query: Record<string, string>) => listContacts(testApp.db, testApp.organization, read(query), NEWEST)
    expect((await find({ first_name: 'First 77', last_name: 'Last 77' })).count).toBe(12)
    expect((await find({ email: 'n1001@example.com' })).rows).toMatchObject([{ phone_number: '+80000001001' }])
    expect((await find({ phone_number: '+80000000003' })).count).toBe(0)
    expect((await find({ number: 'p 01001' })).rows).toMatchObject([{ phone_number: '+80000001001' }])
    expect((await find({ tag: 'p7' })).count).toBe(200)
    expect((await find({ payer: '+80100000100' })).count).toBe(2)
    expect((await find({ created_after: '2030-01-05', created_before: '2030-01-05 01:00' })).count).toBe(40)
    const ids = (await find({})).rows.map((row) => row.id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
  })
})
