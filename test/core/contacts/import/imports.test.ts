import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setPlace } from '../../../../src/core/access/places.ts'
import { findOrCreateContacts } from '../../../../src/core/contacts/contacts.ts'
import { eraseContact } from '../../../../src/core/contacts/erasure.ts'
import { checkContactRows } from '../../../../src/core/contacts/import/check.ts'
import { readContactFile } from '../../../../src/core/contacts/import/columns.ts'
import { beginImport, GROUP_ROWS, importNextRows, readImport } from '../../../../src/core/contacts/import/imports.ts'
import { readRefusedRows } from '../../../../src/core/contacts/import/refused-rows.ts'
import { claimLookups } from '../../../../src/core/contacts/lookups.ts'
import { begin } from '../../../../src/db/client.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = shop.requestInput().author
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

const NETWORK = () => 'Sandbox Network'

async function check(...lines: string[]) {
  const file = await readContactFile({ name: 'customers.csv', bytes: Buffer.from(lines.join('\n')) })
  return { file, rows: await checkContactRows(shop.db, shop.organization, file.rows) }
}

async function startImport(lines: string[], known: 'skip' | 'update' = 'skip') {
  const { file, rows } = await check(...lines)
  const given = { organization: shop.organization, author, file, rows, known }
  const id = await begin(shop.db, (tx) => beginImport(tx, shop.now(), given))
  const next = () =>
    begin(shop.db, (tx) => importNextRows(tx, shop.now(), { organization: shop.organization, id }, rows, NETWORK))
  return { id, next, read: () => readImport(shop.db, shop.organization, id) }
}

async function importAll(lines: string[], known: 'skip' | 'update' = 'skip') {
  const { next, read } = await startImport(lines, known)
  while ((await next()).more);
  return read()
}

function contacts() {
  return shop.db`select phone_number, first_name, last_name, email, type, network_name, updated_by from contacts order by id`
}

const HEAD = 'phone,first name,last name,email,type'

describe('a file of contacts', () => {
  it('is checked row by row, with numbers of the country', async () => {
    const place = { time_zone: 'Africa/Nairobi', country: 'KE' }
    await begin(shop.db, (tx) => setPlace(tx, shop.now(), shop.organization, place))
    const { rows } = await check(
      HEAD,
      '0712 345678,Ann,Other,ann@example.com,Vendor',
      '12,Joe,Soap,,',
      '+80000000031,,,,',
      '+80000000032,Eve,,no address,friend',
      '+254712345678,Anna,Other,,',
    )
    expect(rows).toMatchObject([
      { number: 2, phone_number: '+254712345678', state: 'new', type: 'vendor', email: 'ann@example.com' },
      { number: 3, phone_number: '12', state: 'refused', problems: [{ column: 'phone_number' }] },
      { state: 'refused', problems: [{ column: 'first_name', message: 'The name is missing.' }] },
      { state: 'refused', problems: [{ column: 'email' }, { column: 'type' }] },
      { state: 'refused', problems: [{ column: 'phone_number', message: 'Row 2 has the same phone number.' }] },
    ])
    const named = await check('Mobile,Full name', '+80000000031,Ann Mary Other')
    expect(named.rows).toMatchObject([{ first_name: 'Ann', last_name: 'Mary Other', state: 'new' }])
    await expect(check('phone,email', '1,a@b.cd')).rejects.toMatchObject({
      fields: { file: [expect.stringContaining('no column "First name"')] },
    })
  })

  it('becomes contacts with one event each, and refused rows become none', async () => {
    const done = await importAll([
      HEAD,
      '+80000000031,Ann,Other,ann@example.com,vendor',
      '+80000000032,Joe,,,',
      'x,Eve,,,',
    ])
    expect(done).toMatchObject({ rows: 3, added: 2, updated: 0, unchanged: 0, refused: 1, finished: shop.now() })
    expect(await contacts()).toMatchObject([
      { phone_number: '+80000000031', first_name: 'Ann', last_name: 'Other', email: 'ann@example.com', type: 'vendor' },
      { phone_number: '+80000000032', first_name: 'Joe', last_name: 'Contact', email: null, type: 'other' },
    ])
    const events = await shop.events('contact.created')
    expect(events.map(({ data }) => data.phone_number)).toEqual(['+80000000031', '+80000000032'])
  })

  it('keeps its refused rows until the person is erased', async () => {
    const { id, ...done } = await importAll([
      HEAD,
      '+80000000031,Ann,Other,ann@example.com,vendor',
      '+80000000031,Anna,Other,,',
      'x,Ann,,ANN@example.com,',
      'y,Eve,,,friend',
    ])
    expect(done).toMatchObject({ added: 1, refused: 3, refused_kept: 3 })
    const read = () => readRefusedRows(shop.db, { organization: shop.organization, contact_import: id })
    expect(await read()).toMatchObject([
      { number: 3, phone_number: '+80000000031', first_name: 'Anna', problems: [{ column: 'phone_number' }] },
      { number: 4, phone_number: 'x', first_name: 'Ann', email: 'ANN@example.com' },
      { number: 5, phone_number: 'y', problems: [{ column: 'phone_number' }, { column: 'type' }] },
    ])
    const others = { organization: shop.organization + 1, contact_import: id }
    expect(await readRefusedRows(shop.db, others)).toEqual([])
    const [contact] = await shop.db<{ id: number }[]>`select id from contacts where phone_number = '+80000000031'`
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), contact!.id, { author, lease_end: null }))
    expect((await read()).map(({ number }) => number)).toEqual([5])
    expect(await readImport(shop.db, shop.organization, id)).toMatchObject({ refused: 3, refused_kept: 1 })
  })

  it('gives names to contacts without one, and changes named ones only if the person wants it', async () => {
    const of = { organization: shop.organization, network_name: 'Sandbox Network', author }
    await begin(shop.db, (tx) =>
      findOrCreateContacts(tx, shop.now(), [
        { ...of, phone_number: '+80000000031' },
        { ...of, phone_number: '+80000000032', first_name: 'Grace', last_name: 'Akello' },
      ]),
    )
    const lines = [HEAD, '+80000000031,Ann,Other,,', '+80000000032,Mary,,mary@example.com,']
    expect((await check(...lines)).rows.map(({ state }) => state)).toEqual(['unnamed', 'known'])
    expect(await importAll(lines)).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
    expect(await contacts()).toMatchObject([
      { first_name: 'Ann', last_name: 'Other', type: 'employee', updated_by: author },
      { first_name: 'Grace', last_name: 'Akello', email: null },
    ])
    expect(await importAll(lines, 'update')).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
    expect(await contacts()).toMatchObject([
      { first_name: 'Ann' },
      { first_name: 'Mary', last_name: 'Akello', email: 'mary@example.com' },
    ])
    expect(await importAll(lines, 'update')).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
    expect(await shop.events('contact.created')).toHaveLength(2)
  })

  it('is imported once by several callers, goes on after an interruption, and does not flood the look-ups', async () => {
    const count = GROUP_ROWS * 2 + 20
    const lines = Array.from(
      { length: count },
      (_, index) => `+8007100${String(index).padStart(4, '0')},Ann,No ${index},,`,
    )
    const { next, read } = await startImport([HEAD, ...lines])
    expect(await next()).toEqual({ more: true, finished: false })
    expect(await read()).toMatchObject({ added: GROUP_ROWS, finished: null })
    const results = await Promise.all([next(), next(), next(), next()])
    expect(results.filter(({ finished }) => finished)).toHaveLength(1)
    expect(await read()).toMatchObject({ added: count, unchanged: 0, finished: shop.now() })
    expect(await shop.events('contact.created')).toHaveLength(count)
    const claim = (seconds: number) => {
      const now = new Date(shop.now().getTime() + seconds * 1_000)
      return begin(shop.db, (tx) =>
        claimLookups(tx, { now, real: now, lease_end: new Date(now.getTime() + 1_000) }, count),
      )
    }
    const [first, second] = [await claim(0), await claim(10)]
    expect([first.length, second.length]).toEqual([32, 64])
  })
})
