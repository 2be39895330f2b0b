import type { AnyReader } from '../../db/client.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import type { PaperTable, Table, TableCell, TableColumn, TableHeading, TableRow } from '../../lib/table-files/table.ts'
import { countryDay } from '../../lib/text/country-dates.ts'
import { zonedTimestamp } from '../../lib/text/zoned-times.ts'
import { type KeptFinding, listFindings } from './findings.ts'
import type { ReconciliationRun } from './runs.ts'
import type { ComparedSum } from './sums.ts'

const CHUNK_ROWS = 1_000

const columns: readonly TableColumn[] = [
  { name: 'difference', title: 'Difference', kind: 'text', width: 1.3 },
  { name: 'network_reference', title: 'Network reference', kind: 'code', width: 1.3 },
  { name: 'line', title: 'Line', kind: 'count' },
  { name: 'phone', title: 'Phone', kind: 'text' },
  { name: 'name', title: 'Name', kind: 'text' },
  { name: 'time', title: 'Time', kind: 'time' },
  { name: 'currency', title: 'Currency', kind: 'text', width: 0.7 },
  { name: 'statement_status', title: 'Statement', kind: 'text', width: 0.9 },
  { name: 'statement_amount', title: 'Amount (statement)', kind: 'amount' },
  { name: 'statement_fee', title: 'Fee (statement)', kind: 'amount', width: 0.9 },
  { name: 'ledger_status', title: 'Ledger', kind: 'text', width: 0.9 },
  { name: 'ledger_amount', title: 'Amount (ledger)', kind: 'amount' },
  { name: 'ledger_fee', title: 'Fee (ledger)', kind: 'amount', width: 0.9 },
  { name: 'state', title: 'State', kind: 'text', width: 0.9 },
  { name: 'note', title: 'Note', kind: 'text', width: 1.6 },
  { name: 'by', title: 'By', kind: 'text' },
]

/** The differences on paper: eight columns. Both sides show their currency, amount, fee and status in one cell. */
const paper: PaperTable = {
  columns: [
    { name: 'line', title: 'Line', kind: 'count' },
    { name: 'time', title: 'Date and time', kind: 'time' },
    { name: 'network_reference', title: 'Network reference', kind: 'code' },
    { name: 'counterparty', title: 'Name and phone number', kind: 'text' },
    { name: 'difference', title: 'Difference', kind: 'text' },
    { name: 'statement', title: 'Statement', kind: 'amount' },
    { name: 'ledger', title: 'Ledger', kind: 'amount' },
    { name: 'decision', title: 'State and note', kind: 'text' },
  ],
  toRow(row) {
    const cells = Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))
    const side = (of: 'statement' | 'ledger') =>
      sideText(cells.currency, {
        status: cells[`${of}_status`],
        amount: cells[`${of}_amount`],
        fee: cells[`${of}_fee`],
      })
    return [
      cells.line ?? null,
      cells.time ?? null,
      cells.network_reference ?? null,
      [cells.name, cells.phone].filter(Boolean).join(' '),
      cells.difference ?? null,
      side('statement'),
      side('ledger'),
      [cells.by ? `${cells.state} by ${cells.by}` : cells.state, cells.note].filter(Boolean).join(': '),
    ]
  },
}

/** Side of a difference: the amount, and below it the fee and the status. */
function sideText(currency: TableCell | undefined, side: Record<'status' | 'amount' | 'fee', TableCell | undefined>) {
  const { status, amount, fee } = side
  const below = [typeof fee === 'bigint' ? `fee ${displayAmount(fee)}` : '', status].filter(Boolean).join(', ')
  const first = typeof amount === 'bigint' ? [currency, displayAmount(amount)].filter(Boolean).join(' ') : ''
  return [first, below].filter(Boolean).join('\n')
}

/** The differences of a reconciliation as a table. */
export function findingsTable(db: AnyReader, run: ReconciliationRun, about: TableHeading & { zone: string }): Table {
  const moment = (at: Date) => {
    const [day = '', clock = ''] = zonedTimestamp(at, about.zone).slice(0, 19).split('T')
    return `${countryDay(day, about.country ?? null)} ${clock}`
  }
  return {
    name: `reconciliation-${run.id}-${moment(run.period_from).slice(0, 10)}-${moment(run.period_to).slice(0, 10)}`,
    title: `Reconciliation ${run.id}`,
    organization: about.organization,
    facts: [
      ['Connection', `${run.connection} (${run.network})`],
      ['File', run.file_name],
      ['SHA-256 of the file', run.file_sha256],
      ['Period', `${moment(run.period_from)} to ${moment(run.period_to)}`],
      ...(run.zone === null ? [] : [['Time zone of the file', run.zone] as [string, string]]),
      ...run.notes.map((note): [string, string] => ['Note', note]),
      ...run.sums.flatMap(sumFacts),
      ['Lines', `${run.lines}, of which ${run.agreeing} agree with the ledger`],
      ['Differences', `${run.differences}, of which ${run.open} are open`],
      ['Compared by', `${run.author_name}, ${moment(run.created)}`],
    ],
    columns,
    chunks: rows(),
    zone: about.zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    paper,
  }

  async function* rows(): AsyncGenerator<TableRow[]> {
    for (let offset = 0; ; offset += CHUNK_ROWS) {
      const { rows: found } = await listFindings(db, run, {}, { limit: CHUNK_ROWS, offset })
      yield found.map(toRow)
      if (found.length < CHUNK_ROWS) return
    }
  }
}

/** Describes the money that both sides moved in one currency. */
function sumFacts({ currency, ...sums }: ComparedSum): [string, string][] {
  const show = (sum: string) => displayAmount(parseAmount(sum)!)
  return [
    [
      `Received ${currency}`,
      `${show(sums.stated_received)} in the statement, ${show(sums.booked_received)} in the ledger`,
    ],
    [`Sent ${currency}`, `${show(sums.stated_sent)} in the statement, ${show(sums.booked_sent)} in the ledger`],
  ]
}

function toRow(finding: KeptFinding): TableRow {
  const { stated_at, booked_at, stated_currency, booked_currency, note, answer } = finding
  return [
    finding.kind.replaceAll('_', ' '),
    finding.remote_id,
    finding.line,
    finding.stated_phone,
    finding.stated_name,
    stated_at ?? booked_at,
    stated_currency ?? booked_currency,
    finding.stated_status,
    finding.stated_amount,
    finding.stated_fee,
    finding.booked_status,
    finding.booked_amount,
    finding.booked_fee,
    finding.state,
    note || answer || finding.problem,
    finding.decided_by_name,
  ]
}
