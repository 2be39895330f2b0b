import type { AnyReader } from '../../db/client.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import type { Table, TableRow } from '../../lib/table-files/table.ts'
import { zonedTimestamp } from '../../lib/text/zoned-times.ts'
import { type KeptFinding, listFindings } from './findings.ts'
import type { ReconciliationRun } from './runs.ts'
import type { ComparedSum } from './sums.ts'

const CHUNK_ROWS = 1_000

/** The differences of a reconciliation as a table. */
export function findingsTable(
  db: AnyReader,
  run: ReconciliationRun,
  about: { organization: string; now: Date; zone: string },
): Table {
  const moment = (at: Date) => zonedTimestamp(at, about.zone).slice(0, 19).replace('T', ' ')
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
    columns: [
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
    ],
    chunks: rows(),
    zone: about.zone,
    created: about.now,
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
