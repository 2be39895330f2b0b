import type { Command } from 'commander'
import { readPeriod } from '../../actions/report-period.ts'
import type { App } from '../../app.ts'
import type { Organization } from '../../core/access/organizations.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { ageingTable, readAgeing } from '../../core/books/receivables/ageing.ts'
import { readUnmatched, unmatchedTable } from '../../core/books/receivables/unmatched.ts'
import { type ReportKind, reportGroups, reportKinds } from '../../core/books/report-kinds.ts'
import { readReport, reportPeriod, reportTable } from '../../core/books/reports.ts'
import { readTableHeading } from '../../core/checkout/letterhead.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { toCount } from '../arguments.ts'
import { addCommand, type Call, type Told } from '../command.ts'
import { CommandError } from '../errors.ts'
import { languageOption, PERIOD, TABLE_FILE, writeTable } from '../table-output.ts'
import type { Terminal } from '../terminal.ts'
import { chosen, type Given, preset, typed } from '../typed.ts'

const todayKinds = ['ageing', 'unmatched'] as const
type TodayKind = (typeof todayKinds)[number]
const isToday = (kind: ReportKind | TodayKind): kind is TodayKind => todayKinds.some((one) => one === kind)

const REPORT = {
  kind: chosen('<kind>', 'what to add up; ageing: open amounts of customers; unmatched: unmatched money', [
    ...reportKinds,
    ...todayKinds,
  ]),
  target: TABLE_FILE,
  by: preset(chosen('--by <group>', 'a line for each', reportGroups), 'day'),
  ...PERIOD,
  account: typed('--account <id>', 'only this wallet', toCount),
  network: typed('--network <code>', 'only this network'),
  connection: typed('--connection <slug>', 'only this connection'),
  currency: typed('--currency <code>', 'only this currency'),
  tag: typed('--tag <tag>', 'only customers with this tag, of ageing'),
  language: languageOption(),
}
type Options = Given<typeof REPORT>

/** The reports of the console: sums of the ledger, and those about customers. */
export function addReports(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    name: 'reports',
    description: 'add up the ledger of an organization, as the reports of the console do',
    typed: REPORT,
    organization: 'one',
    help: EXAMPLES,
    run(app, { kind, ...options }, call) {
      return isToday(kind) ? tellTodayReport(app, kind, options, call) : tellReport(app, kind, options, call)
    },
  })
}

type ReportCall = Call<Organization>

/**
 * Tell a report of today about customers: open amounts by age, or money that is for nothing yet.
 * @throws CommandError for an option that it does not have
 */
async function tellTodayReport(
  app: App,
  kind: TodayKind,
  { target, currency, tag, language, by: _, ...others }: Omit<Options, 'kind'>,
  { owner, terminal, json }: ReportCall,
): Promise<Told | undefined> {
  const wrong = Object.entries({ ...others, ...(kind === 'unmatched' && { tag }) }).find(([, value]) => value)
  if (wrong) throw new CommandError(`The report ${kind} has no --${wrong[0]}. It is one of today.`)
  const { id: organization } = owner
  const now = app.clock.now()
  const { time_zone: zone } = await readPlaceOf(app.db, organization)
  const query = { organization, zone, day: dayIn(now, zone), currency }
  const db = app.reads.exports
  if (json && !target) {
    const report = kind === 'ageing' ? readAgeing(db, { ...query, tag }, ALL_ROWS) : readUnmatched(db, query, ALL_ROWS)
    return { shown: await report, text: '' }
  }
  const about = await readTableHeading(app.db, owner, now, language)
  const table = kind === 'ageing' ? ageingTable(db, { ...query, tag }, about) : unmatchedTable(db, query, about)
  await writeTable(terminal, await table, target)
  return target && { shown: { file: target.path }, text: `The report was written to ${target.path}.` }
}

const ALL_ROWS = { limit: 1_000_000, offset: 0 }

async function tellReport(
  app: App,
  kind: ReportKind,
  { target, from, to, tag, language, ...options }: Omit<Options, 'kind'>,
  { owner, terminal, json }: ReportCall,
): Promise<Told | undefined> {
  if (tag !== undefined) throw new CommandError('Only the report ageing has --tag.')
  const { id } = owner
  const { account } = options
  if (account !== undefined && (await findAccount(app.db, account))?.organization !== id)
    throw new CommandError(`There is no wallet ${account}.`)
  const query = { ...options, kind, period: reportPeriod(await readPeriod(app, id, { from, to })) }
  const report = await readReport(app.reads.exports, id, query)
  const { first_day, last_day, zone } = query.period
  if (!target && json) return { shown: { from: first_day, to: last_day, zone, ...report }, text: '' }
  const about = await readTableHeading(app.db, owner, app.clock.now(), language)
  await writeTable(terminal, reportTable(report, query, about), target)
  if (!target) return
  const text = `The report of ${first_day} to ${last_day} was written to ${target.path}.`
  return { shown: { file: target.path, from: first_day, to: last_day, rows: report.rows.length }, text }
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
