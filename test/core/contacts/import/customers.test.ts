import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findOrCreateContacts } from '../../../../src/core/contacts/contacts.ts'
import { ContactDetails, listContacts } from '../../../../src/core/contacts/details.ts'
import { checkContactRows } from '../../../../src/core/contacts/import/check.ts'
import { readContactFile } from '../../../../src/core/contacts/import/columns.ts'
import { beginImport, importNextRows, readImport } from '../../../../src/core/contacts/import/imports.ts'
import { readRefusedRows } from '../../../../src/core/contacts/import/refused-rows.ts'
import { begin } from '../../../../src/db/client.ts'
import { encode } from '../../../../src/lib/encoding/encode.ts'
import { toCsv } from '../../../../web/files/csv.ts'
import { fieldsTable } from '../../../../web/files/file-table.ts'
import { contactFileRow } from '../../../../web/pages/contacts/customer-file.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = shop.requestInput().author
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

async function check(lines: readonly string[]) {
  const file = await readContactFile({ name: 'pupils.csv', bytes: Buffer.from(lines.join('\n')) })
  return { file, rows: await checkContactRows(shop.db, shop.organization, file.rows) }
}

async function importAll(lines: readonly string[], known: 'skip' | 'update' = 'skip') {
  const { organization } = shop
  const { file, rows } = await check(lines)
  const id = await begin(shop.db, (tx) => beginImport(tx, shop.now(), { organization, author, file, rows, known }))
  const next = () =>
    begin(shop.db, (tx) => importNextRows(tx, shop.now(), { organization, id }, rows, () => 'Sandbox Network'))
  while ((await next()).more);
  return readImport(shop.db, organization, id)
}

/** By their numbers: those without a phone are made in that order. */
async function contacts(): Promise<ContactDetails[]> {
  const page = { field: 'id', descending: false, limit: 100, offset: 0 } as const
  const { rows } = await listContacts(shop.db, shop.organization, {}, page)
  return rows.sort((a, b) => ((a.number ?? '') < (b.number ?? '') ? -1 : 1))
}

const HEAD = "Adm No,Pupil's name,Class,Stream,Phone,Mother,Mother phone,Remarks"
const MOTHER = '+80000000051'

describe('a file of customers with numbers', () => {
  it('makes customers whose parents share a phone', async () => {
    const done = await importAll([
      HEAD,
      `P5-001,Betty Nakato,P5,Blue,${MOTHER},,,Asthma`,
      `P6-001,Joe Nakato,P6,,${MOTHER},,,`,
      'P5-002,Ann Other,P5,Red,,Grace,+80000000052,',
      'P5-003,Eve Orphan,P5,,,,,',
    ])
    expect(done).toMatchObject({ added: 4, refused: 0 })
    const payer = { phone_number: MOTHER, name: '' }
    const expected: object[] = [
      {
        first_name: 'Betty',
        number: 'P5-001',
        phone_number: MOTHER,
        tags: ['Blue', 'P5'],
        payers: [],
        notes: 'Asthma',
      },
      { number: 'P5-002', phone_number: '', payers: [{ phone_number: '+80000000052', name: 'Grace' }] },
      { number: 'P5-003', phone_number: '', payers: [] },
      { first_name: 'Joe', number: 'P6-001', phone_number: '', tags: ['P6'], payers: [payer] },
    ]
    expect(await contacts()).toMatchObject(expected)
    const positions = await shop.db`select 1 from money_positions where organization = ${shop.organization}`
    expect(positions).toHaveLength(1)
  })

  it('changes nothing the second time, in any order, and moves customers to the next class', async () => {
    const rows = [`1,Betty Nakato,P5,,${MOTHER},,,`, `2,Joe Nakato,P6,,${MOTHER},Grace,+80000000052,`]
    await importAll([HEAD, ...rows])
    const before = await contacts()
    for (const known of ['skip', 'update'] as const)
      expect(await importAll([HEAD, ...rows.toReversed()], known)).toMatchObject({ added: 0, updated: 0, unchanged: 2 })
    expect(await contacts()).toEqual(before)
    const next = ['Admission number,Name,Class', '001,Betty Nakato,P6', '002,Joe Nakato,P7', '003,New Pupil,P1']
    expect((await check(next)).rows.map(({ state }) => state)).toEqual(['known', 'known', 'new'])
    expect(await importAll(next, 'update')).toMatchObject({ added: 1, updated: 2 })
    expect((await contacts()).map(({ number, tags }) => [number, tags])).toEqual([
      ['003', ['P1']],
      ['1', ['P6']],
      ['2', ['P7']],
    ])
  })

  it('names every wrong row in words, and keeps it as the file has it', async () => {
    const { id, ...done } = await importAll([
      'Number,Name,Phone,Class,Mother phone',
      `P5-001,Betty,${MOTHER},P5,`,
      'p5 1,Joe,,,',
      ',Ann,,,',
      `,Eve,${MOTHER},,`,
      '--,Tom,,,',
      'P5-9,Tim,,"P5, Bus 2",12',
    ])
    expect(done).toMatchObject({ added: 1, refused: 5 })
    const refused = await readRefusedRows(shop.db, { organization: shop.organization, contact_import: id })
    expect(refused.map(({ number, problems }) => [number, ...problems.map(({ message }) => message)])).toEqual([
      [3, 'Row 2 has the same customer number.'],
      [4, 'The phone number is missing.'],
      [5, 'Row 2 has the same phone number.'],
      [6, 'A customer number has at least one letter or digit.'],
      [7, expect.stringContaining('This is not a phone number.')],
    ])
    expect(refused.at(-1)).toMatchObject({ customer_number: 'P5-9', tags: 'P5, Bus 2', payers: 'Mother 12' })
  })

  it('gives numbers to contacts with that phone, and makes another one where the name is that of somebody else', async () => {
    const of = { organization: shop.organization, network_name: 'Sandbox Network', author }
    const people = [
      { ...of, phone_number: '+80000000061' },
      { ...of, phone_number: '+80000000062', first_name: 'Ann', last_name: 'Other' },
      { ...of, phone_number: '+80000000063', first_name: 'Grace', last_name: 'Nakato' },
    ]
    await begin(shop.db, (tx) => findOrCreateContacts(tx, shop.now(), people))
    const lines = [
      'Number,Name,Phone,Class',
      '1,Joe Soap,+80000000061,P5',
      '2,Other Ann,+80000000062,P5',
      '3,Betty Nakato,+80000000063,P5',
    ]
    expect((await check(lines)).rows.map(({ state }) => state)).toEqual(['unnamed', 'unnumbered', 'new'])
    expect(await importAll(lines)).toMatchObject({ added: 1, updated: 2 })
    expect(await contacts()).toMatchObject([
      { first_name: 'Grace', number: null, tags: [] },
      { first_name: 'Joe', number: '1', tags: ['P5'] },
      { first_name: 'Ann', last_name: 'Other', number: '2', tags: ['P5'] },
      { first_name: 'Betty', number: '3', phone_number: '', payers: [{ phone_number: '+80000000063', name: '' }] },
    ])
  })

  it('can be the saved list of contacts, which then changes nothing', async () => {
    await importAll([
      HEAD,
      `0017,Betty Nakato,P5,Blue,${MOTHER},,,"Asthma, and more"`,
      `P6-001,Joe Nakato,P6,,${MOTHER},Grace,+80000000052,`,
      'P7-1,Ann,,,,,+80000000053,',
    ])
    const before = await contacts()
    const saved = toCsv(fieldsTable(before.map((row) => contactFileRow(encode(ContactDetails, row)))))
    const { rows } = await check([`\ufeff${saved}`])
    expect(rows.map(({ state, problems }) => [state, problems])).toEqual(before.map(() => ['known', []]))
    const again = await importAll([saved], 'update')
    expect([again.added, again.updated, again.unchanged, again.refused]).toEqual([0, 0, 3, 0])
    await shop.clear()
    expect(await importAll([saved])).toMatchObject({ added: 3 })
    const parts = ({ number, phone_number, first_name, tags, notes, payers }: ContactDetails) => [
      number,
      phone_number,
      first_name,
      tags,
      notes,
      payers,
    ]
    expect((await contacts()).map(parts)).toEqual(before.map(parts))
  })

  it('makes four thousand customers of whom two each share a phone, and changes none of them the second time', async () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => {
      const phone = `+8007200${String(index >> 1).padStart(4, '0')}`
      return `S-${index},Pupil No ${index},P${index % 7},,${phone},Grace,+8007300${String(index % 900).padStart(4, '0')},`
    })
    expect(await importAll([HEAD, ...lines])).toMatchObject({ added: 4_000, refused: 0 })
    const [counted] = await shop.db`
      select count(*) filter (where starts_with(phone_number, '+')) as own, count(*) as all from contacts`
    expect(counted).toEqual({ own: 2_000, all: 4_000 })
    expect(await importAll([HEAD, ...lines], 'update')).toMatchObject({ updated: 0, unchanged: 4_000 })
  })
})
