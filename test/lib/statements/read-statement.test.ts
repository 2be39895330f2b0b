import { describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import { uploadLimits } from '../../../src/lib/sheets/sheet.ts'
import { openStatement, type StatementOptions } from '../../../src/lib/statements/read-statement.ts'
import type { StatementLine, UnreadableLine } from '../../../src/lib/statements/statement-line.ts'
import { textRow, workbookOf } from '../sheets/workbook.ts'

const usual: StatementOptions = { limits: uploadLimits, portal: {}, zone: 'Africa/Nairobi', country: 'KE' }

async function readAll(file: string | Buffer, options: Partial<StatementOptions> = {}) {
  const lines: StatementLine[] = []
  const unreadable: UnreadableLine[] = []
  const statement = await openStatement(Buffer.from(file), { ...usual, ...options })
  for await (const chunk of statement.chunks()) {
    lines.push(...chunk.lines)
    unreadable.push(...chunk.unreadable)
  }
  return { lines, unreadable }
}

async function read(text: string | Buffer, names?: StatementOptions['names'], options: Partial<StatementOptions> = {}) {
  return (await readAll(text, { ...options, ...(names && { names }) })).lines
}

describe("a network's statement", () => {
  it('is read by the names of its columns, in any order', async () => {
    const text = '\uFEFFCurrency;Amount;Remote_ID;Status;Date\r\nugx;1,500.50;TX1;SUCCESS;31/01/2030 18:00:00\r\n'
    expect(await read(text)).toEqual([
      {
        line: 2,
        remote_id: 'TX1',
        amount: parseAmount('1500.5'),
        sent: false,
        status: 'successful',
        currency: 'UGX',
        paid_at: new Date('2030-01-31T15:00:00Z'),
        reversal_of: null,
        fee: null,
        phonenumber: null,
        name: null,
      },
    ])
  })

  it('names the transaction of which a line takes back a part', async () => {
    const text = 'Receipt No.,Paid In,Withdrawn,Linked Transaction ID\nRV1,,300,TX1\nTX2,,20,\n'
    expect(await read(text)).toMatchObject([
      { remote_id: 'RV1', sent: true, reversal_of: 'TX1' },
      { remote_id: 'TX2', sent: true, reversal_of: null },
    ])
  })

  it('accepts other column names on request, and does not need the optional columns', async () => {
    const lines = await read('Receipt,Paid\nTX1,20\nTX2,"1,000"\n', { remote_id: 'receipt', amount: 'Paid' })
    expect(lines).toMatchObject([
      { line: 2, remote_id: 'TX1', status: 'successful', currency: null, paid_at: null },
      { line: 3, remote_id: 'TX2', amount: parseAmount('1000') },
    ])
  })

  it('recognizes money sent by its sign or its column', async () => {
    const signed = await read('id,amount\nTX1,-20\nTX2,20\n')
    expect(signed.map(({ sent, amount }) => [sent, amount])).toEqual([
      [true, parseAmount('20')],
      [false, parseAmount('20')],
    ])
    const columns = 'Receipt No.,Paid In,Withdrawn\nTX1,,"-1,500.00"\nTX2,20.00,0.00\nTX3,0.00,30\n'
    expect((await read(columns)).map(({ sent, amount }) => [sent, amount])).toEqual([
      [true, parseAmount('1500')],
      [false, parseAmount('20')],
      [true, parseAmount('30')],
    ])
  })

  it('is refused when no row names the columns', async () => {
    await expect(read('')).rejects.toThrow('The file is empty.')
    await expect(read('id,sum\n1,2\n')).rejects.toThrow(
      'There is no column amount, only id, sum. Name the column with --column amount=<name>.',
    )
    await expect(read('a,b\n', { amount: 'c' })).rejects.toThrow('There is no column')
  })

  it('lists each line that cannot be read with its column, and reads all others', async () => {
    const { lines, unreadable } = await readAll(
      [
        'Receipt No.,Paid In,Withdrawn,Transaction Status,Completion Time',
        'TX1,1.00,,Completed,31-01-2030 18:00:00',
        'TX2,x,,Completed,31-01-2030 18:00:00',
        ',1.00,,Completed,31-01-2030 18:00:00',
        'TX4,0.00,,Completed,31-01-2030 18:00:00',
        'TX5,1,2,Completed,31-01-2030 18:00:00',
        'TX6,1,,Perhaps,31-01-2030 18:00:00',
        'TX7,1,,Completed,31-02-2030',
        'TX8,150.000,,Completed,31-01-2030 18:00:00',
        'TX9,#REF!,,Completed,31-01-2030 18:00:00',
        '"TX10,1,,Completed,31-01-2030 18:00:00',
        'TX11,"2,000.00",,Completed,31-01-2030 18:00:00',
      ].join('\n'),
    )
    expect(lines.map(({ remote_id }) => remote_id)).toEqual(['TX1', 'TX11'])
    expect(unreadable.map(({ line, remote_id, problem }) => [line, remote_id, problem])).toEqual([
      [3, 'TX2', 'column "Paid In": "x" is not an amount, or may be two'],
      [4, '', 'the id of the payment is missing'],
      [5, 'TX4', 'the amount is missing or zero'],
      [6, 'TX5', 'the line has both a received and a sent amount'],
      [7, 'TX6', 'column "Transaction Status": "Perhaps" is not a known state'],
      [8, 'TX7', 'column "Completion Time": "31-02-2030" is not a date such as 2030-01-31 18:00:00'],
      [9, 'TX8', 'column "Paid In": "150.000" is not an amount, or may be two'],
      [10, 'TX9', 'column "Paid In": "#REF!" has an error of a spreadsheet in place of a value'],
      [11, '', 'a quotation mark is opened in this line and not closed'],
    ])
  })

  it('begins at the first row that has the titles, and ends before totals and notes', async () => {
    const text = [
      'sep=;',
      'Statement of Sample Ltd',
      'Period;28/11/2026;29/11/2026',
      '',
      'Transaction ID;Amount (KES);Date',
      'TX1;1 500,50;28/11/26 12:00 PM',
      '',
      'Transaction ID;Amount (KES);Date',
      'TX2;(20);28/11/26 12:00 AM',
      'TOTAL;1480,50;',
      ';1480,50;',
      'Closing Balance:;9,00;',
      'Generated on 29/11/2026 by Ann;;',
    ].join('\r\n')
    expect((await readAll(text)).unreadable).toEqual([])
    expect(await read(text)).toMatchObject([
      {
        line: 6,
        remote_id: 'TX1',
        amount: parseAmount('1500.5'),
        sent: false,
        paid_at: new Date('2026-11-28T09:00:00Z'),
      },
      { remote_id: 'TX2', amount: parseAmount('20'), sent: true, paid_at: new Date('2026-11-27T21:00:00Z') },
    ])
  })

  it('is read in UTF-16 and in Windows-1252', async () => {
    const text = 'id\tamount\tname\nTX1\t5\tZoë\n'
    expect(await read(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toMatchObject([{ name: 'Zoë' }])
    expect(await read(Buffer.from(text, 'latin1'))).toMatchObject([{ name: 'Zoë' }])
  })

  it('adds a charge to its payment, before or after it, also where it names it as the linked one', async () => {
    const text = [
      'Receipt No.,Details,Paid In,Withdrawn,Linked Transaction ID',
      'TX1,Pay Bill Charge,,-15.00,',
      'TX1,Pay Bill from 2547****1111,"1,000.00",,',
      'TX2,Business Payment to 0711000003 for school fees,,-500.00,',
      'TX2,Business Payment Charge,,-10.00,',
      'CH1,Pay Bill Charge,,-5.00,TX1',
      'TX3,Pay Bill Charge,,-7.00,',
    ].join('\n')
    expect(await read(text, undefined, { portal: { charges: /charge$/i } })).toMatchObject([
      { remote_id: 'TX1', sent: false, fee: parseAmount('20') },
      { remote_id: 'TX2', sent: true, amount: parseAmount('500'), fee: parseAmount('10') },
      { remote_id: 'TX3', sent: true, amount: parseAmount('7') },
    ])
  })

  it('takes the words of portals and databases for nothing as empty cells', async () => {
    const text = [
      'Receipt No.,Details,Paid In,Withdrawn,Fee,Linked Transaction ID,Other Party Info,Completion Time',
      'TX1,Payment,500,-,N/A,-,NULL,31-01-2030 18:00:00',
      'TX2,Payout,nil,700,0.00,null,n/a,31-01-2030 18:00:00',
      'TX2,Payout charge,–,10,,\\N,NaN,31-01-2030 18:00:00',
      'Total,-,500,710,-,-,-,-',
      '-,-,-,-,-,-,-,-',
    ].join('\n')
    const { lines, unreadable } = await readAll(text)
    expect(unreadable).toEqual([])
    expect(lines).toMatchObject([
      { remote_id: 'TX1', sent: false, reversal_of: null, fee: null, name: null },
      { remote_id: 'TX2', sent: true, reversal_of: null, fee: parseAmount('10'), name: null },
    ])
  })

  it('has the words for states and directions with and without accents and points', async () => {
    const text =
      'id;amount;status;dr/cr\nTX1;5;Réussie;Cr.\nTX2;5;SUCCÈS;Dr.\nTX3;5;echouee;Débit\nTX4;5;Échec;DEBITED\n'
    expect((await read(text)).map(({ status, sent }) => [status, sent])).toEqual([
      ['successful', false],
      ['successful', true],
      ['failed', true],
      ['failed', true],
    ])
  })

  it('has marks of currencies in place of codes', async () => {
    const text = 'id;amount;currency\nTX1;5 000;FCFA\nTX2;Shs 5 000;\nTX3;5 000;Ksh\nTX4;USh 5 000;-\n'
    expect((await read(text)).map(({ currency }) => currency)).toEqual([null, null, 'KES', 'UGX'])
  })

  it('has the time in a cell of its own, also as a part of a day', async () => {
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs></styleSheet>'
    const titles = textRow(1, ['id', 'amount', 'date', 'time'])
    const line = (row: number, time: number) =>
      `<row r="${row}"><c t="inlineStr"><is><t>TX${row}</t></is></c><c><v>5</v></c><c s="1"><v>46354</v></c><c s="2"><v>${time}</v></c></row>`
    const rows = titles + line(2, 0.75) + line(3, 0) + line(4, 0.520844907407407)
    const file = workbookOf({ sheets: [{ rows }], parts: { 'xl/styles.xml': styles } })
    expect((await read(file, undefined, { zone: 'UTC' })).map(({ paid_at }) => paid_at)).toEqual([
      new Date('2026-11-28T18:00:00Z'),
      new Date('2026-11-28T00:00:00Z'),
      new Date('2026-11-28T12:30:01Z'),
    ])
  })

  it('has days in words of English and French', async () => {
    const dates = ['28/11/2026 à 14:05', '28 novembre 2026 à 14h05', '28/11/2026 - 14:05', '28-Nov-26 02.05.00.123 PM']
    const text = `id;amount;date\n${dates.map((date, at) => `TX${at};1;${date}`).join('\n')}\nTX9;1;1er décembre 2026\n`
    expect((await read(text, undefined, { zone: 'UTC' })).map(({ paid_at }) => paid_at)).toEqual([
      ...dates.map(() => new Date('2026-11-28T14:05:00Z')),
      new Date('2026-12-01T00:00:00Z'),
    ])
  })

  it('reads days first unless a line proves otherwise, and asks where nothing decides', async () => {
    const of = (...dates: string[]) => `id,amount,date\n${dates.map((date, at) => `TX${at},1,${date}`).join('\n')}\n`
    const days = async (text: string, options: Partial<StatementOptions> = {}) =>
      (await read(text, undefined, { zone: 'UTC', ...options })).map(({ paid_at }) =>
        paid_at!.toISOString().slice(0, 10),
      )
    expect(await days(of('05/06/2026', '28/06/2026'))).toEqual(['2026-06-05', '2026-06-28'])
    expect(await days(of('05/06/2026', '06/28/2026'))).toEqual(['2026-05-06', '2026-06-28'])
    expect(await days(of('2026-06-05', '5 June 2026', '06/06/2026'))).toEqual([
      '2026-06-05',
      '2026-06-05',
      '2026-06-06',
    ])
    expect(await days(`Period,From 28-05-2026 To 05-06-2026\n${of('05-06-2026')}`)).toEqual(['2026-06-05'])
    await expect(days(of('05/06/2026', '07/06/2026'))).rejects.toMatchObject({
      about: 'dates',
      choices: ['day', 'month'],
    })
    expect(await days(of('05/06/2026'), { dates: 'month' })).toEqual(['2026-05-06'])
  })

  it('is refused after a spreadsheet has exchanged the days and months that it could', async () => {
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>'
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const line = (id: string, date: string) => `<row>${text(id)}<c><v>5</v></c>${date}</row>`
    const fileOf = (...dates: string[]) => {
      const rows = textRow(1, ['id', 'amount', 'date']) + dates.map((date, at) => line(`TX${at}`, date)).join('')
      return workbookOf({ sheets: [{ rows }], parts: { 'xl/styles.xml': styles } })
    }
    // 6 May and 30 May 2026 as numbers of a spreadsheet.
    const [sixth, thirtieth] = ['<c s="1"><v>46148</v></c>', '<c s="1"><v>46172</v></c>']
    await expect(read(fileOf(sixth, text('13-06-2026')))).rejects.toThrow(
      'A spreadsheet has exchanged the day and the month of some dates, such as 2026-05-06: it left 13-06-2026 as a text.',
    )
    expect(await read(fileOf(sixth, thirtieth, text('13-06-2026')))).toHaveLength(3)
    expect(await read(fileOf(sixth, text('2026-06-13')))).toHaveLength(2)
    expect(await read(fileOf(sixth))).toHaveLength(1)
  })

  it('may have merged cells above and below its table, and none inside', async () => {
    const rows = [['Statement of Sample Ltd'], ['id', 'amount'], ['TX1', '5'], ['TX2', '6'], ['Total', '11']]
    const fileOf = (...merged: string[]) => {
      const cells = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
      const xml = rows.map((texts, at) => textRow(at + 1, texts)).join('')
      return workbookOf({ sheets: [{ rows: xml, after: `<mergeCells>${cells}</mergeCells>` }] })
    }
    expect(await read(fileOf('A1:H1', 'A5:B5'))).toHaveLength(2)
    for (const inside of ['A1:A2', 'A2:B2', 'A3:A4', 'B4:B5'])
      await expect(read(fileOf('A1:H1', inside))).rejects.toThrow(`The cells ${inside} are merged.`)
  })

  it('is read in chunks', async () => {
    const text = `id,amount\n${Array.from({ length: 2_500 }, (_, index) => `TX${index},1`).join('\n')}\n`
    const sizes: number[] = []
    for await (const { lines } of (await openStatement(Buffer.from(text), usual)).chunks()) sizes.push(lines.length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(2_500)
  })
})
