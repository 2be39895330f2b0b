import type { Letterhead } from '../../../src/lib/pdf/letterhead.ts'
import type { Table, TableRow } from '../../../src/lib/table-files/table.ts'

export const LETTERHEAD: Letterhead = {
  name: 'Green Hill School',
  color: '#0b6e4f',
  logo: null,
  details: [
    'Green Hill Schools Limited',
    'Plot 14, Kampala Road',
    'P.O. Box 1234, Kampala',
    'Tax number: 1000123456',
    'Phone: +256 414 123456',
    'E-mail: accounts@greenhill.example',
  ],
}

const NAMES = ['Amina Nakato', 'Joseph Okello Mugisha', 'Nalubega-Kyomuhendo Immaculate', 'ሰላማዊት ተስፋዬ', 'محمد عبد الله']
const START = Date.parse('2030-11-27T21:00:00Z')

/** A wallet statement of a busy day: `lines` transactions between the opening and the closing balance. */
export function dayOfStatement(lines: number): Table {
  let balance = 1_250_000_0000n
  const opening = balance
  const rows: TableRow[] = Array.from({ length: lines }, (_, index) => {
    const amount = BigInt(((index * 7919) % 90_000) + 1_500) * 10_000n
    const is_out = index % 7 === 3
    balance += is_out ? -amount : amount
    return [
      new Date(START + index * 280_000),
      index % 3 === 0 ? `MP301128.1${index}.A0${index}` : String(30_112_800_000 + index * 77),
      is_out ? `Payment ${index}: salary` : `Collection ${index}`,
      `${NAMES[index % NAMES.length]} +25677212${3456 + index}`,
      is_out ? null : amount,
      is_out ? amount : null,
      index % 5 === 0 ? null : BigInt(index % 5) * 1_005_000n,
      balance,
    ]
  })
  const first: TableRow = [new Date(START), null, 'Opening balance', null, null, null, null, opening]
  return {
    name: 'statement',
    title: 'Statement of Main wallet',
    organization: 'Green Hill School',
    facts: [
      ['Wallet', 'Main wallet (12)'],
      ['Period', '28/11/2030 to 28/11/2030'],
      ['Currency', 'UGX'],
      ['Opening balance', 'UGX 1,250,000'],
    ],
    columns: [],
    chunks: (async function* () {
      yield [first, ...rows]
    })(),
    totals: () => [[null, null, 'Closing balance', null, null, null, null, balance]],
    zone: 'Africa/Kampala',
    created: new Date('2030-11-28T21:00:00Z'),
    letterhead: LETTERHEAD,
    country: 'UG',
    paper: {
      columns: [
        { name: 'time', title: 'Date and time', kind: 'time' },
        { name: 'reference', title: 'Reference', kind: 'code' },
        { name: 'description', title: 'Description', kind: 'text' },
        { name: 'counterparty', title: 'Name and phone number', kind: 'text' },
        { name: 'money_in', title: 'Money in', kind: 'amount' },
        { name: 'money_out', title: 'Money out', kind: 'amount' },
        { name: 'network_fee', title: 'Network fee', kind: 'amount' },
        { name: 'balance', title: 'Balance', kind: 'amount' },
      ],
      toRow: (row) => row,
      balance: { column: 'balance', label: 'description' },
    },
  }
}
