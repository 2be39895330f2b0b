import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
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
import { placesOf, viewConnection } from '../../../connections/view.ts'
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
import { settingFields } from '../../../drivers/settings.ts'
import { addActionCommand } from '../../action-command.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { addSettingCommands } from './add.ts'
import { addChecklist } from './checklist.ts'
import { describeTest, isGood, readView } from './context.ts'
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
  addCommand(connections, terminal, {
    name: 'show',
    description: 'show a connection; of its secrets only whether they are set',
    typed: { slug: typed('<slug>', 'as `connections list` shows it') },
    async run(app, { slug }) {
      const view = await readView(app, slug)
      return { shown: view, text: [...describeView(view), ...describeFloats(await listFloats(app.db, slug))] }
    },
  })
  addSettingCommands(connections, terminal)
  addTest(connections, terminal)
  addStates(connections, terminal)
  addPlaces(connections, terminal)
  addFloats(connections, terminal)
  addCallbackAddresses(connections, terminal)
  addChecklist(connections, terminal)
}

function addDrivers(connections: Command, terminal: Terminal): void {
  addList(connections, terminal, {
    name: 'drivers',
    description: 'list the providers that can be connected: networks, SMS, bills; with one of them, its settings',
    typed: { code: typed('[driver]', 'the code of one') },
    help: '\nExample:\n  $ npx kusanya connections drivers daraja --json',
    async read({ providers }, { code }) {
      const found = providers.drivers.filter((driver) => code === undefined || driver.code === code)
      if (found.length === 0) throw new CommandError(`There is no driver ${code}.`)
      return found.map((driver) => ({
        kind: providers.kindOf(driver.code)!,
        code: driver.code,
        name: driver.name,
        environments: Object.keys(driver.environments),
        countries: placesOf(driver).countries,
        settings: settingFields(driver),
      }))
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

function addConnectionList(connections: Command, terminal: Terminal): void {
  addList(connections, terminal, {
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
  addCommand(connections, terminal, {
    name: 'callbacks',
    description: 'show the address to register at the network, or register it',
    typed: {
      slug: typed('<slug>', ''),
      register: typed('--register', 'register it, where the network lets programs do that'),
    },
    help: CALLBACK_NOTES,
    run: tellCallbacks,
  })
}

async function tellCallbacks(
  app: App,
  { slug, register }: { slug: string; register: true | undefined },
  { actor, terminal }: Call<unknown>,
): Promise<Told> {
  const row = await findRow(app, app.db, slug)
  requireOwnRow(row)
  const address = callbackAddress({ base_url: app.address.url, cell: app.config.CELL }, row)
  const warning = app.config.PUBLIC_URL
    ? null
    : 'PUBLIC_URL is not set, so this is the address on this machine, which no network reaches.'
  await runAction(app, actor, showCallbackAddressAction, { slug })
  if (!register) {
    const driver = app.providers.drivers.find(({ code }) => code === row.driver)
    const addresses = registeredAddresses(address, driver)
    const text = [...describeAddresses(address, addresses), ...(warning ? [warning] : [])]
    return { shown: { slug, address, addresses, warning }, text }
  }
  const connection = app.providers.find(slug)
  if (!connection?.operations.setUp)
    throw new CommandError(`Register the address by hand: ${connection?.name ?? slug} offers no way for programs.`)
  const results = await registerAddresses(app, connection)
  await runAction(app, actor, registerCallbackAddressAction, { slug })
  const open = results.filter((result) => !isGood([result])).map(({ name }) => name)
  const fault = open.length > 0 && `Not registered: ${open.join(', ')}.`
  return { shown: { slug, address, results }, text: describeTest(terminal, results), fault }
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
