import fc from 'fast-check'
import { expect, it } from 'vitest'
import { displayAmount, parseAmount } from '../../src/lib/money.ts'
import { uploadLimits } from '../../src/lib/sheets/sheet.ts'
import { openStatement } from '../../src/lib/statements/read-statement.ts'
import { dayIn, timeOfDayIn } from '../../src/lib/text/time-zones.ts'
import { textRow, workbookOf } from '../lib/sheets/workbook.ts'

/*
 * Statements of known payments in every form that portals write. Encoding, separators, title lines, forms of dates and
 * amounts, charges and hidden rows vary, but the same payments are read. FUZZ_SEED repeats a run.
 */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env.FUZZ_RUNS ?? 8) * 3

interface Payment {
  id: string
  cents: number
  sent: boolean
  day: number
  minute: number
  charge: number
  wrong: boolean
}

const payments = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[A-Z]{3}[0-9][A-Z0-9]{6}$/),
    cents: fc.integer({ min: 1, max: 999_999_999 }),
    sent: fc.boolean(),
    day: fc.integer({ min: 1, max: 30 }),
    minute: fc.integer({ min: 0, max: 1439 }),
    charge: fc.constantFrom(0, 0, 15),
    wrong: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 1, maxLength: 25, selector: ({ id }) => id },
)

const pad = (number: number) => String(number).padStart(2, '0')
const clock = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}:00`
const halves = (minute: number) => {
  const hour = Math.floor(minute / 60)
  return `${hour % 12 || 12}:${pad(minute % 60)} ${hour < 12 ? 'AM' : 'PM'}`
}
const dates: ((payment: Payment) => string)[] = [
  ({ day, minute }) => `${pad(day)}-11-2026 ${clock(minute)}`,
  ({ day, minute }) => `${pad(day)}/11/26 ${halves(minute)}`,
  ({ day, minute }) => `${pad(day)}-NOV-2026  ${clock(minute)}`,
  ({ day, minute }) => `Nov ${day}, 2026 ${clock(minute)}`,
  ({ day, minute }) => `2026-11-${pad(day)}T${clock(minute)}.000`,
  ({ day, minute }) => `202611${pad(day)}${clock(minute).replaceAll(':', '')}`,
]
const amounts: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll(',', ''),
  (text) => text.replaceAll(',', ' ').replace('.', ','),
  (text) => `KES ${text}`,
  (text) => `${text} KES`,
]
const outs: ((text: string) => string)[] = [
  (text) => text,
  (text) => `-${text}`,
  (text) => `(${text})`,
  (text) => `${text}-`,
]
const encodings = {
  utf8: (text: string) => Buffer.from(`\uFEFF${text}`),
  plain: (text: string) => Buffer.from(text),
  utf16: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  latin1: (text: string) => Buffer.from(text, 'latin1'),
}

const shape = fc.record({
  date: fc.constantFrom(...dates),
  amount: fc.constantFrom(...amounts),
  out: fc.constantFrom(...outs),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  end: fc.constantFrom('\n', '\r\n'),
  titles: fc.integer({ min: 0, max: 7 }),
  total: fc.boolean(),
  sep: fc.boolean(),
  file: fc.constantFrom('utf8', 'plain', 'utf16', 'latin1', 'xlsx'),
  zone: fc.constantFrom('Africa/Nairobi', 'Africa/Lagos', 'Africa/Kampala', 'UTC'),
})

it('reads the same payments from every form of a statement', async () => {
  process.stdout.write(`statement fuzz seed: ${seed}\n`)
  const forms = fc.asyncProperty(payments, shape, async (listed, form) => {
    const text = ({ cents }: { cents: number }) => form.amount(moneyOf(cents))
    const rows: string[][] = [
      ...Array.from({ length: form.titles }, (_, index) => [`Line ${index}:`, 'Société Sample']),
      ['Period:', 'From 28-11-2026 To 30-11-2026'],
      ['Receipt No.', 'Completion Time', 'Details', 'Transaction Status', 'Paid In', 'Withdrawn', 'Other Party Info'],
    ]
    for (const payment of listed) {
      const { id, sent, charge, wrong } = payment
      const status = wrong ? 'Zzz' : 'Completed'
      const money = sent ? ['', form.out(text(payment))] : [text(payment), '']
      const line = [id, form.date(payment), 'Payment', status, ...money, '2547****1111 - Zoë']
      const charged = [
        id,
        form.date(payment),
        'Payment Charge',
        'Completed',
        '',
        form.out(text({ cents: charge * 100 })),
        '',
      ]
      rows.push(
        ...(charge === 0 || wrong ? [line] : charge % 2 === payment.day % 2 ? [charged, line] : [line, charged]),
      )
    }
    if (form.total) rows.push(['Total', '', '', '', form.amount('9,999.00'), '', ''])
    const statement = await openStatement(write(rows, form), {
      limits: uploadLimits,
      portal: {},
      zone: form.zone,
      country: 'KE',
    })
    const read = []
    const unreadable: string[] = []
    for await (const chunk of statement.chunks()) {
      read.push(...chunk.lines)
      unreadable.push(...chunk.unreadable.map(({ remote_id }) => remote_id))
    }
    expect(unreadable).toEqual(listed.filter(({ wrong }) => wrong).map(({ id }) => id))
    expect(
      read.map(({ remote_id, amount, sent, paid_at, fee, name }) => ({ remote_id, amount, sent, paid_at, fee, name })),
    ).toEqual(
      listed
        .filter(({ wrong }) => !wrong)
        .map(({ id, cents, sent, day, minute, charge }) => ({
          remote_id: id,
          amount: BigInt(cents) * 100n,
          sent,
          name: 'Zoë',
          paid_at: timeOfDayIn(`2026-11-${pad(day)}`, clock(minute), form.zone),
          fee: charge === 0 ? null : BigInt(charge) * 10_000n,
        })),
    )
    for (const { paid_at } of read) expect(dayIn(paid_at!, form.zone)).toMatch(/^2026-11-/)
  })
  await fc.assert(forms, { seed, numRuns })
}, 600_000)

/** An amount of cents with separators of thousands and two decimals. */
function moneyOf(cents: number): string {
  const [whole, decimals = '00'] = displayAmount(parseAmount(`${Math.floor(cents / 100)}.${pad(cents % 100)}`)!).split(
    '.',
  )
  return `${whole}.${decimals}`
}

function write(
  rows: readonly string[][],
  form: { file: string; delimiter: string; end: string; sep: boolean },
): Buffer {
  if (form.file === 'xlsx') {
    const shown = rows.map((row, index) => textRow(2 * index + 1, row))
    const hidden = textRow(
      2 * rows.length,
      ['HIDDEN1', '28-11-2026', 'Payment', 'Completed', '5', '', ''],
      'hidden="1"',
    )
    return workbookOf({
      sheets: [{ name: 'Old', state: 'hidden', rows: textRow(1, ['a']) }, { rows: shown.join('') + hidden }],
    })
  }
  const quote = (cell: string) =>
    cell.includes(form.delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = rows.map((row) => row.map(quote).join(form.delimiter))
  const text = [...(form.sep ? [`sep=${form.delimiter}`] : []), ...lines, ''].join(form.end)
  return encodings[form.file as keyof typeof encodings](text)
}
