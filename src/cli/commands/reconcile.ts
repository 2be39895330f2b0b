import { open, readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../app.ts'
import type { Connection } from '../../connections/connection.ts'
import { toolsOf } from '../../connections/tools/call-driver.ts'
import { listOrganizations } from '../../core/access/organizations.ts'
import { NO_PLACE, type Place, readPlaceOf } from '../../core/access/places.ts'
import {
  type ComparedPart,
  type Comparison,
  compareStatement,
  countDifferences,
  isWithin,
  newComparison,
} from '../../core/books/compare.ts'
import { currencyOf, localStatement, openStatementFile, zoneOf } from '../../core/books/statement-file.ts'
import type { ComparedSum } from '../../core/books/sums.ts'
import { sandboxNetworks } from '../../core/connections/sandbox-networks.ts'
import { describeFacts } from '../../core/files/row-file.ts'
import { type Finding, findingKinds } from '../../core/ledger/reconciliation.ts'
import { type ApplyResult, applyFindings } from '../../jobs/apply-findings.ts'
import { type Amount, displayAmount, parseAmount } from '../../lib/money.ts'
import type { OpenedStatement } from '../../lib/statements/read-statement.ts'
import { dateOrders, readStatedDate } from '../../lib/statements/stated-dates.ts'
import {
  type StatementChunk,
  type StatementColumn,
  type StatementLine,
  statementColumns,
} from '../../lib/statements/statement-line.ts'
import { dayIn, endOfDayIn, readTimeZone } from '../../lib/text/time-zones.ts'
import { zonedTimestamp } from '../../lib/text/zoned-times.ts'
import { toCount } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { CommandError } from '../errors.ts'
import { printRows, toJson } from '../print.ts'
import { startProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { chosen, type Given, preset, typed } from '../typed.ts'

export function addReconcile(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    name: 'reconcile',
    description: "compare a network's statement with the ledger, and report what is missing or differs",
    typed: RECONCILE,
    help: EXAMPLES,
    run: (app, { file, ...options }, { json }) => reconcile(terminal, app, file, { ...options, json }),
  })
}

const RECONCILE = {
  file: typed(
    '[statement.csv]',
    'the statement, CSV or XLSX, as the portal of the network writes it; none with --fetch',
  ),
  connection: typed('--connection <slug>', 'whose statement it is; not needed while there is one connection'),
  network: typed('--network <code>', 'the same, by the network: chooses its only connection'),
  fetch: typed(
    '--fetch',
    'fetch the statement of --from to --to (now unless given) from the network, where it has one',
  ),
  account: typed('--account <id>', 'compare only this account, for the statement of one till', toCount),
  from: typed('--from <date>', 'ignore earlier payments; the first date of the statement unless given', toDate),
  to: typed('--to <date>', 'ignore later payments; the last date of the statement unless given', toDate),
  column: preset(
    typed('--column <field=name>', `the column name of a field: ${statementColumns.join(', ')}`, toColumn),
    {},
    'the usual names',
  ),
  timeZone: typed(
    '--time-zone <name>',
    'the zone of times without one in the file; default: the zone of the network',
    toZone,
  ),
  dates: chosen('--dates <order>', 'which comes first in dates such as 05/06/2030', dateOrders),
  sheet: typed('--sheet <name>', 'the sheet to read, of a workbook with several'),
  sent: typed('--sent', 'the statement also lists sent money: report missing payments even if it has none'),
  report: typed('--report <file>', 'write all findings to this file, as JSON'),
  apply: typed('--apply', 'ask the network about payments that the ledger lacks, and record what it confirms'),
}
type ReconcileOptions = Omit<Given<typeof RECONCILE>, 'file'> & { json: boolean }

interface Summary extends Comparison {
  applied: ApplyResult | null
}

/** @throws CommandError when there are findings, so that the exit code is 1. */
async function reconcile(
  terminal: Terminal,
  app: App,
  file: string | undefined,
  options: ReconcileOptions,
): Promise<void> {
  const chosen = chooseConnection(app, options)
  const { slug, code } = chosen
  if (options.apply || options.fetch) await app.startSimulator()
  const home = await readHome(app, chosen)
  const zone = options.timeZone ?? zoneOf(chosen, home)
  const part = partOf(app, options, zone)
  const source = await openSource(terminal, app, { file, connection: chosen, home, zone, part }, options)
  const connection = await app.db.reserve('reconciliation')
  const report = await openReport(terminal, options)
  const summary: Summary = {
    ...newComparison({ slug, code, zone, currency: currencyOf(chosen) }, part, options.sent ?? false),
    applied: options.apply ? { recorded: 0, reversed: 0, known: 0, fees: 0, refused: [] } : null,
  }
  try {
    for await (const findings of compareStatement(connection, source(), part, summary)) {
      if (summary.applied) await applyFindings(app, slug, findings, summary.applied)
      await report.write(findings)
    }
  } finally {
    connection.release()
    await report.close(summary)
  }
  if (summary.applied) app.wake()
  if (countDifferences(summary) > 0)
    throw new CommandError(`The statement and the ledger differ: ${countsOf(summary)}.`)
}

/** Return the place of a connection's organization; for an operator's account, the place of a sole organization. */
async function readHome(app: App, { organization }: Connection): Promise<Place> {
  const [only, ...others] = organization === null ? await listOrganizations(app.db) : []
  const id = organization ?? (others.length === 0 ? only?.id : undefined)
  return id === undefined ? NO_PLACE : readPlaceOf(app.db, id)
}

/**
 * Return the period to compare. Dates without a zone are in the statement's zone; a date without a time is the whole
 * day.
 */
function partOf(app: App, { from, to, account, fetch }: ReconcileOptions, zone: string): ComparedPart {
  const end = to === undefined ? undefined : readStatedDate(to, 'day', zone)!
  // The ledger has whole seconds.
  const last = to !== undefined && !to.includes(':') ? new Date(endOfDayIn(dayIn(end!, zone), zone).getTime() - 1) : end
  return {
    account,
    from: from === undefined ? undefined : readStatedDate(from, 'day', zone)!,
    to: last ?? (fetch ? app.clock.now() : undefined),
  }
}

/** Yield the lines of a statement in chunks. */
type Source = () => AsyncGenerator<StatementChunk>

interface ChosenStatement {
  file: string | undefined
  connection: Connection
  home: Place
  zone: string
  part: ComparedPart
}

/** The statement of a file, or the one that the network gives. @throws CommandError, WrongStatement */
async function openSource(
  terminal: Terminal,
  app: App,
  { file, connection, home, zone, part }: ChosenStatement,
  options: ReconcileOptions,
): Promise<Source> {
  if (options.fetch) {
    if (file !== undefined) throw new CommandError('Give either a file or --fetch.')
    return () => fetchLines(terminal, app, connection.slug, { ...part, json: options.json })
  }
  if (file === undefined) throw new CommandError('Give the file of a statement, or --fetch with --from.')
  const bytes = await readFile(file).catch(() => {
    throw new CommandError(`The file ${file} cannot be read.`)
  })
  const { column: names, dates, sheet } = options
  const choices = { home, limits: localStatement, names, dates, sheet, time_zone: zone }
  const statement = await openStatementFile(bytes, connection, choices)
  for (const note of options.json ? [] : describeFacts(statement.facts)) terminal.print(note)
  return () => readLines(terminal, statement)
}

async function* readLines(terminal: Terminal, statement: OpenedStatement) {
  const progress = await startProgress(terminal, statement.rows, 'rows')
  try {
    for await (const chunk of statement.chunks()) {
      yield chunk
      progress.update(chunk.row)
    }
  } finally {
    progress.stop()
  }
}

/** @throws CommandError when the network has no statement, WrongStatement when it does not give all of it */
async function* fetchLines(
  terminal: Terminal,
  app: App,
  slug: string,
  options: ComparedPart & { json?: boolean | undefined },
): AsyncGenerator<StatementChunk> {
  const connection = app.connections.find(slug)!
  const { operations, name } = connection
  if (!operations.statement)
    throw new CommandError(`${name} gives no statement to programs: download it, and give its file.`)
  const { from, to = app.clock.now() } = options
  if (!from) throw new CommandError('--fetch needs --from.')
  if (from > to) throw new CommandError('--from must be before --to.')
  if (!options.json) terminal.print(`Fetching the statement of ${slug} …`)
  let chunk: StatementLine[] = []
  for await (const line of operations.statement({ from, to }, toolsOf(connection))) {
    // The network may include lines just outside the period.
    if (isWithin(line, { from, to })) chunk.push(line)
    if (chunk.length < MAX_CHUNK_LINES) continue
    yield { lines: chunk, unreadable: [], row: 0 }
    chunk = []
  }
  yield { lines: chunk, unreadable: [], row: 0 }
}

/** Maximum fetched lines per comparison. */
const MAX_CHUNK_LINES = 1_000

/** The connection of the statement. @throws CommandError when several fit, or none */
function chooseConnection(app: App, { connection, network }: ReconcileOptions): Connection {
  // The networks that come with the sandbox beside its own are meant only where they are named.
  const is_named = connection !== undefined || network !== undefined
  const all = app.connections.list().filter(({ slug }) => is_named || !sandboxNetworks.some((one) => one.slug === slug))
  const fitting = all.filter(
    ({ slug, code }) =>
      (connection === undefined || slug === connection) &&
      (network === undefined || code === network || slug === network),
  )
  if (fitting.length === 1) return fitting[0]!
  const slugs = (fitting.length > 0 ? fitting : all).map(({ slug }) => slug)
  throw new CommandError(`Choose the connection of the statement with --connection: ${slugs.join(', ')}.`)
}

interface Report {
  write(findings: readonly Finding[]): Promise<void>
  close(summary: Summary): Promise<void>
}

/** Common fields of a statement line and a ledger entry. */
interface Side {
  status: string
  amount: Amount
  currency: string | null
  fee?: Amount | null
  network_fee?: Amount | null
}

/** The table shows at most this many findings; a report has all of them. */
const MAX_FINDINGS_SHOWN = 50

/** Open the outputs of the findings: a file, JSON, or a table. File and JSON are streamed, so memory stays small. */
async function openReport(terminal: Terminal, options: ReconcileOptions): Promise<Report> {
  const file = options.report === undefined ? undefined : await open(options.report, 'w')
  const shown: Finding[] = []
  let separator = ''
  const write = async (text: string) => {
    if (options.json) terminal.print(text)
    await file?.write(`${text}\n`)
  }
  await write('{"findings": [')
  return {
    async write(findings) {
      shown.push(...findings.slice(0, MAX_FINDINGS_SHOWN - shown.length))
      if (findings.length === 0) return
      await write(separator + findings.map((finding) => toJson(finding, 0)).join(',\n'))
      separator = ','
    },
    async close(summary) {
      await write(`], "summary": ${toJson(summary, 0)}}`)
      await file?.close()
      if (!options.json) printFindings(terminal, shown, summary)
    },
  }
}

function printFindings(terminal: Terminal, findings: readonly Finding[], summary: Summary): void {
  if (findings.length > 0)
    printRows(terminal, findings, {
      none: '',
      columns: {
        finding: 'kind',
        line: (row) => (row.statement ?? row.unreadable)?.line,
        'id at the network': 'remote_id',
        statement: (row) => row.unreadable?.problem ?? sideOf(row.statement),
        person: (row) => [row.statement?.phonenumber, row.statement?.name].filter(Boolean).join(' '),
        books: (row) => (row.books ? `${row.books.what} ${row.books.id}: ${sideOf(row.books)}` : ''),
        paid: (row) => timeOf((row.statement ?? row.books)?.paid_at ?? null, summary),
      },
    })
  const { lines, complete, agreeing, from, to, sent, applied } = summary
  const span = from && to ? ` from ${timeOf(from, summary)} to ${timeOf(to, summary)} (${summary.zone})` : ''
  if (!complete && lines === 0) return
  if (complete) terminal.print(`${lines} lines${span}: ${agreeing} agree with the ledger.`)
  else terminal.print(`Only ${lines} lines were compared before the error: ${agreeing} agree with the ledger.`)
  for (const sum of summary.sums.toJSON()) terminal.print(describeSum(sum))
  if (complete && !sent)
    terminal.print('The statement lists no sent money, so payments were not compared; --sent compares them.')
  if (!applied) return
  const fees = applied.fees > 0 ? `; fees of the network: ${applied.fees}` : ''
  terminal.print(`Recorded in the ledger: ${applied.recorded}; reversed: ${applied.reversed}${fees}.`)
  for (const { remote_id, why } of applied.refused.slice(0, MAX_FINDINGS_SHOWN))
    terminal.print(`  ${remote_id}: ${why}`)
}

/** A time as the clocks of the statement show it. */
function timeOf(at: Date | null, { zone }: Summary): string {
  return at === null
    ? ''
    : zonedTimestamp(at, zone ?? 'UTC')
        .slice(0, 19)
        .replace('T', ' ')
}

function describeSum({ currency, ...sums }: ComparedSum): string {
  const show = (sum: string) => displayAmount(parseAmount(sum)!)
  const received = `received ${show(sums.stated_received)} (ledger ${show(sums.booked_received)})`
  return `${currency || 'No currency'}: ${received}, sent ${show(sums.stated_sent)} (ledger ${show(sums.booked_sent)}).`
}

function sideOf(side: Side | null): string {
  if (!side) return ''
  const fee = side.fee ?? side.network_fee
  return `${side.status} ${side.currency ?? ''} ${displayAmount(side.amount)}${fee ? `, fee ${displayAmount(fee)}` : ''}`.replace(
    '  ',
    ' ',
  )
}

function countsOf({ findings }: Summary): string {
  const counts = findingKinds.filter((kind) => findings[kind] > 0)
  return counts.map((kind) => `${findings[kind]} ${kind.replaceAll('_', ' ')}`).join(', ')
}

type ColumnNames = Partial<Record<StatementColumn, string>>

function toColumn(text: string, earlier?: ColumnNames): ColumnNames {
  const [field, name] = [text.split('=', 1)[0]!, text.slice(text.indexOf('=') + 1)]
  if (!text.includes('=') || !(statementColumns as readonly string[]).includes(field) || name === '')
    throw new InvalidArgumentError(
      `It must be one of ${statementColumns.join(', ')} and a column name, such as amount=Paid In.`,
    )
  return { ...earlier, [field]: name }
}

function toDate(text: string): string {
  if (!readStatedDate(text, 'day', 'UTC'))
    throw new InvalidArgumentError('It must be a date such as 2030-01-31 or 2030-01-31T18:00.')
  return text
}

function toZone(text: string): string {
  const zone = readTimeZone(text)
  if (zone === undefined) throw new InvalidArgumentError('It must be a time zone such as Africa/Nairobi, or UTC.')
  return zone
}

const EXAMPLES = `
The command changes nothing without --apply. With it, the network is asked about each payment that the ledger lacks. A
payment that the network confirms is recorded like any other money; others are only reported. The exit code is 1 while
anything differs.

Examples:
  $ npx kusanya simulate statement > statement.csv
  $ npx kusanya reconcile statement.csv
  $ npx kusanya reconcile --connection airtel-uganda --fetch --from 2030-01-01 --to 2030-01-31 --apply
  $ npx kusanya reconcile mpesa.csv --connection mpesa-kenya --column remote_id="Receipt No." --column amount="Paid In"
  $ npx kusanya reconcile statement.csv --from 2030-01-01 --to 2030-01-31 --report findings.json --apply`
