import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import {
  createSigningUser,
  listSigningUsers,
  revokeSigningUser,
  rotateSigningSecret,
  SIGNING_KEY_PURPOSE,
  type SigningUser,
} from '../../../core/access/signing-users.ts'
import { categories, listServices } from '../../../core/bills/catalogue.ts'
import { begin } from '../../../db/client.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseOrganizations, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { formatShortTime, printResult, printRows } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addCatalogue } from './catalogue.ts'
import { addPurchases } from './purchases.ts'

export function addBills(program: Command, terminal: Terminal): void {
  const bills = program
    .command('bills')
    .description('the bill counter: what was bought, what it sells, and who signs requests to it')
  addPurchases(bills, terminal)
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
            { title: 'least', value: (row) => formatLimit(row.minimum_amount) },
            { title: 'most', value: (row) => formatLimit(row.maximum_amount) },
          ],
        }),
      ),
    )
}

function formatLimit(limit: Amount | null): string | null {
  return limit === null ? null : displayAmount(limit)
}

function addUsers(bills: Command, terminal: Terminal): void {
  const users = bills.command('users').description('names under which clients sign their requests (HMAC)')

  users
    .command('create')
    .description('make a name and a secret that sign for an API key; the secret is shown once')
    .argument('<username>', 'what stands before the colon in the Authorization header')
    .requiredOption('--key <id>', 'the API key that it acts for, as `keys list` shows it', toCount)
    .addOption(ownSecretOption())
    .addOption(jsonOption())
    .addHelpText('after', CREATE_EXAMPLES)
    .action((username: string, options: SecretOptions & { key: number }) =>
      withApp(terminal, (app) => createUser(terminal, app, username, options)),
    )

  users
    .command('rotate')
    .description('give a name another secret; the old one ends at once')
    .argument('<username>')
    .addOption(ownSecretOption())
    .addOption(jsonOption())
    .action((username: string, options: SecretOptions) =>
      withApp(terminal, (app) => rotateUser(terminal, app, username, options)),
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
        printResult(terminal, row, {
          ...options,
          text: `Revoked ${row.username}, which signed for key ${row.api_key}.`,
        })
      }),
    )
}

interface SecretOptions {
  ownSecret?: boolean
  json?: boolean
}

function ownSecretOption(): Option {
  return new Option('--own-secret', 'take the secret that a client has already: asked for, or piped in')
}

async function createUser(
  terminal: Terminal,
  app: App,
  username: string,
  options: SecretOptions & { key: number },
): Promise<void> {
  const secret = await readOwnSecret(terminal, options)
  const made = await begin(app.db, (tx) =>
    createSigningUser(
      tx,
      app.clock.now(),
      { username, api_key: options.key, secret },
      app.deriveSecret(SIGNING_KEY_PURPOSE),
    ),
  )
  printSecret(terminal, made, options)
}

async function rotateUser(terminal: Terminal, app: App, username: string, options: SecretOptions): Promise<void> {
  const secret = await readOwnSecret(terminal, options)
  const made = await begin(app.db, (tx) =>
    rotateSigningSecret(tx, username, secret, app.deriveSecret(SIGNING_KEY_PURPOSE)),
  )
  printSecret(terminal, made, options)
}

/** A client that moves here may keep its secret, so that nothing but its host has to be changed. */
async function readOwnSecret(terminal: Terminal, options: SecretOptions): Promise<string | undefined> {
  if (!options.ownSecret) return undefined
  if (terminal.interactive) return terminal.ask('Its secret: ', { secret: true })
  return (await terminal.read()).replace(/\r?\n$/, '')
}

/** A secret that was drawn is shown once; one that was brought along is known. */
function printSecret(terminal: Terminal, made: { secret: string; row: SigningUser }, options: SecretOptions): void {
  const { secret, row } = made
  const says = `${row.username} signs for key ${row.api_key} from now on`
  const text = options.ownSecret
    ? `${says}, with its own secret.`
    : `${says}, with this secret:\n\n  ${terminal.strong(secret)}\n\nCopy it now: it is kept sealed and cannot be shown again.`
  printResult(terminal, options.ownSecret ? row : { ...row, secret }, { ...options, text })
}

const CREATE_EXAMPLES = `
Examples:
  $ npx kusanya bills users create shop-7 --key 3
  $ npx kusanya bills users create shop-7 --key 3 --own-secret < secret.txt`

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
      { title: 'created (UTC)', value: (row) => formatShortTime(row.created) },
    ],
  })
}
