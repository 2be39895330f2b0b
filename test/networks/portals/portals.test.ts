import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStatementFile, type StatementSource, uploadedStatement } from '../../../src/core/books/statement-file.ts'
import { displayAmount } from '../../../src/lib/money.ts'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import { daraja } from '../../../src/networks/daraja/index.ts'
import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import { pawapay } from '../../../src/networks/pawapay/index.ts'

const home = { time_zone: 'Europe/Berlin', country: null }

/** Read the sample of a portal, in short. */
async function read(file: string, driver: StatementSource['driver'], currency: string) {
  const bytes = await readFile(join(import.meta.dirname, `${file}.csv`))
  const source = { driver, environment: 'production', places: [{ country: null, currency }] }
  const statement = await openStatementFile(bytes, source, { home, limits: uploadedStatement })
  const lines = []
  const unreadable = []
  for await (const chunk of statement.chunks()) {
    lines.push(...chunk.lines)
    unreadable.push(...chunk.unreadable)
  }
  const short = lines.map(({ remote_id, sent, amount, fee, status, paid_at, phonenumber, name }) => [
    remote_id.slice(-10),
    sent ? 'sent' : 'received',
    displayAmount(amount),
    fee ? displayAmount(fee) : '',
    status,
    paid_at?.toISOString().slice(5, 16),
    phonenumber,
    name,
  ])
  return { zone: statement.zone, short, unreadable }
}

describe("a statement of a network's portal", () => {
  it('is read for M-Pesa: title lines, charges under the receipt of their payment, and the clock of Nairobi', async () => {
    expect(await read('daraja', daraja, 'KES')).toEqual({
      zone: 'Africa/Nairobi',
      short: [
        ['UKS4SAMPL4', 'received', '9,000', '', 'successful', '11-28T19:30', '2547****1111', 'SAMPLE ONE'],
        ['UKS4SAMPL3', 'received', '2,500', '38', 'successful', '11-28T09:00', '+254711000002', 'SAMPLE TWO'],
        ['UKS4SAMPL2', 'sent', '1,500', '', 'successful', '11-28T07:15', '+254711000003', 'SAMPLE THREE'],
        ['UKS4SAMPL1', 'received', '300', '', 'failed', '11-28T06:00', '+254711000004', 'SAMPLE FOUR'],
      ],
      unreadable: [],
    })
  })

  it('is read for MTN: the other side of each direction, and the clock of Kampala', async () => {
    expect(await read('mtn-momo', mtnMomo, 'UGX')).toEqual({
      zone: 'Africa/Kampala',
      short: [
        ['6110000003', 'received', '50,000', '250', 'successful', '11-28T20:40', '+256772000001', 'SAMPLE ONE'],
        ['6110000002', 'sent', '20,000', '', 'successful', '11-28T11:05', '+256772000002', 'SAMPLE TWO'],
        ['6110000001', 'received', '70,000', '', 'failed', '11-28T07:00', '+256772000003', 'SAMPLE THREE'],
      ],
      unreadable: [],
    })
  })

  it('is read for both reports of Airtel, and an id that a spreadsheet has shortened is named', async () => {
    expect(await read('airtel-money', airtelMoney, 'UGX')).toEqual({
      zone: 'Africa/Kampala',
      short: [
        ['2593000001', 'received', '12,000', '', 'successful', '11-28T16:57', '+256752000001', 'SAMPLE ONE'],
        ['2593000002', 'received', '3,000', '', 'failed', '11-28T17:10', '+256752000002', 'SAMPLE TWO'],
      ],
      unreadable: [
        {
          line: 9,
          remote_id: '',
          problem:
            'column "Transaction ID": "1.42593E+11" has lost digits in a spreadsheet. Use the file as the network wrote it',
        },
      ],
    })
    expect((await read('airtel-money-user', airtelMoney, 'UGX')).short).toEqual([
      ['2593000011', 'received', '12,000', '', 'successful', '03-22T21:00', '+256752000001', null],
      ['2593000012', 'sent', '5,000', '', 'successful', '03-22T21:00', '+256752000009', null],
    ])
  })

  it('is read for pawaPay: its times are UTC, and fees stand in lines of their own', async () => {
    expect(await read('pawapay', pawapay, 'ZMW')).toEqual({
      zone: 'UTC',
      short: [
        ['0000000001', 'received', '150', '3', 'successful', '11-28T09:00', '+260763000001', null],
        ['0000000002', 'sent', '40', '', 'successful', '11-28T10:30', '+260763000002', null],
      ],
      unreadable: [],
    })
  })

  it('is read for providers of the GSMA standard', async () => {
    expect((await read('gsma-momo', gsmaMomo, 'GHS')).short).toEqual([
      ['REF000001', 'received', '200', '', 'successful', '11-28T10:00', '+233240000001', null],
      ['REF000002', 'sent', '50', '', 'successful', '11-28T10:00', '+233240000002', null],
      ['REF000003', 'received', '70', '', 'failed', '11-28T11:00', '+233240000003', null],
    ])
  })
})
