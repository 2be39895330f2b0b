import type { Command } from 'commander'
import {
  addConnectionAction,
  changeConnectionAction,
  testConnectionAction,
} from '../../../actions/connection-actions.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { type NewConnection, type ProposedChange, prepareConnectionChange } from '../../../connections/changes.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { type ConnectionRow, getConnection, type TestResult } from '../../../core/connections/connections.ts'
import type { ConnectionKind } from '../../../drivers/contract.ts'
import { secretNames, settingFields } from '../../../drivers/settings.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, required, typed } from '../../typed.ts'
import { chooseDriver, connectionContext, describeTest, isGood, readView, tryConnection } from './context.ts'
import { collectPairs, readValues, VALUES } from './values.ts'

const LIMITS = {
  host: typed(
    '--host <name=url>',
    'a base URL that replaces the one of the environment; may be repeated',
    collectPairs,
  ),
  allowed_networks: typed(
    '--allow-networks <list>',
    'networks that the connection of an organization may call besides public addresses, such as 10.1.0.0/16; "" for none',
  ),
  priority: typed('--priority <number>', 'the smallest number is preferred; 100 unless given', toCount),
  max_concurrent: typed(
    '--max-concurrent <count>',
    'how many calls may run at the same time; 50 unless given',
    toCount,
  ),
  max_per_second: typed('--max-per-second <count>', 'how many calls may begin in a second; 100 unless given', toCount),
}
type LimitOptions = Partial<Given<typeof LIMITS>>

const FORCE = {
  force: typed('--force', 'change an active connection although the new settings fail their test; needs --reason'),
  reason: typed('--reason <text>', 'why; the audit log keeps it'),
}
type ForceOptions = Partial<Given<typeof FORCE>>

/** The commands that store settings and secrets: `add`, `set` and `rotate`. */
export function addSettingCommands(connections: Command, terminal: Terminal): void {
  addCommand(connections, terminal, {
    name: 'add',
    description: 'add a merchant account at a network, as a draft, and test it',
    typed: ADD,
    help: ADD_EXAMPLES,
    run: addOne,
  })
  addCommand(connections, terminal, {
    name: 'set',
    description: 'change settings, hosts, limits or the priority of a connection',
    typed: { slug: typed('<slug>', ''), ...VALUES, ...LIMITS, ...FORCE },
    help: SET_EXAMPLES,
    async run(app, { slug, ...options }) {
      const driver = chooseDriver(app, (await getConnection(app.db, slug)).driver)
      const values = await readValues(terminal, driver, options, 'none')
      const proposed = {
        ...limitsOf(options),
        ...(Object.keys(values).length > 0 && { values }),
        ...(options.host && { hosts: options.host }),
      }
      return change(app, slug, proposed, options, terminal)
    },
  })
  addCommand(connections, terminal, {
    name: 'rotate',
    description: 'replace secrets of a connection: typed at the prompts, or read with --secrets-stdin',
    typed: { slug: typed('<slug>', ''), secrets_stdin: VALUES.secrets_stdin, ...FORCE },
    async run(app, { slug, ...options }) {
      const driver = chooseDriver(app, (await getConnection(app.db, slug)).driver)
      const values = await readValues(terminal, driver, options, 'all')
      if (Object.keys(values).length === 0)
        throw new CommandError('No secret was given. Type it in a terminal, or use --secrets-stdin.')
      const others = Object.keys(values).filter((name) => !secretNames(driver).includes(name))
      if (others.length > 0)
        throw new CommandError(`${others.join(', ')} is not a secret. \`npx kusanya connections set\` changes it.`)
      return change(app, slug, { values }, options, terminal)
    },
  })
}

const ADD = {
  code: typed('<driver>', 'the network, as `connections drivers` lists it'),
  slug: required(typed('--slug <slug>', 'its permanent name here, such as mtn-uganda')),
  environment: required(typed('--environment <name>', 'the environment of the network, such as production')),
  organization: typed(
    '-o, --organization <id>',
    'whose merchant account it is; without it, it is yours as the operator',
    toCount,
  ),
  ...VALUES,
  ...LIMITS,
  provision: typed('--provision', 'let the test environment of the network make the credentials'),
  test: typed('--no-test', 'only store it'),
}

async function addOne(app: App, options: Given<typeof ADD>, { actor, terminal }: Call<unknown>): Promise<Told> {
  const { code, slug, environment, organization = null, host: hosts = {} } = options
  const driver = chooseDriver(app, code)
  if (organization !== null) await getOrganization(app.db, organization)
  const given = await readValues(terminal, driver, options, options.provision ? 'none' : 'missing')
  const made = options.provision ? await provision(app, { slug, driver: code, environment, hosts, values: given }) : {}
  const named = { slug, driver: code, environment, organization, hosts }
  const connection: NewConnection = { ...named, values: { ...given, ...made }, ...limitsOf(options) }
  const row = await runAction(app, actor, addConnectionAction, { connection })
  const test = options.test ? await tryAndRecord(app, row) : null
  const next =
    test && !isGood(test)
      ? [
          `  npx kusanya connections rotate ${slug}                    other secrets`,
          `  npx kusanya connections set ${slug} --set name=value      other settings`,
          `  npx kusanya connections test ${slug}                      try again`,
        ]
      : [...stepsOf(app.providers.kindOf(code)!, slug), `  npx kusanya connections resume ${slug}   put it into use`]
  const text = [
    `Added the connection ${slug} to ${driver.name} (${environment}) as a draft.`,
    ...(test ? describeTest(terminal, test) : []),
    'Next steps:',
    ...next,
  ]
  return { shown: await readView(app, slug), text }
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
      ...row,
      settings,
      organization: null,
      state: 'draft',
      priority: 100,
      places: [],
      max_concurrent: 50,
      max_per_second: 100,
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

/** Change a connection. New settings of an active one are tested first, so that a mistake does not stop payments. */
export async function change(
  app: App,
  slug: string,
  proposed: ProposedChange,
  { force, reason }: ForceOptions,
  terminal: Terminal,
): Promise<Told & { text: string[] }> {
  if (Object.keys(proposed).length === 0)
    throw new CommandError('Nothing to change was given; --help lists what can be.')
  if (force && !reason) throw new CommandError('--force needs --reason: the audit log keeps it.')
  const prepared = await prepareConnectionChange(app.db, connectionContext(app), slug, proposed)
  const { before } = prepared
  const reaches_network = proposed.values !== undefined || proposed.hosts !== undefined
  const test =
    before.state === 'active' && reaches_network ? await tryConnection(app, { ...before, ...prepared.change }) : null
  if (test && !isGood(test) && !force) {
    for (const { name, outcome, message } of test)
      if (outcome === 'failed' || outcome === 'unknown') terminal.warn(`${name}: ${message}`)
    throw new CommandError(
      `Nothing was changed: ${slug} is active, and fails its test with these settings. --force --reason changes it all the same.`,
    )
  }
  const { values, hosts: urls = {}, ...limits } = proposed
  const hosts = Object.entries(urls).map(([name, url]) => `${name}=${url}`)
  const changed = { ...splitNames(app, before, values), hosts, ...limits }
  await runAction(app, operator(null), changeConnectionAction, { prepared, test, changed, reason })
  const view = await readView(app, slug)
  const next =
    view.state === 'active' || !reaches_network ? '' : ` \`npx kusanya connections test ${slug}\` tries it with them.`
  const text = [...(test ? describeTest(terminal, test) : []), `Changed the connection ${slug}.${next}`]
  return { shown: view, text }
}

/** Return the limits that are named. */
function limitsOf({ allowed_networks, priority, max_concurrent, max_per_second }: LimitOptions) {
  return {
    ...(allowed_networks !== undefined && { allowed_networks }),
    ...(priority !== undefined && { priority }),
    ...(max_concurrent !== undefined && { max_concurrent }),
    ...(max_per_second !== undefined && { max_per_second }),
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
