import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { App } from '../../app.ts'
import {
  compareLines,
  createStatementTable,
  type Finding,
  type FindingKind,
  findingKinds,
  findMissingAtNetwork,
  type ReconciliationScope,
} from '../../core/ledger/reconciliation.ts'
import type { Reader } from '../../db/client.ts'
import { type ApplyResult, applyFindings } from '../../jobs/apply-findings.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import {
  readStatement,
  type StatementColumn,
  type StatementLine,
  statementColumns,
} from '../../lib/network-statement.ts'
import { formatTimestamp, parseFilterDate } from '../../lib/time.ts'
import { jsonOption, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { formatShortTime, printRows, toJson } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addReconcile(program: Command, terminal: Terminal): void {
  program
    .command('reconcile')
    .description("compare a network's statement with the books, and say what is missing or differs")
    .argument('<statement.csv>', 'the statement, with the names of its columns in the first line')
    .option('--network <code>', 'whose statement it is; not needed while there is one network')
    .option('--account <id>', 'of the books only this account, for the statement of one till', toCount)
    .option('--from <date>', 'leave out what is earlier; the first date of the statement unless given', toStart)
    .option('--to <date>', 'leave out what is later; the last date of the statement unless given', toEnd)
    .addOption(
      new Option('--column <what=name>', `which column is which, of ${statementColumns.join(', ')}`)
        .argParser(toColumn)
        .default({}, 'their usual names'),
    )
    .option(
      '--sent',
      'the statement lists money that was sent, too: look for payments that it lacks, even if it has none',
    )
    .option('--report <file>', 'write all findings there, as JSON')
    .option('--apply', 'ask the network about what the books lack, and take into them what it confirms')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: ReconcileOptions) =>
      withApp(terminal, async (app) => reconcile(terminal, app, file, options)),
    )
}

interface ReconcileOptions {
  network?: string
  account?: number
  from?: Date
  to?: Date
  column: Partial<Record<StatementColumn, string>>
  sent?: boolean
  report?: string
  apply?: boolean
  json?: boolean
}

interface Summary {
  network: string
  from: Date | null
  to: Date | null
  lines: number
  /** Whether all of it was compared; a faulty line ends it before. */
  complete: boolean
  /** Whether the statement lists money that was sent, too, so that payments were looked for in it. */
  sent: boolean
  agreeing: number
  findings: Record<FindingKind, number>
  applied: ApplyResult | null
}

/** @throws CommandError when something differs, so that a script notices. */
async function reconcile(terminal: Terminal, app: App, file: string, options: ReconcileOptions): Promise<void> {
  const network = chooseNetwork(app, options.network)
  if (options.apply) await app.startSimulator()
  const { size } = await stat(file).catch(() => {
    throw new CommandError(`The file ${file} cannot be read.`)
  })
  const connection = await app.db.reserve()
  const report = await openReport(terminal, options)
  const summary: Summary = {
    network,
    from: options.from ?? null,
    to: options.to ?? null,
    lines: 0,
    complete: false,
    sent: options.sent ?? false,
    agreeing: 0,
    findings: Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as Summary['findings'],
    applied: options.apply ? { recorded: 0, reversed: 0, known: 0, refused: [] } : null,
  }
  try {
    for await (const findings of compare(terminal, connection, { path: file, size }, options, summary)) {
      for (const { kind } of findings) summary.findings[kind] += 1
      if (summary.applied) await applyFindings(app, network, findings, summary.applied)
      await report.write(findings)
    }
    summary.complete = true
  } finally {
    connection.release()
    await report.close(summary)
  }
  if (summary.applied) app.wake()
  const total = findingKinds.reduce((sum, kind) => sum + summary.findings[kind], 0)
  if (total > 0) throw new CommandError(`The statement and the books differ: ${countsOf(summary)}.`)
}

/** Everything that differs, in pieces: first what the statement says, then what it leaves out. */
async function* compare(
  terminal: Terminal,
  connection: Reader,
  file: { path: string; size: number },
  options: ReconcileOptions,
  summary: Summary,
): AsyncGenerator<Finding[]> {
  await createStatementTable(connection)
  const source = createReadStream(file.path)
  const progress = await startProgress(terminal, file.size, 'bytes')
  try {
    for await (const piece of readStatement(source, options.column)) {
      const lines = piece.filter((line) => isWithin(line, options))
      extendPeriod(summary, lines, options)
      summary.lines += lines.length
      const { agreeing, sent, findings } = await compareLines(connection, summary.network, lines)
      summary.agreeing += agreeing
      summary.sent ||= sent > 0
      progress.update(source.bytesRead)
      yield findings
    }
  } finally {
    progress.stop()
  }
  yield* findMissingAtNetwork(connection, scopeOf(summary, options))
}

function isWithin({ paid_at }: StatementLine, { from, to }: ReconcileOptions): boolean {
  return paid_at === null || ((!from || paid_at >= from) && (!to || paid_at <= to))
}

/** Without a range of the caller's own, the statement is about the time from its first line to its last. */
function extendPeriod(summary: Summary, lines: readonly StatementLine[], options: ReconcileOptions): void {
  for (const { paid_at } of lines) {
    if (!paid_at) continue
    if (!options.from && (!summary.from || paid_at < summary.from)) summary.from = paid_at
    if (!options.to && (!summary.to || paid_at > summary.to)) summary.to = paid_at
  }
}

function scopeOf({ network, from, to, sent }: Summary, options: ReconcileOptions): ReconciliationScope {
  if (!from || !to)
    throw new CommandError('The statement has no dates. Say what time it is about, with --from and --to.')
  return { network, account: options.account ?? null, from, to, sent }
}

function chooseNetwork(app: App, code: string | undefined): string {
  const codes = app.networks.map((network) => network.code)
  if (code === undefined && codes.length === 1) return codes[0]!
  if (code !== undefined && codes.includes(code)) return code
  throw new CommandError(`Say whose statement it is, with --network: ${codes.join(', ')}.`)
}

interface Report {
  write(findings: readonly Finding[]): Promise<void>
  close(summary: Summary): Promise<void>
}

/** The most findings that a person is shown; a report has all of them. */
const MAX_FINDINGS_SHOWN = 50

/** Writes findings as they come, so that a million of them need no memory: to a file, to machines, or to a person. */
async function openReport(terminal: Terminal, options: ReconcileOptions): Promise<Report> {
  const file = options.report === undefined ? undefined : await open(options.report, 'w')
  const shown: Finding[] = []
  let separator = ''
  const put = async (text: string) => {
    if (options.json) terminal.print(text)
    await file?.write(`${text}\n`)
  }
  await put('{"findings": [')
  return {
    async write(findings) {
      shown.push(...findings.slice(0, MAX_FINDINGS_SHOWN - shown.length))
      if (findings.length === 0) return
      await put(separator + findings.map((finding) => toJson(finding, 0)).join(',\n'))
      separator = ','
    },
    async close(summary) {
      await put(`], "summary": ${toJson(summary, 0)}}`)
      await file?.close()
      if (!options.json) printFindings(terminal, shown, summary)
    },
  }
}

function printFindings(terminal: Terminal, findings: readonly Finding[], summary: Summary): void {
  if (findings.length > 0)
    printRows(terminal, findings, {
      none: '',
      columns: [
        { title: 'what', value: (row) => row.kind },
        { title: 'line', value: (row) => row.statement?.line ?? null },
        { title: 'id at the network', value: (row) => row.remote_id },
        { title: 'statement', value: (row) => sideOf(row.statement) },
        {
          title: 'books',
          value: (row) => (row.books ? `${row.books.what} ${row.books.id}: ${sideOf(row.books)}` : ''),
        },
        { title: 'paid (UTC)', value: (row) => formatShortTime((row.statement ?? row.books)!.paid_at) },
      ],
    })
  const { lines, complete, agreeing, from, to, sent, applied } = summary
  const span = from && to ? ` from ${formatTimestamp(from)} to ${formatTimestamp(to)}` : ''
  if (!complete && lines === 0) return
  if (complete) terminal.print(`${lines} lines${span}: ${agreeing} agree with the books.`)
  else terminal.print(`Only ${lines} lines were compared before it failed: ${agreeing} agree with the books.`)
  if (complete && !sent)
    terminal.print('It lists no money that was sent, so payments were not looked for; --sent looks for them.')
  if (!applied) return
  terminal.print(`Taken into the books: ${applied.recorded}; reversed: ${applied.reversed}.`)
  for (const { remote_id, why } of applied.refused.slice(0, MAX_FINDINGS_SHOWN))
    terminal.print(`  ${remote_id}: ${why}`)
}

function sideOf(side: { status: string; amount: Amount; currency: string | null } | null): string {
  return side ? `${side.status} ${side.currency ?? ''} ${displayAmount(side.amount)}`.replace('  ', ' ') : ''
}

function countsOf({ findings }: Summary): string {
  const counts = findingKinds.filter((kind) => findings[kind] > 0)
  return counts.map((kind) => `${findings[kind]} ${kind.replaceAll('_', ' ')}`).join(', ')
}

function toColumn(text: string, earlier: ReconcileOptions['column']): ReconcileOptions['column'] {
  const [what, name] = [text.split('=', 1)[0]!, text.slice(text.indexOf('=') + 1)]
  if (!text.includes('=') || !(statementColumns as readonly string[]).includes(what) || name === '')
    throw new InvalidArgumentError(`It must be one of ${statementColumns.join(', ')}, and the name: amount=Paid In.`)
  return { ...earlier, [what]: name }
}

function toStart(text: string): Date {
  const date = parseFilterDate(text)
  if (!date) throw new InvalidArgumentError('It must be a date such as 2030-01-31 or 2030-01-31T18:00.')
  return date
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** A day ends with its last second. */
function toEnd(text: string): Date {
  const date = toStart(text)
  return text.includes(':') ? date : new Date(date.getTime() + DAY_MS - 1)
}

const EXAMPLES = `
Nothing is changed without --apply. With it, the network is asked about each payment that the books lack: what it confirms
is taken in like any other money, and what it does not is only reported. The exit code is 1 while anything differs.

Examples:
  $ npx kusanya simulate statement > statement.csv
  $ npx kusanya reconcile statement.csv
  $ npx kusanya reconcile mpesa.csv --network mpesa --column remote_id="Receipt No." --column amount="Paid In"
  $ npx kusanya reconcile statement.csv --from 2030-01-01 --to 2030-01-31 --report findings.json --apply`
