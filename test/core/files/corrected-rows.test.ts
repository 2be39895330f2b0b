import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networksForPayouts } from '../../../src/connections/payout-networks.ts'
import { chargeNetworks } from '../../../src/connections/request-actions.ts'
import { checkContactRows } from '../../../src/core/contacts/import/check.ts'
import { readContactFile } from '../../../src/core/contacts/import/columns.ts'
import { toRefusedFile } from '../../../src/core/contacts/import/refused-rows.ts'
import { type RefusedRows, refusedRowsOf } from '../../../src/core/files/refused-rows.ts'
import { checkInvoiceRows, readFileChoices } from '../../../src/core/invoices/batches/check.ts'
import { readInvoiceFile } from '../../../src/core/invoices/batches/columns.ts'
import { readPaymentFile } from '../../../src/core/payments/bulk/columns.ts'
import { createDraft } from '../../../src/core/payments/bulk/drafts.ts'
import { listRows, readRefusedPayments } from '../../../src/core/payments/bulk/read.ts'
import { checkRequestFile } from '../../../src/core/request-batches/check.ts'
import { readRequestFile } from '../../../src/core/request-batches/columns.ts'
import { begin } from '../../../src/db/client.ts'
import { toCsv } from '../../../web/files/csv.ts'
import writeWorkbook from '../../../web/files/workbook.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = (await shop.wallet()).author
})
afterAll(() => shop.close())

interface Checked {
  states: string[]
  refused: RefusedRows
}
type Check = (name: string, bytes: Buffer) => Promise<Checked>

const statesOf = (rows: readonly { state: string }[]) => rows.map(({ state }) => state)

const contacts: Check = async (name, bytes) => {
  const file = await readContactFile({ name, bytes })
  const rows = await checkContactRows(shop.db, shop.organization, file.rows)
  return { states: statesOf(rows), refused: refusedRowsOf(file, rows) }
}

/** Contacts whose refused rows are read from an import of another day. */
const keptContacts: Check = async (name, bytes) => {
  const file = await readContactFile({ name, bytes })
  const rows = await checkContactRows(shop.db, shop.organization, file.rows)
  return { states: statesOf(rows), refused: toRefusedFile(rows.filter(({ state }) => state === 'refused')) }
}

const invoices: Check = async (name, bytes) => {
  const none = { account: undefined, language: undefined, reminder_prompts: undefined, min_part: undefined }
  const given = { currency: 'BXC', text: 'Term 1', due_date: '2030-06-30', notes: undefined, reminder_days: undefined }
  const choices = readFileChoices({ ...given, ...none }, ['BXC'], { now: shop.now(), time_zone: 'UTC' })
  const file = await readInvoiceFile({ name, bytes })
  const { rows } = await checkInvoiceRows(shop.db, shop.organization, file.rows, choices, shop.now())
  return { states: statesOf(rows), refused: refusedRowsOf(file, rows) }
}

const requests: Check = async (name, bytes) => {
  const { organization, testApp } = shop
  const file = await readRequestFile({ name, bytes })
  const choices = { currency: 'BXC', reason: 'Term 1', expiry_date: undefined, send_instructions: true }
  const chooseNetwork = chargeNetworks(testApp.app.connections.list())
  const context = { now: shop.now(), organization, author, chooseNetwork }
  const { rows } = await checkRequestFile(shop.db, file, { ...choices, currencies: ['BXC'] }, context)
  return { states: statesOf(rows), refused: refusedRowsOf(file, rows) }
}

const payments: Check = async (name, bytes) => {
  const { organization, testApp } = shop
  const file = await readPaymentFile({ name, bytes })
  const draft = { organization, author, description: 'Wages', account: null, send_sms_message: false, file }
  const chooseNetwork = networksForPayouts(testApp.app.connections)
  const id = await begin(shop.db, (tx) => createDraft(tx, shop.now(), draft, chooseNetwork))
  const { rows } = await listRows(shop.db, { organization, id }, {}, { limit: 10, offset: 0 })
  const states = rows.map(({ problems }) => (problems.length > 0 ? 'refused' : 'ready'))
  return { states, refused: await readRefusedPayments(shop.db, { organization, id }) }
}

/** A good row and a refused one of each kind of file. The phone `x` is wrong, and so is what else is corrected. */
const files: [string, Check, string[], Record<string, string>][] = [
  [
    'contacts',
    contacts,
    [
      'Phone,Full name,E-mail,Type,Adm no,Class,Mother,Mother phone,Notes,House',
      '+80000000061,Ann Other,,,A-1,P5,,,,Red',
      'x,Joe Soap,no address,friend,007,"P5; Bus 2",Grace,0,=1+1,Blue',
    ],
    { x: '+80000000062', 'no address': 'joe@example.com', friend: 'vendor', '0': '+80000000063' },
  ],
  [
    'contacts of an earlier import',
    keptContacts,
    [
      'Phone,First name,E-mail,Type,Adm no,Tags,Payers,Notes',
      'x,Joe,no address,friend,007,"P5, Bus 2",Grace +80000000063,Allergic',
    ],
    { x: '+80000000062', 'no address': 'joe@example.com', friend: 'vendor' },
  ],
  [
    'invoices',
    invoices,
    [
      'Phone,Student,Text,Quantity,Unit price,VAT,Due date,Minimum payment,Notes,Language,Invoice',
      '+80000000061,Ann Other,Fees,1,100,,,,,,',
      'x,Joe Soap,Meals,1.5,"1,500",18,28/02/2030,10,"Thank you; see you",fr,007',
    ],
    { x: '+80000000062' },
  ],
  [
    'requests',
    requests,
    [
      'Phone,First name,Last name,Amount,Reason,Expiry,Send instructions,Route',
      '+80000000061,Ann,Other,100,Fees,,,',
      'x,Joe,Soap,"1,500",00123,28/02/2030,no,B',
    ],
    { x: '+80000000062' },
  ],
  [
    'payments',
    payments,
    [
      'Phone number,Name,Amount,Currency,Reference,Wallet',
      '+80000000061,Ann Other,100,BXC,Wages,',
      'x,Joe Soap,"1,500",BXC,00123,',
    ],
    { x: '+80000000062' },
  ],
]

describe.each(files)('refused rows of %s', (_, check, lines, corrections) => {
  it.each(['csv', 'xlsx'])('are accepted after they were exported as %s, corrected and uploaded', async (format) => {
    const first = await check('first.csv', Buffer.from(lines.join('\r\n')))
    expect(first.states.at(-1)).toBe('refused')
    expect(first.refused.rows).toHaveLength(1)
    const { titles, rows } = first.refused
    const corrected = { titles, rows: rows.map((cells) => cells.map((text) => corrections[text] ?? text)) }
    const bytes =
      format === 'csv'
        ? Buffer.from(`\ufeff${toCsv(corrected)}`)
        : Buffer.from(await (await writeWorkbook(corrected)).arrayBuffer())
    const again = await check(`again.${format}`, bytes)
    expect(again.refused.rows).toEqual([])
    expect(again.states).toHaveLength(1)
    // Each text of the file is still there, under its title.
    const texts = lines
      .at(-1)!
      .match(/"[^"]*"|[^,]+/g)!
      .map((text) => text.replaceAll('"', ''))
    const lost = texts.filter((text) => !rows[0]!.some((cell) => cell.includes(text)))
    expect(lost).toEqual([])
  })
})
