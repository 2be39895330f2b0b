import type { AnyReader } from '../../db/client.ts'
import { translateMessage } from '../../lib/messages/translations.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import {
  type PaperTable,
  type Table,
  type TableCell,
  type TableHeading,
  type TableRow,
  titleColumns,
} from '../../lib/table-files/table.ts'
import { fillTemplate } from '../../lib/template.ts'
import { countryDay } from '../../lib/text/country-dates.ts'
import type { Language } from '../../lib/text/languages.ts'
import { zonedTimestamp } from '../../lib/text/zoned-times.ts'
import { type KeptFinding, listFindings } from './findings.ts'
import { findingColumns, findingPaperColumns, findingsWords } from './findings-words.ts'
import type { ReconciliationRun } from './runs.ts'
import type { ComparedSum } from './sums.ts'

const CHUNK_ROWS = 1_000

type FindingsWords = (typeof findingsWords)[Language]

/** The differences on paper: eight columns. Both sides show their currency, amount, fee and status in one cell. */
const paperOf = (words: FindingsWords): PaperTable => ({
  columns: titleColumns(findingPaperColumns, words.paper),
  toRow(row) {
    const cells = Object.fromEntries(findingColumns.map(({ name }, index) => [name, row[index] ?? null]))
    const side = (of: 'statement' | 'ledger') =>
      sideText(words, cells.currency, {
        status: cells[`${of}_status`],
        amount: cells[`${of}_amount`],
        fee: cells[`${of}_fee`],
      })
    const state = String(cells.state)
    const decision = cells.by ? fillTemplate(words.decided_by, { state, name: String(cells.by) }) : state
    return [
      cells.line ?? null,
      cells.time ?? null,
      cells.network_reference ?? null,
      [cells.name, cells.phone].filter(Boolean).join(' '),
      cells.difference ?? null,
      side('statement'),
      side('ledger'),
      [decision, cells.note].filter(Boolean).join(': '),
    ]
  },
})

/** Side of a difference: the amount, and below it the fee and the status. */
function sideText(
  words: FindingsWords,
  currency: TableCell | undefined,
  side: Record<'status' | 'amount' | 'fee', TableCell | undefined>,
) {
  const { status, amount, fee } = side
  const fee_text = typeof fee === 'bigint' ? fillTemplate(words.fee, { amount: displayAmount(fee) }) : ''
  const below = [fee_text, status].filter(Boolean).join(', ')
  const first = typeof amount === 'bigint' ? [currency, displayAmount(amount)].filter(Boolean).join(' ') : ''
  return [first, below].filter(Boolean).join('\n')
}

/** The differences of a reconciliation as a table. */
export function findingsTable(db: AnyReader, run: ReconciliationRun, about: TableHeading & { zone: string }): Table {
  const { language = 'en' } = about
  const words = findingsWords[language]
  const translate = (text: string) => translateMessage(language, text)
  const moment = (at: Date) => {
    const [day = '', clock = ''] = zonedTimestamp(at, about.zone).slice(0, 19).split('T')
    return `${countryDay(day, about.country ?? null)} ${clock}`
  }
  const [from, to] = [moment(run.period_from), moment(run.period_to)]
  const counts = {
    lines: String(run.lines),
    agreeing: String(run.agreeing),
    differences: String(run.differences),
    open: String(run.open),
  }
  return {
    name: `reconciliation-${run.id}-${from.slice(0, 10)}-${to.slice(0, 10)}`,
    title: fillTemplate(words.title, { id: String(run.id) }),
    organization: about.organization,
    facts: [
      [words.connection, `${run.connection} (${run.network})`],
      [words.file, run.file_name],
      [words.digest, run.file_sha256],
      [words.period, fillTemplate(words.times, { from, to })],
      ...(run.zone === null ? [] : [[words.file_zone, run.zone] as [string, string]]),
      ...run.notes.map((note): [string, string] => [words.note, translate(note)]),
      ...run.sums.flatMap((sum) => sumFacts(words, sum)),
      [words.lines, fillTemplate(words.agreeing, counts)],
      [words.differences, fillTemplate(words.open, counts)],
      [words.compared_by, `${run.author_name}, ${moment(run.created)}`],
    ],
    columns: titleColumns(findingColumns, words.columns),
    chunks: rows(),
    zone: about.zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    language,
    paper: paperOf(words),
  }

  async function* rows(): AsyncGenerator<TableRow[]> {
    for (let offset = 0; ; offset += CHUNK_ROWS) {
      const { rows: found } = await listFindings(db, run, {}, { limit: CHUNK_ROWS, offset })
      yield found.map((finding) => toRow(finding, words, translate))
      if (found.length < CHUNK_ROWS) return
    }
  }
}

/** Describe the money that both sides moved in one currency. */
function sumFacts(words: FindingsWords, { currency, ...sums }: ComparedSum): [string, string][] {
  const show = (sum: string) => displayAmount(parseAmount(sum)!)
  const fact = (name: string, stated: string, booked: string): [string, string] => [
    fillTemplate(name, { currency }),
    fillTemplate(words.sides, { stated: show(stated), booked: show(booked) }),
  ]
  return [
    fact(words.received, sums.stated_received, sums.booked_received),
    fact(words.sent, sums.stated_sent, sums.booked_sent),
  ]
}

function toRow(finding: KeptFinding, words: FindingsWords, translate: (text: string) => string): TableRow {
  const { stated_at, booked_at, stated_currency, booked_currency, note, answer, problem } = finding
  const statusText = (status: string | null) => status && (words.statuses[status] ?? status)
  return [
    words.kinds[finding.kind],
    finding.remote_id,
    finding.line,
    finding.stated_phone,
    finding.stated_name,
    stated_at ?? booked_at,
    stated_currency ?? booked_currency,
    statusText(finding.stated_status),
    finding.stated_amount,
    finding.stated_fee,
    statusText(finding.booked_status),
    finding.booked_amount,
    finding.booked_fee,
    words.states[finding.state],
    note || answer || (problem && translate(problem)),
    finding.decided_by_name,
  ]
}
