import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgeingQuery, ageingTable, readAgeing } from '../../../../src/core/books/receivables/ageing.ts'
import { voidInvoice } from '../../../../src/core/invoices/states.ts'
import { begin } from '../../../../src/db/client.ts'
import { shortAmount } from '../../../../src/lib/money.ts'
import { csvFile } from '../../../../src/lib/table-files/csv-file.ts'
import { openSchool, type School } from './school.ts'

const JOAN = '+80004000001'
const MOSES = '+80004000002'
/** The due date of the first invoices. */
const DUE = '2030-01-31'

let school: School
let joan: number
let moses: number
beforeAll(async () => {
  school = await openSchool()
  const first = await school.bill(JOAN, '200', { first_name: 'Joan', last_name: 'Nakato', due_date: DUE })
  joan = first.contact
  await school.payIn(JOAN, '50', first.number)
  await school.bill(JOAN, '70', { due_date: '2030-06-30' })
  moses = (await school.bill(MOSES, '120', { first_name: 'Moses', due_date: DUE })).contact
  await school.bill(MOSES, '9000', { currency: 'UGX', due_date: DUE })
  const wrong = await school.bill(MOSES, '33', { due_date: DUE })
  const options = { now: school.shop.now(), base_url: school.url, user: null, reason: 'Wrong' }
  await begin(school.db, (tx) => voidInvoice(tx, wrong.id, options))
  const paid = await school.bill('+80004000003', '40', { due_date: DUE })
  await school.payIn('+80004000003', '40', paid.number)
  await school.db`update contacts set number = 'P5-1' where id = ${joan}`
  for (const tag of ['P5', 'boarder'])
    await school.db`insert into contact_tags (contact, organization, tag) values (${joan}, ${school.organization}, ${tag})`
})
afterAll(() => school.close())

function read(day: string, more: Partial<AgeingQuery> = {}, page = { limit: 100, offset: 0 }) {
  const query = { organization: school.organization, zone: 'Africa/Kampala', day, currency: 'BXC', ...more }
  return readAgeing(school.db, query, page)
}

const ages = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const

describe('open amounts by age', () => {
  it('count the days after the due date', async () => {
    const ageOn = async (day: string) => {
      const { rows } = await read(day)
      const row = rows.find(({ contact }) => contact === moses)!
      return ages.filter((age) => row[`${age}_amount`] > 0n)
    }
    expect(await ageOn('2030-01-31')).toEqual(['not_due'])
    expect(await ageOn('2030-02-01')).toEqual(['days_1_30'])
    expect(await ageOn('2030-03-02')).toEqual(['days_1_30'])
    expect(await ageOn('2030-03-03')).toEqual(['days_31_60'])
    expect(await ageOn('2030-04-01')).toEqual(['days_31_60'])
    expect(await ageOn('2030-04-02')).toEqual(['days_61_90'])
    expect(await ageOn('2030-05-01')).toEqual(['days_61_90'])
    expect(await ageOn('2030-05-02')).toEqual(['days_over_90'])
  })

  it('have what is left of invoices paid in part, and neither void nor paid ones', async () => {
    const { rows, totals, count } = await read('2030-02-10')
    expect(count).toBe(2)
    expect(rows).toEqual([
      {
        contact: joan,
        customer_number: 'P5-1',
        customer_name: 'Joan Nakato',
        phonenumber: JOAN,
        tags: ['boarder', 'P5'],
        currency: 'BXC',
        invoices: 2,
        oldest_due_date: DUE,
        not_due_amount: 700_000n,
        days_1_30_amount: 1_500_000n,
        days_31_60_amount: 0n,
        days_61_90_amount: 0n,
        days_over_90_amount: 0n,
        overdue_amount: 1_500_000n,
        open_amount: 2_200_000n,
      },
      expect.objectContaining({ contact: moses, customer_name: 'Moses', invoices: 1, open_amount: 1_200_000n }),
    ])
    expect(
      totals.map((total) => [
        total.customers,
        total.invoices,
        ...ages.map((age) => shortAmount(total[`${age}_amount`])),
      ]),
    ).toEqual([[2, 3, '70', '270', '0', '0', '0']])
  })

  it('have totals for each currency, over all pages', async () => {
    const all = await read('2030-02-10', { currency: undefined }, { limit: 1, offset: 1 })
    expect(all.count).toBe(3)
    expect(all.rows.map(({ contact, currency }) => [contact, currency])).toEqual([[moses, 'BXC']])
    expect(all.totals.map(({ currency, open_amount }) => [currency, shortAmount(open_amount)])).toEqual([
      ['BXC', '340'],
      ['UGX', '9000'],
    ])
  })

  it('can be those of a tag, in any case', async () => {
    expect((await read('2030-02-10', { tag: 'p5' })).rows.map(({ contact }) => contact)).toEqual([joan])
    expect(await read('2030-02-10', { tag: 'P6' })).toMatchObject({ count: 0, rows: [], totals: [] })
  })

  it('are not those of another organization', async () => {
    expect((await read('2030-02-10', { organization: 999 })).count).toBe(0)
  })

  it('are a file with the totals below', async () => {
    const query = { organization: school.organization, zone: 'Africa/Kampala', day: '2030-02-10', currency: 'BXC' }
    const table = await ageingTable(school.db, query, { organization: 'Green Hill', now: school.shop.now() })
    let text = ''
    for await (const chunk of csvFile(table)) text += chunk
    const [head, first, , total] = text.trimEnd().split('\r\n')
    expect(head).toMatch(/^contact,customer_number,customer_name,.*,overdue_amount,open_amount$/)
    expect(first).toContain(`,P5-1,Joan Nakato,'${JOAN},"boarder, P5",BXC,2,${DUE},70.0000,150.0000,`)
    expect(total).toMatch(/^,,Total,,,BXC,3,,70\.0000,270\.0000,.*,340\.0000$/)
  })

  it('are a file whose rows and totals one statement reads, so that a payment meanwhile moves no row', async () => {
    const query = { organization: school.organization, zone: 'Africa/Kampala', day: '2030-02-10' }
    let statements = 0
    const read = (...parts: Parameters<typeof school.db>) => {
      statements += 1
      return school.db(...parts)
    }
    const db = Object.assign(read, school.db) as typeof school.db
    const table = await ageingTable(db, query, { organization: 'Green Hill', now: school.shop.now() })
    const rows = []
    for await (const chunk of table.chunks) rows.push(...chunk)
    expect(statements).toBe(1)
    const { rows: listed, totals } = await readAgeing(school.db, query, { limit: 100, offset: 0 })
    expect(rows.map(([contact]) => contact)).toEqual(listed.map(({ contact }) => contact))
    expect(table.totals!().map((total) => [total[5], total[6], total.at(-1)])).toEqual(
      totals.map(({ currency, invoices, open_amount }) => [currency, invoices, open_amount]),
    )
  })

  it.each([
    ['sw', 'Madeni kwa umri', ['Siku', 'Lebo'], 'Mteja', 'Deni', 'Jumla'],
    ['fr', 'Créances par ancienneté', ['Jour', 'Étiquette'], 'Client', 'Ouvert', 'Total'],
  ] as const)('are a file in the language %s', async (language, title, facts, first, last, total) => {
    const day = { organization: school.organization, zone: 'Africa/Kampala', day: '2030-02-10', tag: 'P5' }
    const table = await ageingTable(school.db, day, { organization: 'Green Hill', now: school.shop.now(), language })
    expect([table.title, table.language]).toEqual([title, language])
    expect(table.facts.map(([name]) => name)).toEqual(facts)
    const titles = table.columns.map((column) => column.title)
    expect([titles[0], titles.at(-1)]).toEqual([first, last])
    for await (const _ of table.chunks);
    expect(table.totals!()[0]).toContain(total)
  })
})
