import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUnmatched, type UnmatchedQuery, unmatchedTable } from '../../../../src/core/books/receivables/unmatched.ts'
import {
  claimCollection,
  listCollections,
  readDispositions,
  sumUnmatched,
} from '../../../../src/core/collections/collections.ts'
import { begin } from '../../../../src/db/client.ts'
import { shortAmount } from '../../../../src/lib/money.ts'
import { csvFile } from '../../../../src/lib/table-files/csv-file.ts'
import { amount } from '../../shop.ts'
import { openSchool, type School } from './school.ts'

const STRANGER = '+80005000001'

let school: School
let part: number
beforeAll(async () => {
  school = await openSchool()
  await school.payIn(STRANGER, '90', 'school')
  await school.passDays(8)
  const { number } = await school.bill('+80005000002', '100', { first_name: 'Joan' })
  await school.payIn('+80005000002', '100', number)
  await school.payIn('+80005000003', '60', null)
  part = (await school.shop.collections()).at(-1)!.id
  await school.db`insert into allocations (organization, collection, contact, amount, reason, created)
    select organization, id, contact, 25, 'person', created from collections where id = ${part}`
  await school.db`update collections set allocated = 25 where id = ${part}`
  await school.payIn('+80005000004', '7000', 'P7', 'UGX')
  await school.passDays(1)
})
afterAll(() => school.close())

function read(more: Partial<UnmatchedQuery> = {}, page = { limit: 100, offset: 0 }) {
  const query = { organization: school.organization, zone: 'UTC', day: '2030-01-24', ...more }
  return readUnmatched(school.db, query, page)
}

describe('money that is for nothing yet', () => {
  it('is what is left of payments, the oldest first, with the payer and the typed reference', async () => {
    const { rows, count } = await read()
    expect(count).toBe(3)
    expect(
      rows.map((row) => [
        row.phonenumber,
        row.reference,
        row.days,
        shortAmount(row.amount),
        shortAmount(row.left_amount),
      ]),
    ).toEqual([
      [STRANGER, 'school', 9, '90', '90'],
      ['+80005000003', null, 1, '60', '35'],
      ['+80005000004', 'P7', 1, '7000', '7000'],
    ])
  })

  it('is added up for each currency by the age in days', async () => {
    const sums = async (day: string) =>
      (await read({ day })).totals.map((total) => [
        total.currency,
        total.payments,
        ...[total.days_0_7_amount, total.days_8_30_amount, total.days_31_90_amount, total.days_over_90_amount].map(
          shortAmount,
        ),
      ])
    expect(await sums('2030-01-22')).toEqual([
      ['BXC', 2, '125', '0', '0', '0'],
      ['UGX', 1, '7000', '0', '0', '0'],
    ])
    expect((await sums('2030-01-23'))[0]).toEqual(['BXC', 2, '35', '90', '0', '0'])
    expect((await sums('2030-02-15'))[0]).toEqual(['BXC', 2, '0', '35', '90', '0'])
    expect((await sums('2030-05-01'))[0]).toEqual(['BXC', 2, '0', '0', '0', '125'])
  })

  it('can be that of a currency, in pages', async () => {
    expect((await read({ currency: 'UGX' })).rows).toHaveLength(1)
    const second = await read({}, { limit: 1, offset: 1 })
    expect([second.rows.map(({ collection }) => collection), second.count]).toEqual([[part], 3])
  })

  it('is the same wherever unmatched money is shown', async () => {
    const page = { limit: 10, offset: 0, field: 'id', descending: false } as const
    const list = await listCollections(school.db, school.organization, { unmatched: true }, page)
    expect(list.rows.map(({ id }) => id)).toEqual((await read()).rows.map(({ collection }) => collection))
    expect((await sumUnmatched(school.db)).find(({ currency }) => currency === 'BXC')).toMatchObject({
      count: 2,
      amount: 1_250_000n,
    })
    const [, paid] = await school.shop.collections()
    const dispositions = await readDispositions(school.db, [paid!.id, part])
    expect([dispositions.get(paid!.id)!.unmatched, dispositions.get(part)!.unmatched]).toEqual([false, true])
  })

  it('cannot be claimed when something of it is allocated', async () => {
    const [row] = (await school.shop.collections()).filter(({ id }) => id === part)
    const { remote_transaction_id, phonenumber } = row!
    const caller = { organization: school.organization, user: 1 }
    const filters = { amount: amount('60'), remote_transaction_id, phonenumber }
    expect(await begin(school.db, (tx) => claimCollection(tx, school.shop.now(), caller, filters))).toEqual([])
  })

  it('is a file with the sums of each currency', async () => {
    const query = { organization: school.organization, zone: 'UTC', day: '2030-01-24' }
    const table = await unmatchedTable(school.db, query, { organization: 'Green Hill', now: school.shop.now() })
    expect(table.facts).toContainEqual(['BXC by age', '0–7 days 35, 8–30 days 90, 31–90 days 0, over 90 days 0'])
    let text = ''
    for await (const chunk of csvFile(table)) text += chunk
    const rows = text.trimEnd().split('\r\n')
    expect(rows).toHaveLength(6)
    expect(rows.at(-2)).toMatch(/^2,,,,Total,,,,,BXC,,125\.0000$/)
  })

  it.each([
    ['sw', 'Malipo yasiyolinganishwa', 'BXC kwa umri', /^siku 0–7 35, /, 'Yamepokelewa', 'Jumla'],
    ['fr', 'Paiements non rapprochés', 'BXC par ancienneté', /^0–7 jours 35, /, 'Reçu', 'Total'],
  ] as const)('is a file in the language %s', async (language, title, by_age, ages, status, total) => {
    const query = { organization: school.organization, zone: 'UTC', day: '2030-01-24' }
    const about = { organization: 'Green Hill', now: school.shop.now(), language }
    const table = await unmatchedTable(school.db, query, about)
    expect([table.title, table.language]).toEqual([title, language])
    expect(table.facts).toContainEqual([by_age, expect.stringMatching(ages)])
    let text = ''
    for await (const chunk of csvFile(table)) text += chunk
    expect(text).toContain(`,${status},BXC,`)
    expect(text).not.toMatch(/successful|Phone number|Total,,,,,BXC.*Total/)
    expect(text).toContain(`,${total},`)
  })

  it('is none of what was given back', async () => {
    const [first] = await school.shop.collections()
    await school.db`update collections set refunded = amount where id = ${first!.id}`
    expect((await read()).rows.map(({ collection }) => collection)).not.toContain(first!.id)
  })
})
