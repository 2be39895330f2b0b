import { type Command, Option } from 'commander'
import type { App } from '../app.ts'
import { categories, listServices } from '../core/catalogue.ts'
import {
  createSigningUser,
  listSigningUsers,
  revokeSigningUser,
  SIGNING_PURPOSE,
  type SigningUser,
} from '../core/signing-users.ts'
import { begin } from '../db/client.ts'
import { type Amount, displayAmount } from '../lib/money.ts'
import { chooseOrganizations, jsonOption, organizationOption, toCount } from './arguments.ts'
import { addCatalogue } from './bills-catalogue.ts'
import { printMade, printRows, shortTime } from './print.ts'
import type { Terminal } from './terminal.ts'
import { withApp } from './with-app.ts'

export function addBills(program: Command, terminal: Terminal): void {
  const bills = program.command('bills').description('the bill counter: what it sells, and who signs requests to it')
  addServices(bills, terminal)
  addCatalogue(bills, terminal)
  addUsers(bills, terminal)
}

function addServices(bills: Command, terminal: Terminal): void {
  bills
    .command('services')
    .description('list the services that are sold')
    .addOption(new Option('--category <code>', 'of one category only').choices(categories))
    .addOption(jsonOption())
    .action((options: { category?: string; json?: boolean }) =>
      withApp(terminal, async (app) =>
        printRows(terminal, await listServices(app.db, options.category), {
          ...options,
          none: 'There is none. Bring a catalogue in with `npx kusanya bills catalogue import <file>`.',
          columns: [
            { title: 'category', value: (row) => row.category },
            { title: 'service type', value: (row) => row.service_type },
            { title: 'name', value: (row) => row.name },
            { title: 'sold', value: (row) => (row.enabled ? 'yes' : 'no') },
            { title: 'account', value: (row) => row.account_kind },
            { title: 'least', value: (row) => shown(row.minimum_amount) },
            { title: 'most', value: (row) => shown(row.maximum_amount) },
          ],
        }),
      ),
    )
}

function shown(limit: Amount | null): string | null {
  return limit === null ? null : displayAmount(limit)
}

function addUsers(bills: Command, terminal: Terminal): void {
  const users = bills.command('users').description('names under which clients sign their requests (HMAC)')

  users
    .command('create')
    .description('make a name and a secret that sign for an API key; the secret is shown once')
    .argument('<username>', 'what stands before the colon in the Authorization header')
    .requiredOption('--key <id>', 'the API key that it acts for, as `keys list` shows it', toCount)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya bills users create shop-7 --key 3')
    .action((username: string, options: { key: number; json?: boolean }) =>
      withApp(terminal, (app) => createUser(terminal, app, username, options)),
    )

  users
    .command('list')
    .description('list the names of one organization or of all, newest first')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: { organization?: number; json?: boolean }) =>
      withApp(terminal, (app) => listUsers(terminal, app, options)),
    )

  users
    .command('revoke')
    .description('end a name for good; its API key stays')
    .argument('<username>')
    .addOption(jsonOption())
    .action((username: string, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const row = await begin(app.db, (tx) => revokeSigningUser(tx, app.clock.now(), username))
        printMade(terminal, row, { ...options, text: `Revoked ${row.username}, which signed for key ${row.api_key}.` })
      }),
    )
}

async function createUser(terminal: Terminal, app: App, username: string, options: { key: number; json?: boolean }) {
  const sealing_key = app.secret(SIGNING_PURPOSE)
  const { secret, row } = await begin(app.db, (tx) =>
    createSigningUser(tx, app.clock.now(), { username, api_key: options.key }, sealing_key),
  )
  const text =
    `${row.username} signs for key ${row.api_key} from now on, with this secret:\n\n  ${terminal.strong(secret)}\n\n` +
    'Copy it now: it is kept sealed and cannot be shown again.'
  printMade(terminal, { ...row, secret }, { ...options, text })
}

async function listUsers(
  terminal: Terminal,
  app: App,
  options: { organization?: number; json?: boolean },
): Promise<void> {
  const organizations = await chooseOrganizations(app.db, options.organization)
  const found = await Promise.all(organizations.map((one) => listSigningUsers(app.db, one.id)))
  printRows<SigningUser>(terminal, found.flat(), {
    ...options,
    none: 'There is none yet. Make one with `npx kusanya bills users create`.',
    columns: [
      { title: 'username', value: (row) => row.username },
      { title: 'key', value: (row) => row.api_key },
      { title: 'state', value: (row) => (row.revoked ? 'revoked' : 'active') },
      { title: 'created (UTC)', value: (row) => shortTime(row.created) },
    ],
  })
}
