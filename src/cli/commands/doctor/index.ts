import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { WrongSetting } from '../../../config.ts'
import { isConnectionError } from '../../../db/failures.ts'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { type Check, type CheckResult, error, type Finding, makeCheck } from './check.ts'
import { allChecks, checkNames } from './checks.ts'

interface DoctorOptions {
  json?: boolean
  only?: string[]
}

/** Finding in the form of `--json`. `not_made`: the check could not be made. */
type JsonFinding = { check: string; name: string } & (Finding | { level: 'not_made'; finding: string })

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check the installation and the data, and say what to do about each finding')
    .addOption(new Option('--only <check...>', 'make only these checks').choices(checkNames))
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((options: DoctorOptions) => examine(terminal, options))
}

async function examine(terminal: Terminal, options: DoctorOptions): Promise<void> {
  const checks = allChecks.filter(({ name }) => !options.only || options.only.includes(name))
  const report = createReport(terminal, options)
  try {
    await withApp(terminal, (app) => makeChecks(app, checks, report.add), {
      migrated: true,
      any_database: true,
      any_secret_key: true,
    })
  } catch (reason) {
    reportUnopened(checks, reason, report.add)
  }
  report.end()
}

type Add = (check: Pick<Check, 'name' | 'title'>, result: CheckResult) => void

async function makeChecks(app: App, checks: readonly Check[], add: Add): Promise<void> {
  // Run one after the other: some read much, and the service may need the database meanwhile.
  for (const check of checks) add(check, await makeCheck(check, app))
}

/** Say why no check could be made: a wrong setting, or a database that cannot be reached. @throws any other error */
function reportUnopened(checks: readonly Check[], reason: unknown, add: Add): void {
  const is_setting = reason instanceof WrongSetting
  if (!is_setting && !isConnectionError(reason)) throw reason
  const message = (reason as Error).message.split('\n')[0]!
  const finding = is_setting
    ? error(message, 'Correct this setting; `npx kusanya describe settings` has them all.')
    : error(
        `The database cannot be reached (DATABASE_URL): ${message}`,
        'Start PostgreSQL, and check its address, its log and its disk.',
      )
  const at_fault = is_setting ? 'settings' : 'database'
  add(allChecks.find(({ name }) => name === at_fault)!, { findings: [finding] })
  for (const check of checks)
    if (check.name !== at_fault)
      add(check, { not_made: is_setting ? 'The settings are wrong.' : 'There is no database.' })
}

function createReport(terminal: Terminal, { json }: DoctorOptions) {
  const found: JsonFinding[] = []
  const add: Add = ({ name, title }, result) => {
    const listed = 'findings' in result ? result.findings : [{ level: 'not_made' as const, finding: result.not_made }]
    found.push(...listed.map((finding) => ({ check: title, name, ...finding })))
    if (!json) for (const line of describe(terminal, title, result)) terminal.print(line)
  }
  const end = () => {
    if (json) terminal.print(JSON.stringify(found, null, 2))
    const count = (level: JsonFinding['level']) => found.filter((one) => one.level === level).length
    const said = [
      count('error') > 0 && (count('error') === 1 ? 'One thing is wrong.' : `${count('error')} things are wrong.`),
      count('not_made') > 0 &&
        (count('not_made') === 1 ? 'One check could not be made.' : `${count('not_made')} checks could not be made.`),
    ].filter((text) => typeof text === 'string')
    if (said.length > 0) throw new CommandError(said.join(' '))
  }
  return { add, end }
}

function describe(terminal: Terminal, title: string, result: CheckResult): string[] {
  if ('not_made' in result)
    return [`${terminal.bad('?')} ${title}`, `    This check could not be made. ${result.not_made}`]
  const errors = result.findings.filter(({ level }) => level === 'error')
  const others = result.findings.filter(({ level }) => level !== 'error')
  return [
    ...(result.findings.length === 0 ? [`${terminal.good('✓')} ${title}`] : []),
    ...(errors.length > 0 ? [`${terminal.bad('✗')} ${title}`] : []),
    ...errors.flatMap((one) => [`    ${one.finding}`, ...advice(one)]),
    ...others.flatMap((one) => [`${terminal.strong(one.level === 'note' ? '?' : '!')} ${one.finding}`, ...advice(one)]),
  ]
}

function advice({ what_to_do }: Finding): string[] {
  return what_to_do === undefined ? [] : [`    → ${what_to_do}`]
}

const NOTES = `
It only reads, and works while the service runs. ✗ is wrong and needs a person, ! should be repaired, ? could not be
checked. The exit code is 0 when nothing needs a person, and 1 when something is wrong or a check could not be made. The
service checks the data every night as well: it logs what it finds with the event consistency_check_failed and counts it
in the metric kusanya_consistency_findings. Examples:
  npx kusanya doctor --only certificates connections
  npx kusanya doctor --json`
