import { type Command, Option } from 'commander'
import { serviceList } from '../../../actions/lists/bills.ts'
import type { App } from '../../../app.ts'
import { findKey } from '../../../core/access/api-keys.ts'
import {
  createSigningUser,
  listSigningUsers,
  revokeSigningUser,
  rotateSigningSecret,
  SIGNING_KEY_PURPOSE,
  type SigningUser,
} from '../../../core/access/signing-users.ts'
import { begin, type Tx } from '../../../db/client.ts'
import { jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { addList, addListCommand, ofEach } from '../../list-command.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addCatalogue } from './catalogue.ts'
import { addProviders } from './differences.ts'
import { addOffers } from './offers.ts'
import { addPurchases } from './purchases.ts'

export function addBills(program: Command, terminal: Terminal): void {
  const bills = program
    .command('bills')
    .description('bill payments: purchases, the catalogue, providers, and the names that sign requests')
  addPurchases(bills, terminal)
  addListCommand(bills, terminal, serviceList)
  addCatalogue(bills, terminal)
  addOffers(bills, terminal)
  addProviders(bills, terminal)
  addUsers(bills, terminal)
}

function addUsers(bills: Command, terminal: Terminal): void {
  const users = bills.command('users').description('names with which clients sign their requests (HMAC)')

  users
    .command('create')
    .description('create a name and a secret that sign for an API key; the secret is shown once')
    .argument('<username>', 'the part before the colon in the Authorization header')
    .requiredOption('--key <id>', 'the API key that it signs for, as `keys list` shows it', toCount)
    .addOption(ownSecretOption())
    .addOption(jsonOption())
    .addHelpText('after', CREATE_EXAMPLES)
    .action((username: string, options: SecretOptions & { key: number }) =>
      withApp(terminal, (app) => createUser(terminal, app, username, options)),
    )

  users
    .command('rotate')
    .description('give a name a new secret; the old secret stops working at once')
    .argument('<username>')
    .addOption(ownSecretOption())
    .addOption(jsonOption())
    .action((username: string, options: SecretOptions) =>
      withApp(terminal, (app) => rotateUser(terminal, app, username, options)),
    )

  addList<SigningUser>(users, terminal, {
    description: 'list the names of one organization or of all, newest first',
    filters: [organizationOption()],
    read: ofEach((app, organization) => listSigningUsers(app.db, organization)),
    none: 'There are no names yet. Create one with `npx kusanya bills users create`.',
    columns: {
      username: 'username',
      key: 'api_key',
      state: (row) => (row.revoked ? 'revoked' : 'active'),
      'created (UTC)': 'created',
    },
  })

  users
    .command('revoke')
    .description('revoke a name permanently; its API key stays valid')
    .argument('<username>')
    .addOption(jsonOption())
    .action((username: string, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const row = await begin(app.db, async (tx) => {
          const revoked = await revokeSigningUser(tx, app.clock.now(), username)
          await recordSigningUser(tx, app, 'revoke signing user', revoked)
          return revoked
        })
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
  return new Option('--own-secret', 'use a secret that the client already has: typed at the prompt, or piped in')
}

async function createUser(
  terminal: Terminal,
  app: App,
  username: string,
  options: SecretOptions & { key: number },
): Promise<void> {
  const secret = await readOwnSecret(terminal, options)
  const created = await begin(app.db, async (tx) => {
    const input = { username, api_key: options.key, secret }
    const made = await createSigningUser(tx, app.clock.now(), input, app.sealingKeys(SIGNING_KEY_PURPOSE))
    await recordSigningUser(tx, app, 'create signing user', made.row)
    return made
  })
  printSecret(terminal, created, options)
}

async function rotateUser(terminal: Terminal, app: App, username: string, options: SecretOptions): Promise<void> {
  const secret = await readOwnSecret(terminal, options)
  const created = await begin(app.db, async (tx) => {
    const rotated = await rotateSigningSecret(tx, username, secret, app.sealingKeys(SIGNING_KEY_PURPOSE))
    await recordSigningUser(tx, app, 'rotate signing secret', rotated.row)
    return rotated
  })
  printSecret(terminal, created, options)
}

/** Record the action in the audit log of the organization whose key the signing user stands for. */
async function recordSigningUser(tx: Tx, app: App, action: string, { username, api_key }: SigningUser): Promise<void> {
  const key = await findKey(tx, api_key)
  const object = { object_type: 'key', object: api_key, details: { username } } as const
  await recordOperatorAction(tx, app, key?.organization ?? null, { action, ...object })
}

/** Read the secret that a client may keep when it moves here, so that only its host changes. */
async function readOwnSecret(terminal: Terminal, options: SecretOptions): Promise<string | undefined> {
  if (!options.ownSecret) return undefined
  if (terminal.interactive) return terminal.ask('Its secret: ', { secret: true })
  return (await terminal.read()).replace(/\r?\n$/, '')
}

/** A generated secret is shown once; a secret that the client already has is not shown. */
function printSecret(terminal: Terminal, user: { secret: string; row: SigningUser }, options: SecretOptions): void {
  const { secret, row } = user
  const intro = `${row.username} now signs for key ${row.api_key}`
  const text = options.ownSecret
    ? `${intro}, with its own secret.`
    : `${intro}, with this secret:\n\n  ${terminal.strong(secret)}\n\nCopy it now: it is stored encrypted and cannot be shown again.`
  printResult(terminal, options.ownSecret ? row : { ...row, secret }, { ...options, text })
}

const CREATE_EXAMPLES = `
Examples:
  $ npx kusanya bills users create shop-7 --key 3
  $ npx kusanya bills users create shop-7 --key 3 --own-secret < secret.txt`
