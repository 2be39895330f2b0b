import { Argument, type Command } from 'commander'
import type { App } from '../../../app.ts'
import { getConnection } from '../../../core/connections/connections.ts'
import {
  addPlace,
  type ConnectionPlace,
  changePlace,
  getPlace,
  listPlaces,
  type PlaceChange,
  removePlace,
} from '../../../core/connections/places.ts'
import { begin } from '../../../db/client.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter } from '../../list-command.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { connectionAction } from './context.ts'

interface PlaceOptions {
  number?: string
  country?: string
  collects?: 'yes' | 'no'
  paysOut?: 'yes' | 'no'
  unrequested?: 'yes' | 'no'
  json?: boolean
}

/** The commands that say which accounts use a connection, and under which number of ours. */
export function addPlaces(connections: Command, terminal: Terminal): void {
  const places = connections
    .command('places')
    .description('which accounts use a connection, and under which till or short code')

  addList<ConnectionPlace, { slug?: string }>(places, terminal, {
    description: 'list the places of one connection or of all',
    arguments: [new Argument('[slug]')],
    read: async (app, { slug }) => {
      if (slug !== undefined) await getConnection(app.db, slug)
      return listPlaces(app.db, slug)
    },
    none: 'There are no places yet. Add one with `npx kusanya connections places add`.',
    columns: {
      connection: 'connection',
      account: 'account',
      organization: 'organization',
      number: 'number',
      currency: 'currency',
      country: 'country',
      collects: (row) => yesNo(row.collects),
      'pays out': (row) => yesNo(row.pays_out),
      unrequested: (row) => yesNo(row.unrequested),
    },
  })

  addAdd(places, terminal)
  addSet(places, terminal)
  addRemove(places, terminal)
}

function addAdd(places: Command, terminal: Terminal): void {
  const add = places
    .command('add')
    .description('let an account use a connection')
    .argument('<slug>')
    .argument('<account>', 'as `accounts list` shows it', toCount)
    .argument('<number>', 'our till, short code or merchant number at the network')
  for (const option of optionsOfPlaces()) add.addOption(option)
  add
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((connection: string, account: number, number: string, options: PlaceOptions) =>
      withApp(terminal, async (app) => {
        await getConnection(app.db, connection)
        const change = toChange(options)
        const place = await begin(app.db, async (tx) => {
          const added = await addPlace(tx, { connection, account, number, ...change })
          await recordPlace(tx, app, 'add place of connection', added)
          return added
        })
        await app.providers.refresh()
        app.wake()
        const text = `The account ${account} now uses ${connection} under ${number} (${place.currency}).`
        printResult(terminal, place, { ...options, text })
      }),
    )
}

function addSet(places: Command, terminal: Terminal): void {
  const set = places
    .command('set')
    .description('change a place')
    .argument('<slug>')
    .argument('<account>', 'its id', toCount)
  for (const option of [filter('--number <number>', 'another till or short code'), ...optionsOfPlaces()])
    set.addOption(option)
  set.addOption(jsonOption()).action((connection: string, account: number, options: PlaceOptions) =>
    withApp(terminal, async (app) => {
      const change = toChange(options)
      if (Object.keys(change).length === 0)
        throw new CommandError('Nothing to change was given; --help lists what can be.')
      const place = await begin(app.db, async (tx) => {
        const before = await getPlace(tx, connection, account)
        const changed = await changePlace(tx, connection, account, change)
        await recordPlace(tx, app, 'change place of connection', changed, { before: before.number })
        return changed
      })
      await app.providers.refresh()
      app.wake()
      printResult(terminal, place, { ...options, text: `Changed how the account ${account} uses ${connection}.` })
    }),
  )
}

function addRemove(places: Command, terminal: Terminal): void {
  places
    .command('remove')
    .description('remove a connection from an account that has nothing open there')
    .argument('<slug>')
    .argument('<account>', 'its id', toCount)
    .addOption(jsonOption())
    .action((connection: string, account: number, options: PlaceOptions) =>
      withApp(terminal, async (app) => {
        const place = await begin(app.db, async (tx) => {
          const removed = await removePlace(tx, connection, account)
          await recordPlace(tx, app, 'remove place of connection', removed)
          return removed
        })
        await app.providers.refresh()
        printResult(terminal, place, { ...options, text: `The account ${account} no longer uses ${connection}.` })
      }),
    )
}

function optionsOfPlaces() {
  return [
    filter('--country <code>', 'the country that the number serves, such as UG; all unless given', (text) =>
      text.toUpperCase(),
    ),
    filter('--collects <yes or no>', 'whether the account collects here').choices(['yes', 'no']),
    filter('--pays-out <yes or no>', 'whether the account pays out from here').choices(['yes', 'no']),
    filter('--unrequested <yes or no>', 'whether it gets money that no order asked for').choices(['yes', 'no']),
  ]
}

function toChange({ number, country, collects, paysOut, unrequested }: PlaceOptions): PlaceChange {
  return {
    ...(number !== undefined && { number }),
    ...(country !== undefined && { country }),
    ...(collects && { collects: collects === 'yes' }),
    ...(paysOut && { pays_out: paysOut === 'yes' }),
    ...(unrequested && { unrequested: unrequested === 'yes' }),
  }
}

async function recordPlace(
  tx: Parameters<typeof addPlace>[0],
  app: App,
  action: string,
  place: ConnectionPlace,
  more: { before?: string } = {},
): Promise<void> {
  const row = await getConnection(tx, place.connection)
  const { account, number, currency, collects, pays_out, unrequested } = place
  const details = { account, number, currency, collects, pays_out, unrequested, ...more }
  await recordOperatorAction(tx, app, place.organization, connectionAction(action, row, details))
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

const NOTES = `
Money to this number that no order asked for is credited to the account, unless --unrequested no. One account gets it for
each number and currency.

Example:
  $ npx kusanya connections places add mtn-uganda 5 256772000000 --country UG`
