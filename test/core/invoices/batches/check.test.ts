import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInvoiceRows, readFileChoices } from '../../../../src/core/invoices/batches/check.ts'
import { readInvoiceFile } from '../../../../src/core/invoices/batches/columns.ts'
import { amount, openShop, type Shop } from '../../shop.ts'
import { addCustomers } from '../customers.ts'

let shop: Shop
const PHONE = '+80000000071'

beforeAll(async () => {
  shop = await openShop()
  const { db, organization } = shop
  await addCustomers(db, organization, [
    { number: 'P5-017', first_name: 'Amina', last_name: 'Nakato' },
    { number: 'P5-018', phone: '+80000000072' },
    { number: 'STU-0042' },
    { number: 'ADM-0042' },
  ])
})
afterAll(() => shop.close())

async function check(lines: readonly string[], choices: object = {}) {
  const given = { currency: 'BXC', text: 'Term 1', due_date: '2030-06-30', notes: undefined, reminder_days: undefined }
  const body = { ...given, account: undefined, language: undefined, reminder_prompts: undefined, min_part: undefined }
  const at = { now: shop.now(), time_zone: 'UTC' }
  const chosen = readFileChoices({ ...body, ...choices }, ['BXC', 'UGX'], at)
  const file = await readInvoiceFile({ name: 'class.csv', bytes: Buffer.from(lines.join('\n')) })
  return checkInvoiceRows(shop.db, shop.organization, file.rows, chosen, shop.now())
}

/** Return the remarks on each row. */
async function remarks(lines: readonly string[], choices: object = {}): Promise<string[]> {
  const { rows } = await check(lines, choices)
  return rows.map(({ problems }) => problems.map(({ message }) => message).join(' '))
}

describe('the customer of a row', () => {
  it('is found by its number, however it is typed, and by its phone', async () => {
    const { rows } = await check([
      'Admission No;Fees',
      'P5-017;100',
      'p5 17;200',
      'P5017;300',
      'STU 42;400',
      'p5/018;500',
    ])
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ['Amina Nakato', 'ready'],
      ['Amina Nakato', 'ready'],
      ['Amina Nakato', 'ready'],
      ['Jane Doe 2', 'ready'],
      ['Jane Doe 1', 'ready'],
    ])
    const { rows: by_phone } = await check(['Phone,Student,Amount', '+80000000072,,100', `${PHONE},New Person,100`])
    expect(by_phone).toMatchObject([
      { name: 'Jane Doe 1', contact: expect.any(Number) },
      { name: 'New Person', contact: null },
    ])
  })

  it('is never guessed: an unknown number, none, and a number that several have are refused', async () => {
    expect(
      await remarks(['Customer number,Phone,Amount', `X-1,${PHONE},100`, ',,100', ',12,100', 'P5-017,anything,100']),
    ).toEqual([
      'No customer has the number X-1.',
      'The customer number or the phone number is missing.',
      'This is not a phone number. Use a format such as 0772 000001 or +256772000001.',
      '',
    ])
  })
})

describe('the amount of a row', () => {
  it('is a price and how often, or what all of it comes to, with tax', async () => {
    const { rows, all } = await check([
      'Customer number,Qty,Unit price,Amount,VAT %',
      'P5-017,3,"1,500",,',
      'P5-017,2,,"3,000",18%',
      'P5-018,2,100,200,0',
    ])
    expect(rows.map((row) => row.amount)).toEqual([amount('4500'), amount('3000'), amount('200')])
    expect(all).toEqual([{ currency: 'BXC', invoices: 3, total: amount('8240') }])
  })

  it('is refused in words when it cannot be meant', async () => {
    const lines = ['Customer number,Qty,Unit price,Amount,Tax,Least part,Currency']
    const cases: [string, string][] = [
      ['P5-017,,,,,,', 'The amount is missing.'],
      ['P5-017,,,0,,,', 'Enter an amount'],
      ['P5-017,3,100,400,,,', 'Quantity times unit price is 300.'],
      ['P5-017,3,,100,,,', '100 is no price times 3. Give the unit price.'],
      ['P5-017,many,,100,,,', 'The quantity is a number greater than 0, such as 2 or 1.5.'],
      ['P5-017,,,100,0.18,,', 'Write the tax rate in percent, such as 18.'],
      ['P5-017,,,100,,500,', 'The smallest part is more than the total of BXC 100.'],
      ['P5-017,,,100,,,EUR', 'Invoices are in BXC, UGX.'],
      ['P5-017,,,100,,,ugx', ''],
    ]
    const found = await remarks([...lines, ...cases.map(([line]) => line)])
    expect(found[1]).not.toBe('')
    const others = (list: readonly string[]) => list.filter((_, index) => index !== 1)
    expect(others(found)).toEqual(others(cases.map(([, message]) => message)))
  })

  it('does not excuse a language or a day that cannot be read', async () => {
    const { rows } = await check([
      'Customer number,Amount,Language,Due date',
      'P5-017,100,German,',
      'P5-017,100,Kiswahili,31/02/2030',
    ])
    expect(rows.map(({ problems }) => problems.map(({ column }) => column))).toEqual([['language'], ['due_date']])
  })
})

describe('the due day of a row', () => {
  it('is its own or that of the file, and must not be over', async () => {
    const { rows } = await check([
      'Customer number,Amount,Due date',
      'P5-017,100,31 May 2030',
      'P5-017,200,',
      'P5-017,300,01/01/2030',
    ])
    expect(rows.map(({ due_date }) => due_date)).toEqual(['2030-05-31', '2030-06-30', '2030-01-01'])
    expect(rows[2]!.problems).toEqual([{ column: 'due_date', message: 'The due date has passed.' }])
    expect(await remarks(['Customer number,Amount', 'P5-017,100'], { due_date: '01/01/2030' })).toEqual([
      'The due date has passed.',
    ])
  })
})

describe('rows with the same text in the column "Invoice"', () => {
  it('become one invoice of a customer with several lines', async () => {
    const { planned } = await check([
      'Customer number,Text,Amount,Invoice',
      'P5-017,Tuition,700,A',
      'P5-018,Tuition,700,A',
      'P5-017,Lunch,100,a',
      'P5-017,Bus,50,',
    ])
    expect(planned.map(({ row, draft }) => [row, draft.lines.map(({ text }) => text)])).toEqual([
      [2, ['Tuition', 'Lunch']],
      [3, ['Tuition']],
      [5, ['Bus']],
    ])
  })

  it('are refused together', async () => {
    expect(
      await remarks([
        'Customer number,Amount,Invoice,Due date',
        'P5-017,700,A,2030-05-01',
        'P5-017,x,A,',
        'P5-018,700,B,2030-05-01',
        'P5-018,700,B,2030-05-02',
      ]),
    ).toEqual([
      'Row 3 of the same invoice was refused.',
      expect.stringMatching(/./),
      'Row 5 of the same invoice was refused.',
      'Row 4 of the same invoice has another due date.',
    ])
  })
})

it('a row that says the same as another one is a duplicate, whatever its case and blanks', async () => {
  const { rows, all, without_duplicates } = await check([
    'Customer number,Text,Amount',
    'P5-017,Uniform,100',
    'p5 017,uniform ,100',
    'P5-018,Uniform,100',
    'P5-017,Uniform,101',
  ])
  expect(rows.map(({ warnings }) => warnings)).toEqual([[], [{ code: 'twice_in_file', row: 2 }], [], []])
  expect([all[0]!.invoices, without_duplicates[0]!.invoices]).toEqual([4, 3])
})

it('what holds for the whole file fills empty cells', async () => {
  const { planned } = await check(['Customer number,Amount,Notes', 'P5-017,100,Bring it', 'P5-018,20,'], {
    min_part: amount('50'),
    language: 'sw',
    notes: 'Thank you',
  })
  expect(planned.map(({ draft }) => [draft.min_part, draft.language, draft.notes])).toEqual([
    [amount('50'), 'sw', 'Bring it'],
    [null, 'sw', 'Thank you'],
  ])
  expect(await remarks(['Customer number,Amount', 'P5-017,100'], { text: undefined })).toEqual(['The text is missing.'])
})
