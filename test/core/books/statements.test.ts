import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOrigin } from '../../../src/core/books/causes.ts'
import { type StatementEntry, statementTable, walletStatement } from '../../../src/core/books/statements.ts'
import { bookNetworkFees } from '../../../src/core/ledger/network-fees.ts'
import { begin } from '../../../src/db/client.ts'
import { csvFile } from '../../../src/lib/table-files/csv-file.ts'
import { readPdfTable } from '../../../src/lib/table-files/pdf-file.ts'
import { periodOf } from '../../../src/lib/text/zoned-times.ts'
import { amount, openShop, type Shop } from '../shop.ts'
import { liveThreeDays } from './story.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await liveThreeDays(shop)
})
afterAll(() => shop.close())

async function read(first_day: string, last_day: string, zone = 'UTC') {
  const { opening, chunks } = await walletStatement(shop.db, await shop.wallet(), periodOf(first_day, last_day, zone))
  const entries: StatementEntry[] = []
  for await (const chunk of chunks) entries.push(...chunk)
  return { opening, entries, closing: entries.at(-1)?.balance ?? opening }
}

describe('the statement of a wallet', () => {
  it('closes a day with what the next one opens with, and the last with the balance of the wallet', async () => {
    const days = await Promise.all(['2030-01-15', '2030-01-16', '2030-01-17'].map((day) => read(day, day)))
    expect(days[1]!.opening).toBe(days[0]!.closing)
    expect(days[2]!.opening).toBe(days[1]!.closing)
    expect(days[2]!.closing).toBe((await shop.wallet()).balance)
    const whole = await read('2030-01-15', '2030-01-17')
    expect([whole.opening, whole.closing]).toEqual([days[0]!.opening, days[2]!.closing])
    expect(whole.entries.length).toBe(days.reduce((sum, { entries }) => sum + entries.length, 0))
  })

  it('has after each line the balance before it and its amount', async () => {
    const { opening, entries } = await read('2030-01-15', '2030-01-17')
    let balance = opening
    for (const entry of entries) {
      balance += entry.transaction.amount
      expect(entry.balance).toBe(balance)
    }
  })

  it('names what caused each line, the other side, and what the network says and charges', async () => {
    const { entries } = await read('2030-01-15', '2030-01-17')
    const [first] = await shop.collections()
    expect(entries.find(({ cause }) => cause.object === 'collection' && !cause.is_fee)!.cause).toEqual({
      object: 'collection',
      id: first!.id,
      is_fee: false,
      purpose: null,
      invoice: null,
      refunded_collection: null,
      collection_request: first!.collection_request,
      name: expect.any(String),
      phonenumber: '+80000000003',
      network: 'sandbox',
      connection: 'sandbox',
      remote_id: first!.remote_transaction_id,
      entered_by: null,
      network_fee: amount('7.75'),
    })
    const causes = new Set(entries.map(({ cause }) => `${cause.object} ${cause.purpose} ${cause.is_fee}`))
    expect([...causes].sort()).toEqual([
      'collection null false',
      'collection null true',
      'none null false',
      'payment payment false',
      'payment payment true',
      'payment refund false',
      'payment refund true',
      'payment return false',
      'payment return true',
    ])
    const refund = entries.find(({ cause }) => cause.purpose === 'refund')!.cause
    expect(refund).toMatchObject({ refunded_collection: expect.any(Number), remote_id: 'BACK1' })
  })

  it('names who made an entry by hand', async () => {
    const { entries } = await read('2030-01-15', '2030-01-17')
    const by_hand = entries.filter(({ transaction }) => transaction.type === 'admin_funds_update')
    expect(by_hand.map(({ transaction: { description }, cause: { entered_by } }) => [description, entered_by])).toEqual(
      expect.arrayContaining([
        ['Paid in', 'an operator'],
        ['To the bank', 'Grace'],
      ]),
    )
  })

  it('is empty for days without money, with the balance of those days', async () => {
    const after = await read('2030-02-01', '2030-02-02')
    expect(after).toEqual({ opening: (await shop.wallet()).balance, entries: [], closing: after.opening })
    expect((await read('2029-01-01', '2029-01-02')).opening).toBe(0n)
  })

  it('is a file of plain cells: texts are no formulas, phone numbers no numbers, times those of the zone', async () => {
    const period = periodOf('2030-01-15', '2030-01-17', 'Africa/Kampala')
    const about = { organization: 'Shop', now: shop.now() }
    const table = await statementTable(shop.db, await shop.wallet(), period, about)
    let text = ''
    for await (const chunk of csvFile(table)) text += chunk
    const lines = text.trimEnd().split('\r\n')
    expect(lines[1]).toMatch(/^2030-01-15T00:00:00\+03:00,,,Opening balance,/)
    expect(lines.at(-1)).toMatch(/^,,,Closing balance,/)
    expect(text).toMatch(/To the bank,Entered by Grace,/)
    expect(text).toContain("'+80000000003")
    expect(text).toContain('2030-01-15T15:00:00+03:00')
    expect(text).not.toMatch(/[{}]/)
    expect(text).not.toMatch(/,=/)
  })

  it('has eight columns on paper, between the opening and the closing balance, with days in the form of the country', async () => {
    const period = periodOf('2030-01-15', '2030-01-17', 'Africa/Kampala')
    const wallet = await shop.wallet()
    const about = { organization: 'Shop', now: shop.now(), country: 'UG' }
    const { columns, rows, totals, facts, balance } = await readPdfTable(
      await statementTable(shop.db, wallet, period, about),
    )
    expect(columns.map(({ title }) => title)).toEqual([
      'Date and time',
      'Reference',
      'Description',
      'Name and phone number',
      'Money in',
      'Money out',
      'Network fee',
      'Balance',
    ])
    expect(facts).toContainEqual(['Period', '15/01/2030 to 17/01/2030'])
    expect(balance).toEqual({ column: 'balance', label: 'description' })
    expect(rows[0]!.slice(2)).toEqual(['Opening balance', '', null, null, null, 0n])
    expect(totals[0]![2]).toBe('Closing balance')
    expect(totals[0]!.at(-1)).toBe(rows.at(-1)!.at(-1))
    const by_hand = rows.find(([, , description]) => description === 'To the bank')!
    expect(by_hand[3]).toBe('Entered by Grace')
    // A line without a reference of the network has the number of its transaction.
    expect(by_hand[1]).toEqual(expect.any(Number))
    expect(rows.find(([, , , counterparty]) => String(counterparty).includes('+80000000003'))).toBeDefined()
  })

  it('has titles and words in the language of the reader', async () => {
    const period = periodOf('2030-01-15', '2030-01-17', 'UTC')
    const wallet = await shop.wallet()
    const about = { organization: 'Shop', now: shop.now(), country: 'UG', language: 'fr' as const }
    const table = await statementTable(shop.db, wallet, period, about)
    expect(table.title).toBe(`Relevé de ${wallet.name}`)
    expect(table.columns.map(({ title }) => title).slice(7, 11)).toEqual([
      'Référence du réseau',
      'Entrée',
      'Sortie',
      'Solde',
    ])
    expect(table.columns.map(({ name }) => name).slice(7, 11)).toEqual([
      'network_reference',
      'money_in',
      'money_out',
      'balance',
    ])
    const { columns, rows, totals, facts, language } = await readPdfTable(table)
    expect(language).toBe('fr')
    expect(columns[0]!.title).toBe('Date et heure')
    expect(facts).toContainEqual(['Période', 'du 15/01/2030 au 17/01/2030'])
    expect([rows[0]![2], totals[0]![2]]).toEqual(['Solde initial', 'Solde final'])
    const counterparties = rows.map((row) => row[3])
    expect(counterparties).toContain('Saisi par Grace')
    expect(counterparties).toContain('Saisi par un opérateur')
  })
})

describe("the network's fee", () => {
  it('stands on the first line of its money only, so that the column sums to it', async () => {
    const { author } = await shop.wallet()
    const parted = (await shop.collections()).find((one) => one.reversed_in_parts > 0n)!
    const [sent] = await shop.db<{ id: number }[]>`
      select id from payment_recipients where exists (select from transfers where reference = 'reversal:payment:' || payment_recipients.id)`
    const others = { connection: 'sandbox', currency: 'BXC', author }
    await begin(shop.db, (tx) =>
      bookNetworkFees(tx, shop.now(), [
        { ...others, subject: `collection:${parted.id}`, amount: amount('3') },
        { ...others, subject: `recipient:${sent!.id}`, amount: amount('2') },
      ]),
    )
    const about = { organization: 'Shop', now: shop.now() }
    const period = periodOf('2030-01-15', '2030-01-17', 'UTC')
    const { columns, rows } = await readPdfTable(await statementTable(shop.db, await shop.wallet(), period, about))
    const fee = columns.findIndex(({ title }) => title === 'Network fee')
    expect(rows.map((row) => row[fee]).filter(Boolean)).toEqual([amount('7.75'), amount('3'), amount('2')])
  })
})

describe('the reference of a transfer', () => {
  it('names what caused it', () => {
    const of = (kind: string, id: number, is_fee = false) => ({ kind, id, is_fee })
    expect(readOrigin('collection:7')).toEqual(of('collection', 7))
    expect(readOrigin('collection:7:fee')).toEqual(of('collection', 7, true))
    expect(readOrigin('suspense:7')).toEqual(of('collection', 7))
    expect(readOrigin('reversal:7')).toEqual(of('collection', 7))
    expect(readOrigin('reversal:7:part:A:fee')).toEqual(of('collection', 7))
    expect(readOrigin('hold:payment:3')).toEqual(of('payment', 3))
    expect(readOrigin('end:payment:3:fee')).toEqual(of('payment', 3, true))
    expect(readOrigin('reversal:payment:3:part:9')).toEqual(of('payment', 3))
    expect(readOrigin('late:bill:5')).toEqual(of('bill', 5))
    for (const other of ['funds:0-1', 'refill:7:2030', 'network_fee:collection:7', '7', 'float:1'])
      expect(readOrigin(other)).toBeUndefined()
  })
})
