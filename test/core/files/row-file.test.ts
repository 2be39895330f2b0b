import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import writeXlsx, { type SheetData } from 'write-excel-file/node'
import { importColumns, importWorkbook } from '../../../src/core/contacts/import/columns.ts'
import { readPhone } from '../../../src/core/files/read-cells.ts'
import { MAX_ROWS, readRowFile } from '../../../src/core/files/row-file.ts'
import { csvTemplate, xlsxTemplate } from '../../../src/core/files/template.ts'
import { paymentColumns, readPaymentFile } from '../../../src/core/payments/bulk/columns.ts'
import { countryOfRow, readAmount } from '../../../src/core/payments/bulk/read-cells.ts'
import { paymentWorkbook } from '../../../src/core/payments/bulk/template.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { formatAmount } from '../../../src/lib/money.ts'
import { expandNumber } from '../../../src/lib/sheets/expand-number.ts'
import { workbookOf } from '../../lib/sheets/workbook.ts'

const read = (content: string | Uint8Array, name = 'payments') =>
  readPaymentFile({ name, bytes: Buffer.from(content as string) })
const xlsx = (data: SheetData) => writeXlsx(data).toBuffer()
const NO_ROWS = { fields: { file: [expect.stringContaining('no rows below')] } }
const HEAD = [{ value: 'Phone number' }, { value: 'Amount' }]

/** Return the reason for refusing a file. */
async function refusalOf(content: string | Uint8Array): Promise<string> {
  const error = await read(content).then(
    () => undefined,
    (refusal: unknown) => refusal,
  )
  expect(error).toBeInstanceOf(Invalid)
  return (error as Invalid).fields.file!.join(' ')
}

describe('a CSV file', () => {
  it.each([',', ';', '\t'])('is read with %j between its cells, with the numbers of its rows', async (sign) => {
    const lines = [
      ['MSISDN', 'Full name', 'amount', 'Shift'],
      ['0772000001', 'Ann', '100', 'x'],
      [],
      ['0772000002', '', '5', ''],
    ]
    const { rows, ignored_columns } = await read(`\ufeff${lines.map((line) => line.join(sign)).join('\r\n')}`)
    expect(ignored_columns).toEqual(['Shift'])
    expect(rows).toEqual([
      { number: 2, cells: { phone_number: { text: '0772000001' }, name: { text: 'Ann' }, amount: { text: '100' } } },
      { number: 4, cells: { phone_number: { text: '0772000002' }, amount: { text: '5' } } },
    ])
  })

  it('is read in UTF-16, as Excel writes "Unicode text"', async () => {
    const text = 'phone\tamount\tname\n0772000001\t5\tZoë'
    const { rows } = await read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]))
    expect(rows[0]!.cells.name).toEqual({ text: 'Zoë' })
  })

  it('is refused with the reason', async () => {
    expect(await refusalOf('')).toBe('The file is empty.')
    expect(await refusalOf(' \n')).toBe('The file is empty.')
    expect(await refusalOf(Buffer.from([...Buffer.from('phone,amount\n1,Zo'), 0x81]))).toContain(
      'encoding of this file is unknown',
    )
    expect(await refusalOf('phone,amount\n\0')).toContain('neither a CSV file')
    expect(await refusalOf('phone,name\n1,Ann')).toContain('no column "Amount"')
    expect(await refusalOf('phone,msisdn,amount\n1,2,3')).toContain('"Phone number" appears twice')
    expect(await refusalOf('phone,amount\n')).toContain('no rows below')
    expect(await refusalOf('phone,amount\n"1,2')).toContain('Row 2 cannot be read: a quotation mark')
    expect(await refusalOf(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]))).toContain('old Excel file')
    expect(await refusalOf(`phone,amount\n${'1,2\n'.repeat(MAX_ROWS + 1)}`)).toContain('more than 10000 rows')
  })
})

describe('an Excel file', () => {
  it('is read with numbers, and text that looks like one', async () => {
    const { rows } = await read(
      await xlsx([
        HEAD,
        [{ value: 256772000001 }, { value: 0.1 + 0.2 }],
        [],
        [{ value: '0772000001', type: String }, { value: '1,500' }],
      ]),
    )
    expect(rows).toEqual([
      {
        number: 2,
        cells: {
          phone_number: { text: '256772000001', kind: 'number' },
          amount: { text: '0.30000000000000004', kind: 'number' },
        },
      },
      { number: 4, cells: { phone_number: { text: '0772000001' }, amount: { text: '1,500' } } },
    ])
  })

  it('marks formulas, and is refused with merged cells', async () => {
    const { rows } = await read(await xlsx([HEAD, [{ value: '0772000001' }, { value: '=2*3', type: 'Formula' }]]))
    expect(rows[0]!.cells.amount).toEqual({ text: '', kind: 'formula' })
    const merged = await xlsx([HEAD, [{ value: '0772000001', rowSpan: 2 }, { value: 5 }], [null, { value: 6 }]])
    expect(await refusalOf(merged)).toContain('A2:A3 are merged')
  })

  it('is refused when it is broken, or grows without end when it is unpacked', async () => {
    expect(await refusalOf(Buffer.from('PK\x03\x04 and nothing more'))).toContain('cannot be read')
    expect(await refusalOf(zipSync({ 'xl/workbook.xml': Buffer.from('<workbook/>') }))).toContain('cannot be read')
    const bomb = workbookOf({ sheets: [{ xml: ' '.repeat(40 * 1_048_576) }] })
    expect(bomb.length).toBeLessThan(100_000)
    expect(await refusalOf(bomb)).toContain('too large when it is unpacked')
  })
})

describe('the templates', () => {
  it('have the columns that are read, and no row', async () => {
    expect(await refusalOf(csvTemplate(paymentColumns))).toContain('no rows below')
    expect(await refusalOf(await xlsxTemplate(paymentColumns, paymentWorkbook))).toContain('no rows below')
    const contacts = (bytes: Uint8Array) => readRowFile({ name: 'contacts', bytes }, importColumns)
    await expect(contacts(Buffer.from(csvTemplate(importColumns)))).rejects.toMatchObject(NO_ROWS)
    await expect(contacts(await xlsxTemplate(importColumns, importWorkbook))).rejects.toMatchObject(NO_ROWS)
  })
})

describe('a cell', () => {
  const phone = (text: string, country: string | null = 'UG', kind?: 'number') => {
    const found = readPhone({ text, ...(kind && { kind }) }, country)
    return 'value' in found ? found.value.number : found.message
  }
  const amount = (text: string, kind?: 'number' | 'formula') => {
    const found = readAmount({ text, ...(kind && { kind }) })
    return 'value' in found ? formatAmount(found.value) : found.message
  }

  it('has a phone number as people of the country write it', () => {
    for (const text of ['0772 000 001', '+256772000001', '256772000001', '00256-772-000001'])
      expect(phone(text)).toBe('+256772000001')
    expect(phone('2.56772000001E+11', 'UG', 'number')).toBe('+256772000001')
    expect(phone('0772000001', null)).toContain('not a phone number')
    expect(phone('00000003', 'XX')).toBe('+80000000003')
  })

  it('belongs to the country of the organization, whatever the currency', () => {
    const wallet = (currency: string, kind: 'local' | 'cross_border' = 'local') => ({ currency, kind })
    expect(countryOfRow('0772000001', wallet('KES'), 'UG')).toBe('UG')
    expect(countryOfRow('0712000001', wallet('KES'), null)).toBe('KE')
    expect(countryOfRow('0772000001', wallet('KES', 'cross_border'), 'UG')).toBe('UG')
    expect(countryOfRow('00000003', wallet('BXC'), 'UG')).toBe('XX')
    expect(countryOfRow('0772000001', wallet('BXC'), 'UG')).toBe('UG')
    expect(countryOfRow('0772000001', undefined, null)).toBe(null)
  })

  it('says what a spreadsheet has done to a phone number', () => {
    expect(phone('2.567E+11')).toContain('has shortened this number')
    expect(phone('772000001')).toBe('The leading 0 or the country code is missing. Write 0772000001 or +256772000001.')
    expect(phone('712345678', 'KE', 'number')).toContain('Write 0712345678 or +254712345678')
    expect(phone('Ann')).toContain('not a phone number')
  })

  it('has an amount as people type it', () => {
    expect(amount('1500.50')).toBe('1500.5000')
    expect(amount('0.30000000000000004', 'number')).toBe('0.3000')
    expect(amount('1.5E+3', 'number')).toBe('1500.0000')
    expect(amount('1,500,000')).toBe('1500000.0000')
    expect(amount('1500,50')).toBe('1500.5000')
    expect(amount('150.000')).toContain('It is not clear')
    expect(amount('150.125', 'number')).toBe('150.1250')
    expect(amount('1,500/=')).toBe('1500.0000')
    expect(amount('1.5E+03')).toContain('shortened')
    expect(amount('=A1', 'formula')).toContain('formula')
    expect(amount('-5')).not.toMatch(/^\d/)
  })

  it('writes numbers out without losing a digit', () => {
    expect(expandNumber('2.56772000001E+11')).toBe('256772000001')
    expect(expandNumber('1500.4999999999998')).toBe('1500.5')
    expect(expandNumber('1E-3')).toBe('0.001')
    expect(expandNumber('0.30000000000000004')).toBe('0.3')
    expect(expandNumber('007')).toBe('7')
    expect(expandNumber('x')).toBe('x')
  })
})
