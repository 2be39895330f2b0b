import type { Command } from 'commander'
import {
  addConnectionAction,
  changeConnectionAction,
  testConnectionAction,
} from '../../../actions/connection-actions.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { type NewConnection, type ProposedChange, prepareConnectionChange } from '../../../connections/changes.ts'
import { type ConnectionRow, getConnection, type TestResult } from '../../../core/connections/connections.ts'
import type { ConnectionKind } from '../../../drivers/contract.ts'
import { secretNames, settingFields } from '../../../drivers/settings.ts'
import { chooseOrganizations, jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { filter } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { chooseDriver, connectionContext, isGood, printTest, readView, tryConnection } from './context.ts'
import { collectPairs, readValues, type ValueOptions, valueOptions } from './values.ts'

interface LimitOptions {
  priority?: number
  maxConcurrent?: number
  maxPerSecond?: number
  host?: Record<string, string>
  allowNetworks?: string
}

interface AddOptions extends ValueOptions, LimitOptions {
  slug: string
  environment: string
  organization?: number
  provision?: true
  test: boolean
  json?: boolean
}

interface ChangeOptions extends ValueOptions, LimitOptions {
  force?: true
  reason?: string
  json?: boolean
}

/** The commands that store settings and secrets: `add`, `set` and `rotate`. */
export function addSettingCommands(connections: Command, terminal: Terminal): void {
  const add = connections
    .command('add')
    .description('add a merchant account at a network, as a draft, and test it')
    .argument('<driver>', 'the network, as `connections drivers` lists it')
    .requiredOption('--slug <slug>', 'its permanent name here, such as mtn-uganda')
    .requiredOption('--environment <name>', 'the environment of the network, such as production')
    .option('-o, --organization <id>', 'whose merchant account it is; without it, it is yours as the operator', toCount)
  for (const option of [...valueOptions(), ...limitOptions()]) add.addOption(option)
  add
    .option('--provision', 'let the test environment of the network make the credentials')
    .option('--no-test', 'only store it')
    .addOption(jsonOption())
    .addHelpText('after', ADD_EXAMPLES)
    .action((driver: string, options: AddOptions) => withApp(terminal, (app) => addOne(terminal, app, driver, options)))

  const set = connections
    .command('set')
    .description('change settings, hosts, limits or the priority of a connection')
    .argument('<slug>')
  for (const option of [...valueOptions(), ...limitOptions(), ...forceOptions()]) set.addOption(option)
  set
    .addOption(jsonOption())
    .addHelpText('after', SET_EXAMPLES)
    .action((slug: string, options: ChangeOptions) =>
      withApp(terminal, async (app) =>
        change(terminal, app, slug, await readChange(terminal, app, slug, options), options),
      ),
    )

  const rotate = connections
    .command('rotate')
    .description('replace secrets of a connection: typed at the prompts, or read with --secrets-stdin')
    .argument('<slug>')
  for (const option of [valueOptions()[2]!, ...forceOptions()]) rotate.addOption(option)
  rotate.addOption(jsonOption()).action((slug: string, options: ChangeOptions) =>
    withApp(terminal, async (app) => {
      const driver = chooseDriver(app, (await getConnection(app.db, slug)).driver)
      const values = await readValues(terminal, driver, options, 'all')
      if (Object.keys(values).length === 0)
        throw new CommandError('No secret was given. Type it in a terminal, or use --secrets-stdin.')
      const others = Object.keys(values).filter((name) => !secretNames(driver).includes(name))
      if (others.length > 0)
        throw new CommandError(`${others.join(', ')} is not a secret. \`npx kusanya connections set\` changes it.`)
      await change(terminal, app, slug, { values }, options)
    }),
  )
}

function limitOptions() {
  return [
    filter('--host <name=url>', 'a base URL that replaces the one of the environment; may be repeated', collectPairs),
    filter(
      '--allow-networks <list>',
      'networks that the connection of an organization may call besides public addresses, such as 10.1.0.0/16; "" for none',
    ),
    filter('--priority <number>', 'the smallest number is preferred; 100 unless given', toCount),
    filter('--max-concurrent <count>', 'how many calls may run at the same time; 50 unless given', toCount),
    filter('--max-per-second <count>', 'how many calls may begin in a second; 100 unless given', toCount),
  ]
}

function forceOptions() {
  return [
    filter('--force', 'change an active connection although the new settings fail their test; needs --reason'),
    filter('--reason <text>', 'why; the audit log keeps it'),
  ]
}

async function addOne(terminal: Terminal, app: App, code: string, options: AddOptions): Promise<void> {
  const driver = chooseDriver(app, code)
  if (options.organization !== undefined) await chooseOrganizations(app.db, options.organization)
  const given = await readValues(terminal, driver, options, options.provision ? 'none' : 'missing')
  const { slug, environment } = options
  const hosts = options.host ?? {}
  const made = options.provision ? await provision(app, { slug, driver: code, environment, hosts, values: given }) : {}
  const input: NewConnection = {
    ...{ slug, driver: code, environment, organization: options.organization ?? null, hosts },
    values: { ...given, ...made },
    ...toLimits(options),
  }
  const row = await runAction(app, operator(null), addConnectionAction, { connection: input })
  const test = options.test ? await tryAndRecord(app, row) : null
  if (options.json) return printResult(terminal, await readView(app, slug), { ...options, text: '' })
  terminal.print(`Added the connection ${slug} to ${driver.name} (${environment}) as a draft.`)
  if (test) printTest(terminal, test)
  const next =
    test && !isGood(test)
      ? [
          `  npx kusanya connections rotate ${slug}                    other secrets`,
          `  npx kusanya connections set ${slug} --set name=value      other settings`,
          `  npx kusanya connections test ${slug}                      try again`,
        ]
      : [...stepsOf(app.providers.kindOf(code)!, slug), `  npx kusanya connections resume ${slug}   put it into use`]
  terminal.print(['Next steps:', ...next].join('\n'))
}

/** Return the steps that a new connection of this kind needs before use. */
function stepsOf(kind: ConnectionKind, slug: string): string[] {
  if (kind === 'sms')
    return [
      `  npx kusanya sms routes set ${slug} --country <code> --price <price> --currency <code>   what it carries, and for how much`,
    ]
  if (kind === 'bills')
    return [
      '  npx kusanya bills sync                     read what the provider sells',
      '  npx kusanya bills differences list         decide what of it becomes an offer',
    ]
  return [`  npx kusanya connections places add ${slug} <account> <number>   which account uses it, under which till`]
}

/** Let the network make credentials in its test environment. @throws CommandError */
export async function provision(
  app: App,
  proposed: Pick<NewConnection, 'slug' | 'driver' | 'environment' | 'hosts' | 'values'>,
): Promise<Record<string, unknown>> {
  const { values: settings, ...row } = proposed
  const made = await app.providers
    .provision({
      ...{ ...row, settings, organization: null, state: 'draft', priority: 100, places: [] },
      ...{ max_concurrent: 50, max_per_second: 100 },
      callback_secret: '0'.repeat(48),
    })
    .catch((error: Error) => ({ outcome: 'failed' as const, message: error.message }))
  if (made.outcome !== 'provisioned') throw new CommandError(`No credentials were made: ${made.message}`)
  return made.settings
}

/** Test a connection and store the results. */
export async function tryAndRecord(app: App, row: ConnectionRow, more: TestResult[] = []): Promise<TestResult[]> {
  const results = [...(await tryConnection(app, row)), ...more]
  await runAction(app, operator(null), testConnectionAction, { row, results })
  return results
}

async function readChange(terminal: Terminal, app: App, slug: string, options: ChangeOptions): Promise<ProposedChange> {
  const driver = chooseDriver(app, (await getConnection(app.db, slug)).driver)
  const values = await readValues(terminal, driver, options, 'none')
  return {
    ...toLimits(options),
    ...(Object.keys(values).length > 0 && { values }),
    ...(options.host && { hosts: options.host }),
  }
}

/** Change a connection. New settings of an active one are tested first, so that a mistake does not stop payments. */
export async function change(
  terminal: Terminal,
  app: App,
  slug: string,
  proposed: ProposedChange,
  options: ChangeOptions,
): Promise<void> {
  if (Object.keys(proposed).length === 0)
    throw new CommandError('Nothing to change was given; --help lists what can be.')
  if (options.force && !options.reason) throw new CommandError('--force needs --reason: the audit log keeps it.')
  const prepared = await prepareConnectionChange(app.db, connectionContext(app), slug, proposed)
  const { before } = prepared
  const reaches_network = proposed.values !== undefined || proposed.hosts !== undefined
  const test =
    before.state === 'active' && reaches_network ? await tryConnection(app, { ...before, ...prepared.change }) : null
  if (test && !isGood(test) && !options.force) {
    for (const { name, outcome, message } of test)
      if (outcome === 'failed' || outcome === 'unknown') terminal.warn(`${name}: ${message}`)
    throw new CommandError(
      `Nothing was changed: ${slug} is active, and fails its test with these settings. --force --reason changes it all the same.`,
    )
  }
  const hosts = Object.entries(proposed.hosts ?? {}).map(([name, url]) => `${name}=${url}`)
  const changed = { ...splitNames(app, before, proposed.values), hosts, ...toLimits(options) }
  await runAction(app, operator(null), changeConnectionAction, { prepared, test, changed, reason: options.reason })
  if (test && !options.json) printTest(terminal, test)
  const view = await readView(app, slug)
  const next =
    view.state === 'active' || !reaches_network ? '' : ` \`npx kusanya connections test ${slug}\` tries it with them.`
  printResult(terminal, view, { ...options, text: `Changed the connection ${slug}.${next}` })
}

function toLimits({ priority, maxConcurrent, maxPerSecond, allowNetworks }: LimitOptions) {
  return {
    ...(allowNetworks !== undefined && { allowed_networks: allowNetworks }),
    ...(priority !== undefined && { priority }),
    ...(maxConcurrent !== undefined && { max_concurrent: maxConcurrent }),
    ...(maxPerSecond !== undefined && { max_per_second: maxPerSecond }),
  }
}

/** The names of the settings and secrets among these values, for the audit log. */
function splitNames(app: App, row: ConnectionRow, values: Record<string, unknown> = {}) {
  const fields = settingFields(chooseDriver(app, row.driver)).filter(({ name }) => values[name] !== undefined)
  return {
    settings: fields.filter(({ secret }) => !secret).map(({ name }) => name),
    secrets: fields.filter(({ secret }) => secret).map(({ name }) => name),
  }
}

const ADD_EXAMPLES = `
Secrets are never given on the command line: they are typed at prompts, or read with --secrets-stdin.

Examples:
  $ npx kusanya connections add mtn-momo --slug mtn-uganda --environment production --settings mtn.json
  $ npx kusanya connections add mtn-momo --slug mtn-test --environment sandbox --provision --secrets-stdin < keys
  $ npx kusanya connections add daraja --slug till-kenya --environment production --organization 2 \\
      --set short_code=600000 --secrets-stdin < secrets.env`

const SET_EXAMPLES = `
Examples:
  $ npx kusanya connections set mtn-uganda --priority 10
  $ npx kusanya connections set mtn-uganda --host api=https://proxy.example.com
  $ npx kusanya connections set mtn-uganda --host api=               the host of the environment again
  $ npx kusanya connections set shop-sms --allow-networks 10.1.2.3   an SMS gateway inside the network`
