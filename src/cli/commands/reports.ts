import { Argument, type Command, Option } from 'commander'
import { readPeriod } from '../../actions/report-period.ts'
import type { App } from '../../app.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { ageingTable, readAgeing } from '../../core/books/receivables/ageing.ts'
import { readUnmatched, unmatchedTable } from '../../core/books/receivables/unmatched.ts'
import { type ReportGroup, type ReportKind, reportGroups, reportKinds } from '../../core/books/report-kinds.ts'
import { readReport, reportPeriod, reportTable } from '../../core/books/reports.ts'
import { readTableHeading } from '../../core/checkout/letterhead.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import type { Language } from '../../lib/text/languages.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import { languageOption, TABLE_FILE, type TableTarget, toDay, toTableTarget, writeTable } from '../table-output.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  by: ReportGroup
  from?: string
  to?: string
  account?: number
  network?: string
  connection?: string
  currency?: string
  tag?: string
  language?: Language
  organization?: number
  json?: boolean
}

/** The reports of the console: sums of the ledger, and those about customers. */
export function addReports(program: Command, terminal: Terminal): void {
  program
    .command('reports')
    .description('add up the ledger of an organization, as the reports of the console do')
    .addArgument(
      new Argument('<kind>', 'what to add up; ageing: open amounts of customers; unmatched: unmatched money').choices([
        ...reportKinds,
        ...todayKinds,
      ]),
    )
    .argument('[file]', TABLE_FILE, toTableTarget)
    .addOption(new Option('--by <group>', 'a line for each').choices(reportGroups).default('day'))
    .option(
      '--from <day>',
      'the first day, in the time zone of the organization; the first of the month unless given',
      toDay,
    )
    .option('--to <day>', 'the last day; today unless given', toDay)
    .option('--account <id>', 'only this wallet', toCount)
    .option('--network <code>', 'only this network')
    .option('--connection <slug>', 'only this connection')
    .option('--currency <code>', 'only this currency')
    .option('--tag <tag>', 'only customers with this tag, of ageing')
    .addOption(languageOption())
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((kind: ReportKind | TodayKind, target: TableTarget | undefined, options: Options) =>
      withApp(terminal, (app) =>
        isToday(kind)
          ? printTodayReport(terminal, app, kind, target, options)
          : printReport(terminal, app, kind, target, options),
      ),
    )
}

const todayKinds = ['ageing', 'unmatched'] as const
type TodayKind = (typeof todayKinds)[number]
const isToday = (kind: ReportKind | TodayKind): kind is TodayKind => todayKinds.some((one) => one === kind)

/**
 * Print a report of today about customers: open amounts by age, or money that is for nothing yet.
 * @throws CommandError for an option that it does not have
 */
async function printTodayReport(
  terminal: Terminal,
  app: App,
  kind: TodayKind,
  target: TableTarget | undefined,
  { organization: chosen, json, currency, tag, language, by: _, ...others }: Options,
): Promise<void> {
  const [wrong] = [...Object.keys(others), ...(tag !== undefined && kind === 'unmatched' ? ['tag'] : [])]
  if (wrong !== undefined) throw new CommandError(`The report ${kind} has no --${wrong}. It is one of today.`)
  const owner = await chooseOrganization(app.db, chosen)
  const { id: organization } = owner
  const now = app.clock.now()
  const { time_zone: zone } = await readPlaceOf(app.db, organization)
  const query = { organization, zone, day: dayIn(now, zone), currency }
  const db = app.reads.exports
  if (json && !target) {
    const report = kind === 'ageing' ? readAgeing(db, { ...query, tag }, ALL_ROWS) : readUnmatched(db, query, ALL_ROWS)
    return printResult(terminal, await report, { json, text: '' })
  }
  const about = await readTableHeading(app.db, owner, now, language)
  const table = kind === 'ageing' ? ageingTable(db, { ...query, tag }, about) : unmatchedTable(db, query, about)
  await writeTable(terminal, await table, target)
  if (!target) return
  printResult(terminal, { file: target.path }, { json, text: `The report was written to ${target.path}.` })
}

const ALL_ROWS = { limit: 1_000_000, offset: 0 }

async function printReport(
  terminal: Terminal,
  app: App,
  kind: ReportKind,
  target: TableTarget | undefined,
  { from, to, json, organization: chosen, tag, language, ...options }: Options,
): Promise<void> {
  if (tag !== undefined) throw new CommandError('Only the report ageing has --tag.')
  const owner = await chooseOrganization(app.db, chosen)
  const { id } = owner
  const { account } = options
  if (account !== undefined && (await findAccount(app.db, account))?.organization !== id)
    throw new CommandError(`There is no wallet ${account}.`)
  const query = { ...options, kind, period: reportPeriod(await readPeriod(app, id, { from, to })) }
  const report = await readReport(app.reads.exports, id, query)
  const { first_day, last_day, zone } = query.period
  if (!target && json)
    return printResult(terminal, { from: first_day, to: last_day, zone, ...report }, { json, text: '' })
  const about = await readTableHeading(app.db, owner, app.clock.now(), language)
  await writeTable(terminal, reportTable(report, query, about), target)
  if (!target) return
  const text = `The report of ${first_day} to ${last_day} was written to ${target.path}.`
  printResult(terminal, { file: target.path, from: first_day, to: last_day, rows: report.rows.length }, { json, text })
}

const EXAMPLES = `
Examples:
  $ npx kusanya reports collections
  $ npx kusanya reports collections 2030-01.xlsx --by network --from 2030-01-01 --to 2030-01-31
  $ npx kusanya reports fees fees.pdf --by account --from 2030-01-01 --to 2030-01-31
  $ npx kusanya reports settlements --by connection --json
  $ npx kusanya reports ageing open.xlsx --tag P5
  $ npx kusanya reports ageing madeni.pdf --language sw
  $ npx kusanya reports unmatched`
