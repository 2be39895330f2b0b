import { Argument, type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { readPeriod } from '../../console/reports/period.ts'
import {
  type ReportGroup,
  type ReportKind,
  readReport,
  reportGroups,
  reportKinds,
  reportPeriod,
  reportTable,
} from '../../core/books/reports.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import { TABLE_FILE, type TableTarget, toDay, toTableTarget, writeTable } from '../table-output.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  by: ReportGroup
  from?: string
  to?: string
  account?: number
  network?: string
  connection?: string
  currency?: string
  organization?: number
  json?: boolean
}

/** The reports of the console: sums of the ledger. */
export function addReports(program: Command, terminal: Terminal): void {
  program
    .command('reports')
    .description('add up the ledger of an organization, as the reports of the console do')
    .addArgument(new Argument('<kind>', 'what to add up').choices(reportKinds))
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
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((kind: ReportKind, target: TableTarget | undefined, options: Options) =>
      withApp(terminal, (app) => printReport(terminal, app, kind, target, options)),
    )
}

async function printReport(
  terminal: Terminal,
  app: App,
  kind: ReportKind,
  target: TableTarget | undefined,
  { from, to, json, organization: chosen, ...options }: Options,
): Promise<void> {
  const { id, name: organization } = await chooseOrganization(app.db, chosen)
  const { account } = options
  if (account !== undefined && (await findAccount(app.db, account))?.organization !== id)
    throw new CommandError(`There is no wallet ${account}.`)
  const query = { ...options, kind, period: reportPeriod(await readPeriod(app, id, { from, to })) }
  const report = await readReport(app.reads.exports, id, query)
  const { first_day, last_day, zone } = query.period
  if (!target && json)
    return printResult(terminal, { from: first_day, to: last_day, zone, ...report }, { json, text: '' })
  await writeTable(terminal, reportTable(report, query, { organization, now: app.clock.now() }), target)
  if (!target) return
  const text = `The report of ${first_day} to ${last_day} was written to ${target.path}.`
  printResult(terminal, { file: target.path, from: first_day, to: last_day, rows: report.rows.length }, { json, text })
}

const EXAMPLES = `
Examples:
  $ npx kusanya reports collections
  $ npx kusanya reports collections 2030-01.xlsx --by network --from 2030-01-01 --to 2030-01-31
  $ npx kusanya reports fees fees.pdf --by account --from 2030-01-01 --to 2030-01-31
  $ npx kusanya reports settlements --by connection --json`
