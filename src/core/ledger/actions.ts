import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount, formatAmount, shortAmount } from '../../lib/money.ts'
import { type ActionContext, type ActionEntry, action, makerOf, organizationOf, requireOwn } from '../access/action.ts'
import { requireOwned } from '../access/organizations.ts'
import { connectionEntry, getConnection } from '../connections/connections.ts'
import { anyAmount, choiceError, fieldMessages, integer, nullable, optional, requiredText } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import {
  assignReceiver,
  createAccount,
  findAccount,
  fundAccount,
  renameAccount,
  Wallet,
  type WalletKind,
} from './accounts.ts'
import { setFloatThreshold } from './balances.ts'
import { updateExchangeRates } from './currencies.ts'
import { type Fee, FeeView, feeKinds, getFee, removeFee, setFee } from './fees.ts'
import { adjustFloat, settleFloat } from './floats.ts'
import { openSandboxWallet } from './sandbox-wallets.ts'

/** Set the fee for one kind of operation in one currency. Earlier operations keep theirs. */
export const setFeeAction = action({
  name: 'set fee',
  object_type: 'fee',
  permission: 'manage_organization',
  is_operators: true,
  input: z.object({
    kind: z.enum(feeKinds, { error: choiceError(feeKinds) }),
    currency: requiredText(10),
    network: optional(requiredText(50)),
    fixed: optional(anyAmount),
    percent: optional(anyAmount),
    min_fee: optional(anyAmount),
    max_fee: optional(anyAmount),
  }),
  async run(tx, context, { kind, currency, network, fixed, percent, min_fee, max_fee }) {
    if (network !== undefined && kind === 'bill') throw new Invalid({ network: [getMessage('fees.bills')] })
    const networks = context.service.networks()
    if (network !== undefined && !networks.includes(network))
      throw new Invalid({ network: [fieldMessages.choice(network, networks)] })
    return setFee(tx, context.now, {
      organization: organizationOf(context),
      kind,
      currency: currency.toUpperCase(),
      network: network ?? null,
      fixed: fixed ?? 0n,
      percent: percent ?? 0n,
      min_fee: min_fee ?? 0n,
      max_fee: max_fee ?? null,
    })
  },
  audit: feeEntry,
  console: { method: 'PUT', path: '/settings/fees', answer: FeeView },
  cli: {
    path: 'fees set',
    description: 'set the fee for one kind of transaction in one currency',
    typed: {
      kind: ['--kind <kind>', 'the kind of transaction'],
      currency: ['--currency <code>', 'such as UGX'],
      network: ['--network <code>', 'on this network only; on every network without its own fee unless given'],
      fixed: ['--fixed <amount>', 'a fixed amount for each transaction'],
      percent: ['--percent <percent>', 'a percentage of the amount, such as 1.5'],
      min_fee: ['--min <amount>', 'the smallest fee'],
      max_fee: ['--max <amount>', 'the largest fee'],
    },
    organization: 'one',
    text: (fee, { organization }) => `${organization} now pays: ${describe(fee)}.`,
  },
})

/** Remove a fee. Earlier operations keep it. */
export const removeFeeAction = action({
  name: 'remove fee',
  object_type: 'fee',
  permission: 'manage_organization',
  is_operators: true,
  input: z.object({ id: integer() }),
  async run(tx, { actor }, { id }) {
    if (actor.organization !== null) requireOwned(actor.organization, await getFee(tx, id))
    return removeFee(tx, id)
  },
  audit: feeEntry,
  console: { method: 'DELETE', path: '/settings/fees/:id' },
  cli: {
    path: 'fees remove',
    description: 'remove a fee',
    typed: { id: ['<id>', 'as `fees list` shows it'] },
    text: (fee) => `No longer charged: ${describe(fee)}.`,
  },
})

function describe({ kind, currency, network, fixed, percent, min_fee, max_fee }: Fee): string {
  const parts = [
    fixed > 0n && `${currency} ${displayAmount(fixed)}`,
    percent > 0n && `${shortAmount(percent)} %`,
    min_fee > 0n && `at least ${displayAmount(min_fee)}`,
    max_fee !== null && `at most ${displayAmount(max_fee)}`,
  ].filter(Boolean)
  return `${parts.join(', ') || 'nothing'} for each ${kind} in ${currency} on ${network ?? 'every network'}`
}

function feeEntry({ id, organization, kind, currency, network, ...rates }: Fee): ActionEntry {
  const { fixed, percent, min_fee, max_fee } = rates
  const amounts = { fixed: formatAmount(fixed), percent: formatAmount(percent), min_fee: formatAmount(min_fee) }
  return {
    object: id,
    organization,
    details: { kind, currency, network, ...amounts, max_fee: max_fee === null ? null : formatAmount(max_fee) },
  }
}

declare module '../access/action.ts' {
  interface ActionService {
    mode: 'sandbox' | 'live'
  }
}

const ofAccount = { object_type: 'account', permission: 'manage_organization' } as const
const walletName = requiredText(100).transform((text) => text.trim())
const walletKinds = ['local', 'cross_border'] as const satisfies WalletKind[]

/** Open a wallet in a currency. In the sandbox it gets a receiver number at once. */
export const createAccountAction = action({
  ...ofAccount,
  name: 'create account',
  is_operators: true,
  input: z.object({
    currency: requiredText(10).transform((text) => text.trim().toUpperCase()),
    name: optional(walletName),
    kind: z.enum(walletKinds).default('local'),
  }),
  async run(tx, context, { currency, name = `${currency} wallet`, kind }) {
    const organization = organizationOf(context)
    const { now, service } = context
    const input = { organization, currency, kind, name, author: await makerOf(tx, context, organization) }
    return service.mode === 'sandbox' ? openSandboxWallet(tx, now, 'sandbox', input) : createAccount(tx, now, input)
  },
  audit: ({ id, currency, kind, name }) => ({ object: id, details: { currency, kind, name } }),
  refreshes: true,
  console: { method: 'POST', path: '/wallets', answer: Wallet, status: 201 },
  cli: {
    path: 'accounts create',
    description: 'open a wallet in a currency',
    typed: {
      currency: ['<currency>', 'such as UGX'],
      kind: ['--kind <kind>', 'each request must name a cross-border wallet'],
      name: ['--name <name>', 'the default is "<currency> wallet"'],
    },
    organization: 'one',
  },
})

export const renameAccountAction = action({
  ...ofAccount,
  name: 'rename account',
  input: z.object({ id: integer(), name: walletName }),
  async run(tx, context, { id, name }) {
    const { organization, name: before } = await ownAccount(tx, context, id)
    const author = await makerOf(tx, context, organization)
    return { before, wallet: await renameAccount(tx, context.now, { account: id, name, author }) }
  },
  audit: ({ before, wallet: { id, name, organization } }) => ({ object: id, organization, details: { name, before } }),
  console: { method: 'PUT', path: '/wallets/:id/name', answer: Wallet, view: ({ wallet }) => wallet },
})

/** Record an operator's own entry in the ledger, which adds money to a wallet or takes some away. */
export const fundAccountAction = action({
  ...ofAccount,
  name: 'fund account',
  is_operators: true,
  confirmed: true,
  input: z.object({ id: integer(), amount: anyAmount, description: requiredText(200) }),
  async run(tx, context, { id, amount, description }) {
    const { organization } = await ownAccount(tx, context, id)
    const author = await makerOf(tx, context, organization)
    return fundAccount(tx, context.now, { account: id, amount, description, author })
  },
  audit: ({ id, organization, currency }, { amount, description }) => ({
    object: id,
    organization,
    details: { amount: `${currency} ${displayAmount(amount)}`, description },
  }),
  creates: { type: 'account', id: ({ id }) => id },
  cli: {
    path: 'accounts fund',
    description:
      "record an operator's own entry in the ledger: an amount above zero adds money, one below zero removes it",
    typed: { id: ['<account>', 'its id'], amount: ['<amount>', 'such as 500000 or -500000'] },
    by: true,
    text: ({ id, name, currency, balance }) =>
      `The account ${id} (${name}) now holds ${currency} ${displayAmount(balance)}.`,
  },
})

/** Credit money to a till or short code of a network to a wallet. */
export const setReceiverAction = action({
  ...ofAccount,
  name: 'set receiver',
  is_operators: true,
  input: z.object({ id: integer(), connection: requiredText(100), number: requiredText(100) }),
  async run(tx, context, { id, connection, number }) {
    const account = await ownAccount(tx, context, id)
    await assignReceiver(tx, { connection, number, account: id })
    return { connection, number, account }
  },
  audit: ({ account: { id, organization }, connection, number }) => ({
    object: id,
    organization,
    details: { connection, number },
  }),
  cli: {
    path: 'accounts receiver',
    description: 'credit money to this till or short code of a network to the account',
    typed: {
      id: ['<account>', 'its id'],
      connection: ['<connection>', 'the connection to the network'],
      number: ['<number>', 'the till, short code or account number there'],
    },
    text: ({ connection, number, account: { id, name } }) =>
      `Money to ${number} on ${connection} is now credited to the account ${id} (${name}).`,
    view: ({ account: { id }, ...receiver }) => ({ ...receiver, account: id }),
  },
})

async function ownAccount(tx: Tx, context: ActionContext, id: number) {
  return requireOwn(context, await findAccount(tx, id), getMessage('wallets.none', { account: id }))
}

/** Set how many units of currencies one US dollar is worth. */
export const setExchangeRatesAction = action({
  name: 'set exchange rates',
  permission: 'operator',
  input: z.object({ rates: z.record(z.string(), z.number()) }),
  run: (tx, { now }, { rates }) => updateExchangeRates(tx, now, rates),
  audit: (stored, { rates }) => ({ details: Object.fromEntries(stored.map((code) => [code, rates[code]!])) }),
})

/* The money of a connection. */

const ofConnection = { object_type: 'connection', permission: 'manage_organization', is_operators: true } as const
const slug = requiredText(40)
const currency = requiredText(10).transform((code) => code.toUpperCase())
const CURRENCY = ['--currency <code>', 'such as UGX'] as const
const entryInput = z.object({ slug, amount: anyAmount, currency, description: requiredText(200) })
type Typed = { readonly [Member in keyof typeof entryInput.shape]: readonly [string, string] }

/** Warn when the balance at the network is below an amount; null never warns. */
export const setFloatThresholdAction = action({
  ...ofConnection,
  name: 'set float threshold',
  input: z.object({ slug, warn_below: nullable(anyAmount), currency }),
  async run(tx, _, { slug, currency, warn_below = null }) {
    if (warn_below !== null && warn_below < 0n)
      throw new Invalid({ warn_below: [getMessage('fields.at_least', { min: 0 })] })
    const row = await getConnection(tx, slug)
    await setFloatThreshold(tx, { connection: slug, currency, warn_below })
    return { row, currency, warn_below }
  },
  audit: ({ row, currency, warn_below }) =>
    connectionEntry(row, { currency, warn_below: warn_below === null ? null : formatAmount(warn_below) }),
  cli: {
    path: 'connections threshold',
    description: 'warn when the balance at the network is below an amount',
    typed: { slug: ['<slug>', ''], warn_below: ['<amount>', 'such as 500000, or none'], currency: CURRENCY },
    text: ({ row: { slug }, currency, warn_below }) =>
      warn_below === null
        ? `Nothing warns of a low balance of ${slug} in ${currency}.`
        : `A balance of ${slug} below ${currency} ${displayAmount(warn_below)} raises a notice.`,
    view: ({ row: { slug }, currency, warn_below }) => ({ slug, currency, warn_below }),
  },
})

export const adjustFloatAction = enteringAction('adjust float', adjustFloat, {
  path: 'connections adjust',
  description: 'record money moved into or out of a merchant account outside of Kusanya',
  typed: {
    slug: ['<slug>', ''],
    amount: ['<amount>', 'above zero for money put in, below zero for money taken out'],
    currency: CURRENCY,
    description: ['--description <text>', 'what it was, such as "Opening balance"'],
  },
})

export const settleFloatAction = enteringAction('settle float', settleFloat, {
  path: 'connections settle',
  description: 'record money that an organization has handed over to you from its own merchant account',
  typed: {
    slug: ['<slug>', 'the connection of the organization'],
    amount: ['<amount>', 'what it has handed over'],
    currency: CURRENCY,
    description: ['--description <text>', 'how it came, such as "Bank transfer of 3 May"'],
  },
})

/** Declare an entry in the float of a connection. */
function enteringAction(
  name: string,
  write: typeof adjustFloat,
  cli: { path: string; description: string; typed: Typed },
) {
  return action({
    ...ofConnection,
    name,
    input: entryInput,
    async run(tx, { now }, { slug: connection, ...entry }) {
      const row = await getConnection(tx, connection)
      return { row, currency: entry.currency, ...(await write(tx, now, { connection, ...entry })) }
    },
    audit: ({ row }, { amount, currency, description }) =>
      connectionEntry(row, { amount: `${currency} ${displayAmount(amount)}`, description }),
    cli: {
      ...cli,
      text: ({ row, currency, float }) =>
        `The float of ${row.slug} in the books is ${currency} ${displayAmount(float)} now.`,
      view: ({ row: { slug }, currency, float }) => ({ slug, currency, float }),
    },
  })
}
