import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCustomerStatement } from '../../../../src/core/books/receivables/customer-statement.ts'
import { customerStatementTable, statementDocument } from '../../../../src/core/books/receivables/statement-files.ts'
import { eraseContact } from '../../../../src/core/contacts/erasure.ts'
import { issueReceipt } from '../../../../src/core/receipts/issue.ts'
import { begin } from '../../../../src/db/client.ts'
import { shortAmount } from '../../../../src/lib/money.ts'
import { csvFile } from '../../../../src/lib/table-files/csv-file.ts'
import { periodOf } from '../../../../src/lib/text/zoned-times.ts'
import { openSchool, type School } from './school.ts'

const PUPIL = '+80003000001'
const FATHER = '+80003000002'

let school: School
let pupil: number
beforeAll(async () => {
  school = await openSchool()
  // January: fees in two parts, by two phones. February: too much, and the next invoice. March: what came back.
  const fees = await school.bill(PUPIL, '200', { first_name: 'Joan', last_name: 'Nakato', language: 'sw' })
  pupil = fees.contact
  await school.db`update contacts set number = 'P5-0012' where id = ${pupil}`
  const first = await school.payIn(PUPIL, '85', fees.number)
  const [money] = await school.shop.collections()
  await begin(school.db, (tx) => issueReceipt(tx, school.shop.now(), money!))
  await school.passDays(20)
  const second = await school.payIn(FATHER, '165', fees.number)
  await school.passDays(5)
  await school.bill(PUPIL, '30')
  await school.countMoney()
  await school.passDays(20)
  await school.takeBack(second, '15')
  await school.passDays(1)
  await school.refund(first, '10')
  await school.bill(PUPIL, '5000', { currency: 'UGX' })
})
afterAll(() => school.close())

async function read(first_day: string, last_day: string, currency?: string) {
  const account = { organization: school.organization, contact: pupil }
  const period = periodOf(first_day, last_day, 'Africa/Kampala')
  return readCustomerStatement(school.db, account, { period, currency })
}

/** Entries in one line: kind, what they are for, what is charged and credited, and the balance. */
async function lines(...days: [string, string]) {
  const { entries } = await read(...days, 'BXC')
  return entries.map(({ kind, invoice_number, charged_amount, credited_amount, balance }) =>
    [kind, invoice_number ?? 'credit', ...[charged_amount, credited_amount, balance].map(shortAmount)].join(' '),
  )
}

describe('the statement of a customer', () => {
  it('opens with what was owed, and has invoices, payments of any phone, credit, reversals and refunds', async () => {
    expect(await lines('2030-01-01', '2030-01-31')).toEqual([
      'invoice INV-000001 200 0 200',
      'payment INV-000001 0 85 115',
    ])
    expect(await lines('2030-02-01', '2030-02-28')).toEqual([
      'payment INV-000001 0 115 0',
      'payment credit 0 50 -50',
      'invoice INV-000002 30 0 -20',
      'moved credit 30 0 10',
      'payment INV-000002 0 30 -20',
    ])
    expect(await lines('2030-03-01', '2030-03-31')).toEqual([
      'reversal credit 15 0 -5',
      'refund INV-000001 10 0 5',
      'adjustment INV-000001 0 10 -5',
    ])
  })

  it('closes a month with what the next one opens with, and in the end with what the invoices say', async () => {
    const [january, february, march] = [
      await read('2030-01-01', '2030-01-31', 'BXC'),
      await read('2030-02-01', '2030-02-28', 'BXC'),
      await read('2030-03-01', '2030-03-31', 'BXC'),
    ]
    expect([january.opening_balance, february.opening_balance, march.opening_balance].map(shortAmount)).toEqual([
      '0',
      '115',
      '-20',
    ])
    expect(january.closing_balance).toBe(february.opening_balance)
    expect(february.closing_balance).toBe(march.opening_balance)
    const whole = await read('2030-01-01', '2030-03-31', 'BXC')
    expect(whole.closing_balance).toBe(march.closing_balance)
    expect(whole.opening_balance + whole.charged_amount - whole.credited_amount).toBe(whole.closing_balance)
    const [open] = await school.db<{ open: bigint }[]>`
      select sum(greatest(total - amount_paid, 0))::numeric(19,4) as open from invoices
      where contact = ${pupil} and currency = 'BXC' and state <> 'draft'`
    expect([whole.open_amount, whole.credit_amount].map(shortAmount)).toEqual([shortAmount(open!.open), '5'])
  })

  it('says with which network id, phone and receipt it was paid', async () => {
    const { entries } = await read('2030-01-01', '2030-01-31', 'BXC')
    expect(entries[1]).toMatchObject({
      phonenumber: PUPIL,
      remote_transaction_id: expect.stringMatching(/^R\d+$/),
      receipt: 'R-000001',
      payment_date: expect.any(Date),
    })
  })

  it('keeps currencies apart, that of the newest invoice first', async () => {
    const { currency, currencies, entries, closing_balance } = await read('2030-03-01', '2030-03-31')
    expect([currency, currencies]).toEqual(['UGX', ['UGX', 'BXC']])
    expect(entries.map(({ kind }) => kind)).toEqual(['invoice'])
    expect(shortAmount(closing_balance)).toBe('5000')
  })

  it('names money of the phones of the customer that is for nothing yet, outside of the balance', async () => {
    await school.db`
      insert into contact_payers (contact, organization, phone_number, position)
      values (${pupil}, ${school.organization}, '+80003000003', 1)`
    const before = await read('2030-03-01', '2030-03-31', 'BXC')
    await school.shop.ingest(school.shop.paymentReport({ phonenumber: '+80003000003', reference: 'P5-9999' }))
    const after = await read('2030-03-01', '2030-03-31', 'BXC')
    expect([before.unmatched_amount, after.unmatched_amount].map(shortAmount)).toEqual(['0', '1500'])
    expect(after.closing_balance).toBe(before.closing_balance)
  })

  it('is empty for a customer without an account, in the currency of a wallet', async () => {
    const { id } = (
      await school.api.post('/api/contacts', { phone_number: '+80003000009', first_name: 'A', last_name: 'B' })
    ).body
    const period = periodOf('2030-01-01', '2030-01-31', 'UTC')
    const account = { organization: school.organization, contact: id }
    expect(await readCustomerStatement(school.db, account, { period })).toMatchObject({
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      currencies: [],
      entries: [],
      closing_balance: 0n,
    })
  })
})

const aboutStatement = (country: string | null = null) => ({
  now: school.shop.now(),
  issuer: { name: 'Green Hill School', color: '#0b6e4f', logo: null, details: [] },
  country,
  payment_terms: 'Within 14 days.',
})

describe('the files of a statement', () => {
  it('have a line for each entry between the balances, in plain cells', async () => {
    const statement = await read('2030-02-01', '2030-02-28', 'BXC')
    const about = { organization: 'Green Hill School', now: school.shop.now() }
    let text = ''
    for await (const chunk of csvFile(customerStatementTable(statement, about))) text += chunk
    const rows = text.trimEnd().split('\r\n')
    expect(rows).toHaveLength(statement.entries.length + 3)
    expect(rows[1]).toContain('Opening balance')
    expect(rows[2]).toContain(`'${FATHER}`)
    expect(rows[2]).toMatch(/,payment,Payment R\d+ from \+80003000002\. For INV-000001,INV-000001,/)
    expect(rows.at(-1)).toMatch(/,Closing balance,.*,30\.0000,|,Closing balance,/)
  })

  it.each([
    ['sw', 'Taarifa ya mteja', 'Salio la mwanzo', 'Malipo', 'Kwa INV-000001', 'Salio la mwisho'],
    ['fr', 'Relevé d’un client', 'Solde initial', 'Paiement', 'Pour INV-000001', 'Solde final'],
  ] as const)('have titles, kinds and texts in the language %s', async (language, title, ...words) => {
    const statement = await read('2030-02-01', '2030-02-28', 'BXC')
    const [opening, kind, purpose, closing] = words
    const table = customerStatementTable(statement, { organization: 'Green Hill', now: school.shop.now(), language })
    expect([table.title, table.language]).toEqual([title, language])
    let text = ''
    for await (const chunk of csvFile(table)) text += chunk
    const [head, first, second] = text.split('\r\n')
    expect(head).not.toMatch(/_|Phone|Balance/)
    expect(first).toContain(opening)
    expect(second).toContain(`,${kind},${kind} R`)
    expect(second).toContain(purpose)
    expect(text).toContain(`,${closing},`)
  })

  it('speak to the customer in three languages', async () => {
    const statement = await read('2030-02-01', '2030-03-31', 'BXC')
    const about = aboutStatement()
    const of = (language: 'en' | 'sw' | 'fr') => statementDocument(statement, language, about)
    expect(of('en')).toMatchObject({
      title: 'Statement of account',
      facts: expect.arrayContaining([
        ['Customer', 'Joan Nakato'],
        ['Customer number', 'P5-0012'],
        ['Period', 'February 1, 2030 – March 31, 2030'],
        ['Payment terms', 'Within 14 days.'],
      ]),
    })
    const in_uganda = statementDocument(statement, 'en', aboutStatement('UG'))
    expect(in_uganda.facts).toContainEqual(['Period', '01/02/2030 – 31/03/2030'])
    expect(in_uganda.table!.lines[0]![0]).toBe('01/02/2030')
    expect(of('en').totals.at(-1)).toEqual({ name: 'Balance in your favour', value: 'BXC 5', strong: true })
    expect(of('fr').totals.at(-1)).toEqual({ name: 'Solde en votre faveur', value: '5\u00a0BXC', strong: true })
    const described = of('sw').table!.lines.map(([, text]) => text)
    expect(described).toEqual([
      'Salio la mwanzo',
      expect.stringMatching(/^Malipo R\d+ kutoka \+80003000002\nKwa INV-000001$/),
      expect.stringMatching(/^Malipo R\d+ kutoka \+80003000002\nKama akiba$/),
      expect.stringMatching(/^Ankara INV-000002\nIlipwe kufikia /),
      expect.stringMatching(/^Akiba iliyotumika, ya malipo R\d+$/),
      expect.stringMatching(/^Malipo R\d+ kutoka \+80003000002\nKwa INV-000002/),
      expect.stringMatching(/^Malipo R\d+ yamerudishwa na mtandao\nKama akiba$/),
      expect.stringMatching(/^Marejesho ya malipo R\d+\nKwa INV-000001$/),
      expect.stringMatching(/^Kiasi kilichorejeshwa hakidaiwi tena\nKwa INV-000001$/),
    ])
  })
})

it('keeps the amounts of a customer who was erased, without the name and the phone', async () => {
  const { contact, number } = await school.bill('+80003000004', '70', { first_name: 'Grace' })
  await school.payIn('+80003000004', '70', number)
  await begin(school.db, (tx) => eraseContact(tx, school.shop.now(), contact, { author: 1, lease_end: null }))
  const account = { organization: school.organization, contact }
  const period = periodOf('2030-03-01', '2030-03-31', 'UTC')
  const statement = await readCustomerStatement(school.db, account, { period, currency: 'BXC' })
  expect(statement).toMatchObject({ customer_name: '', charged_amount: 700_000n, closing_balance: 0n })
  const about = aboutStatement()
  expect(JSON.stringify(statementDocument(statement, 'en', about).table)).not.toMatch(/Grace|\+800|erased/i)
})
