import { Argument, type Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import {
  callbackAddress,
  type RegisteredAddress,
  registeredAddresses,
  requireOwnRow,
} from '../../../connections/changes.ts'
import { requireAllowed } from '../../../connections/operate.ts'
import { findRow, rowsOfSettings } from '../../../connections/settings-rows.ts'
import { registerAddresses } from '../../../connections/test-connection.ts'
import { type ConnectionView, placesOf, viewConnection } from '../../../connections/view.ts'
import {
  pauseConnectionAction,
  registerCallbackAddressAction,
  removeConnectionAction,
  resumeConnectionAction,
  showCallbackAddressAction,
} from '../../../core/connections/actions.ts'
import { readConnectionHealth } from '../../../core/connections/connection-health.ts'
import { getConnection, listConnections } from '../../../core/connections/connections.ts'
import { listPlaces } from '../../../core/connections/places.ts'
import { listFloats } from '../../../core/ledger/balances.ts'
import type { AnyDriver, ConnectionKind } from '../../../drivers/contract.ts'
import { settingFields } from '../../../drivers/settings.ts'
import { addActionCommand } from '../../action-command.ts'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addSettingCommands } from './add.ts'
import { addChecklist } from './checklist.ts'
import { isGood, printTest, readView } from './context.ts'
import { describeFloats, describeView } from './describe.ts'
import { addFloats } from './floats.ts'
import { addPlaces } from './places.ts'
import { addTest } from './test.ts'

export function addConnections(program: Command, terminal: Terminal): void {
  const connections = program
    .command('connections')
    .description('accounts at mobile-money networks, SMS providers and bill providers')
    .addHelpText('after', EXAMPLES)

  addDrivers(connections, terminal)
  addConnectionList(connections, terminal)
  connections
    .command('show')
    .description('show a connection; of its secrets only whether they are set')
    .argument('<slug>', 'as `connections list` shows it')
    .addOption(jsonOption())
    .action((slug: string, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const view = await readView(app, slug)
        printResult(terminal, view, {
          ...options,
          text: [...describeView(view), ...describeFloats(await listFloats(app.db, slug))].join('\n'),
        })
      }),
    )
  addSettingCommands(connections, terminal)
  addTest(connections, terminal)
  addStates(connections, terminal)
  addPlaces(connections, terminal)
  addFloats(connections, terminal)
  addCallbackAddresses(connections, terminal)
  addChecklist(connections, terminal)
}

/** A driver as the list of drivers shows it. */
interface DriverRow {
  kind: ConnectionKind
  code: string
  name: string
  environments: string[]
  countries: string[]
  settings: { name: string; title: string; secret: boolean; required: boolean; help: string }[]
}

function addDrivers(connections: Command, terminal: Terminal): void {
  addList<DriverRow, { driver?: string }>(connections, terminal, {
    name: 'drivers',
    description: 'list the providers that can be connected: networks, SMS, bills; with one of them, its settings',
    arguments: [new Argument('[driver]', 'the code of one')],
    help: '\nExample:\n  $ npx kusanya connections drivers daraja --json',
    read: async (app, { driver }) => {
      const found = app.providers.drivers.filter(({ code }) => driver === undefined || code === driver)
      if (found.length === 0) throw new CommandError(`There is no driver ${driver}.`)
      return found.map((one) => toDriverRow(one, app.providers.kindOf(one.code)!))
    },
    none: 'There are no drivers.',
    columns: {
      driver: 'code',
      kind: 'kind',
      name: 'name',
      environments: (row) => row.environments.join(', '),
      countries: (row) => row.countries.join(', '),
      settings: (row) => row.settings.map(({ name, secret }) => (secret ? `${name} (secret)` : name)).join(', '),
    },
  })
}

function toDriverRow(driver: AnyDriver, kind: ConnectionKind): DriverRow {
  return {
    kind,
    code: driver.code,
    name: driver.name,
    environments: Object.keys(driver.environments),
    countries: placesOf(driver).countries,
    settings: settingFields(driver),
  }
}

function addConnectionList(connections: Command, terminal: Terminal): void {
  addList<ConnectionView>(connections, terminal, {
    description: 'list all connections',
    read: async (app) => {
      const [rows, places, health] = await Promise.all([
        listConnections(app.db),
        listPlaces(app.db),
        readConnectionHealth(app.db, app.clock.real()),
      ])
      const { drivers } = app.providers
      return [...rows, ...rowsOfSettings(app)].map((row) =>
        viewConnection(row, { drivers, sealingKeys: app.sealingKeys, places, health }),
      )
    },
    none: 'There are no connections yet. Add one with `npx kusanya connections add`.',
    columns: {
      slug: 'slug',
      kind: 'kind',
      provider: 'network',
      environment: 'environment',
      organization: (row) => row.organization ?? 'operator',
      state: 'state',
      from: (row) => (row.source === 'person' ? null : 'settings'),
      health: (row) => row.health?.state,
      priority: 'priority',
      accounts: (row) => row.places.length,
      'tested (UTC)': 'tested',
      test: (row) => row.last_test && (isGood(row.last_test) ? 'passed' : 'failed'),
    },
  })
}

/** The commands that change the state of a connection. */
function addStates(connections: Command, terminal: Terminal): void {
  addActionCommand(connections, terminal, pauseConnectionAction)
  addActionCommand(connections, terminal, resumeConnectionAction, {
    async read(app, input) {
      if (input.force && !input.reason) throw new CommandError('--force needs --reason: the audit log keeps it.')
      requireAllowed(app, await readView(app, input.slug!))
      return input
    },
  })
  addActionCommand(connections, terminal, removeConnectionAction, {
    async read(app, input) {
      requireOwnRow(await getConnection(app.db, input.slug!))
      return input
    },
  })
}

function addCallbackAddresses(connections: Command, terminal: Terminal): void {
  connections
    .command('callbacks')
    .description('show the address to register at the network, or register it')
    .argument('<slug>')
    .option('--register', 'register it, where the network lets programs do that')
    .addOption(jsonOption())
    .addHelpText('after', CALLBACK_NOTES)
    .action((slug: string, options: { register?: true; json?: boolean }) =>
      withApp(terminal, (app) => showCallbacks(terminal, app, slug, options)),
    )
}

async function showCallbacks(
  terminal: Terminal,
  app: App,
  slug: string,
  options: { register?: true; json?: boolean },
): Promise<void> {
  const row = await findRow(app, app.db, slug)
  requireOwnRow(row)
  const address = callbackAddress({ base_url: app.address.url, cell: app.config.CELL }, row)
  const warning = app.config.PUBLIC_URL
    ? null
    : 'PUBLIC_URL is not set, so this is the address on this machine, which no network reaches.'
  await runAction(app, operator(null), showCallbackAddressAction, { slug })
  if (!options.register) {
    const driver = app.providers.drivers.find(({ code }) => code === row.driver)
    const addresses = registeredAddresses(address, driver)
    const text = [...describeAddresses(address, addresses), ...(warning ? [warning] : [])].join('\n')
    return printResult(terminal, { slug, address, addresses, warning }, { ...options, text })
  }
  const connection = app.providers.find(slug)
  if (!connection?.operations.setUp)
    throw new CommandError(`Register the address by hand: ${connection?.name ?? slug} offers no way for programs.`)
  const results = await registerAddresses(app, connection)
  await runAction(app, operator(null), registerCallbackAddressAction, { slug })
  if (options.json) printResult(terminal, { slug, address, results }, { json: true, text: '' })
  else printTest(terminal, results)
  const open = results.filter((result) => !isGood([result])).map(({ name }) => name)
  if (open.length > 0) throw new CommandError(`Not registered: ${open.join(', ')}.`)
}

function describeAddresses(address: string, addresses: readonly RegisteredAddress[]): string[] {
  if (addresses.length === 0) return [address, 'Orders carry their own addresses below it.']
  const width = Math.max(...addresses.map(({ name }) => name.length)) + 2
  return ['Register each of these:', ...addresses.map((one) => one.name.padEnd(width) + one.address)]
}

const EXAMPLES = `
A connection begins as a draft. Test it, say which accounts use it, and resume it:
  $ npx kusanya connections drivers
  $ npx kusanya connections add mtn-momo --slug mtn-uganda --environment production --settings mtn.json
  $ npx kusanya connections test mtn-uganda --phone +256772000001
  $ npx kusanya connections places add mtn-uganda 5 256772000000
  $ npx kusanya connections resume mtn-uganda
  $ npx kusanya connections checklist
docs/connections.md explains them.`

const CALLBACK_NOTES = `
The last part of the address is known only to the network. Who knows it can make the service ask the network about orders,
but never credit money.`
