import writeXlsx from 'write-excel-file/node'
import { columns, titles } from './columns.ts'

/** What each column contains, for the second sheet of the Excel template. */
const explanations = {
  phone_number:
    'Required. As people of the country write it, such as 0772 000001, or with the country code: +256772000001.',
  name: 'The name of the recipient. It can be compared with the name that the network knows.',
  amount: 'Required. Digits alone, with a point before decimals: 1500 or 1500.50.',
  currency: 'Such as UGX. Empty: the currency of the wallet that pays.',
  reference: 'What the payment is for. Empty: the description of the whole file.',
  wallet: 'The name or the number of the wallet that pays. Empty: the wallet chosen for the whole file.',
} as const

/** An empty file of payments as CSV. It begins with a byte order mark, without which Excel does not read UTF-8. */
export function csvTemplate(): string {
  return `\ufeff${columns.map((column) => titles[column]).join(',')}\r\n`
}

/** Rows of the template whose cells are text already, so that Excel keeps zeros and plus signs. */
const PREPARED_ROWS = 500

/** An empty file of payments as .xlsx, with an explanation of its columns on a second sheet. */
export async function xlsxTemplate(): Promise<Buffer> {
  const head = columns.map((column) => ({ value: titles[column], fontWeight: 'bold' as const }))
  const text = columns.map(() => ({ value: '', type: String, format: '@' }))
  const lines = columns.map((column) => [{ value: titles[column] }, { value: explanations[column], wrap: true }])
  return writeXlsx([
    {
      sheet: 'Payments',
      data: [head, ...Array.from({ length: PREPARED_ROWS }, () => text)],
      columns: [{ width: 20 }, { width: 26 }, { width: 14 }, { width: 10 }, { width: 30 }, { width: 20 }],
    },
    { sheet: 'Columns', data: lines, columns: [{ width: 16 }, { width: 90 }] },
  ]).toBuffer()
}
