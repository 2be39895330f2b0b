import type { Command } from 'commander'
import { serviceList } from '../../../actions/lists/bills.ts'
import {
  createSigningUserAction,
  revokeSigningUserAction,
  rotateSigningSecretAction,
} from '../../../core/access/account/signing-actions.ts'
import { listSigningUsers, type SigningUser } from '../../../core/access/signing-users.ts'
import { addActionCommand } from '../../action-command.ts'
import { addList, addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
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

  const withSecret = {
    words: {
      own_secret: typed('--own-secret', 'use a secret that the client already has: typed at the prompt, or piped in'),
    },
    read: async (_: unknown, given: object, { own_secret }: { own_secret: true | undefined }) => ({
      ...given,
      ...(own_secret && { secret: await readOwnSecret(terminal) }),
    }),
    tell: async (_: unknown, made: MadeSecret) => tellSecret(terminal, made),
  }
  addActionCommand(users, terminal, createSigningUserAction, { ...withSecret, help: CREATE_EXAMPLES })
  addActionCommand(users, terminal, rotateSigningSecretAction, withSecret)

  addList(users, terminal, {
    description: 'list the names of one organization or of all, newest first',
    organization: 'each',
    read: (app, _, { id }) => listSigningUsers(app.db, id),
    none: 'There are no names yet. Create one with `npx kusanya bills users create`.',
    columns: {
      username: 'username',
      key: 'api_key',
      state: (row) => (row.revoked ? 'revoked' : 'active'),
      'created (UTC)': 'created',
    },
  })

  addActionCommand(users, terminal, revokeSigningUserAction)
}

/** Read the secret that a client may keep when it moves here, so that only its host changes. */
async function readOwnSecret(terminal: Terminal): Promise<string> {
  if (terminal.interactive) return terminal.ask('Its secret: ', { secret: true })
  return (await terminal.read()).replace(/\r?\n$/, '')
}

/** Name with a secret that signs from now on. */
interface MadeSecret {
  secret: string
  row: SigningUser
  /** True for a secret that the client already had. */
  is_own: boolean
  organization: number | null
}

/** A generated secret is shown once; a secret that the client already has is not shown. */
function tellSecret(terminal: Terminal, { secret, row, is_own }: MadeSecret) {
  const intro = `${row.username} now signs for key ${row.api_key}`
  const text = is_own
    ? `${intro}, with its own secret.`
    : `${intro}, with this secret:\n\n  ${terminal.strong(secret)}\n\nCopy it now: it is stored encrypted and cannot be shown again.`
  return { text, shown: is_own ? row : { ...row, secret } }
}

const CREATE_EXAMPLES = `
Examples:
  $ npx kusanya bills users create shop-7 --key 3
  $ npx kusanya bills users create shop-7 --key 3 --own-secret < secret.txt`
