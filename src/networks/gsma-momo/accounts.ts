import { z } from 'zod'
import { spareText as optional } from '../../drivers/members.ts'
import type { AccountHolderLookup, UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ReportedBalance } from '../callbacks.ts'
import type { TransactionLookup } from '../contract.ts'
import { describe, type Identifier, type Reply, readAmount, readTransaction, shorten, unknown } from './answers.ts'
import { ownAccount, toMsisdn } from './asks.ts'
import { type Client, isClientRefused } from './client.ts'
import { isNotFound, readStatusWord } from './outcomes.ts'
import type { GsmaSettings } from './settings.ts'

/**
 * Look up the holder of an account. That there is none counts only when neither the name nor the state of an account is
 * found: some providers say of a name that they do not give that there is none.
 */
export async function findHolder(client: Client, phonenumber: string): Promise<AccountHolderLookup> {
  const path = `/accounts/msisdn/${encodeURIComponent(toMsisdn(phonenumber, client.settings))}`
  if (client.settings.holder_names) {
    const verb = 'account holder'
    const reply = await client.call({ verb, method: 'GET', path: `${path}/accountname`, optional: 'permission' })
    if (reply.outcome === 'unknown') return reply
    const holder = reply.status === 200 ? Holder.safeParse(reply.body).data : undefined
    if (holder) return { outcome: 'found', name: nameOf(holder.name) }
    if (!isWithheld(reply)) return unreadable(reply)
  }
  return findStatus(client, `${path}/status`)
}

async function findStatus(client: Client, path: string): Promise<AccountHolderLookup> {
  const verb = client.settings.holder_names ? 'account holder status' : 'account holder'
  const reply = await client.call({ verb, method: 'GET', path })
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply)) return { outcome: 'not_found' }
  const status =
    reply.status === 200 ? Status.safeParse(reply.body).data?.accountStatus.trim().toLowerCase() : undefined
  if (!status) return unreadable(reply)
  return status === 'unregistered' ? { outcome: 'not_found' } : { outcome: 'found', name: null }
}

/** The provider has no such account, or gives no names to us. Whether there is an account it may still say. */
function isWithheld(reply: Reply): boolean {
  return [400, 403, 404, 405].includes(reply.status) || (reply.status === 401 && !isClientRefused(reply))
}

function nameOf({ fullName, firstName, middleName, lastName, nativeName }: z.output<typeof Name>): string | null {
  const parts = [firstName, middleName, lastName].map((part) => part?.trim()).filter(Boolean)
  return shorten(fullName?.trim() || parts.join(' ') || nativeName || '') || null
}

/** Query the balance of our own account. */
export function askBalance(client: Client): Promise<Reply | UnknownOutcome> {
  const { key, value } = ownAccount(client.settings)
  return client.call({ verb: 'balance', method: 'GET', path: `/accounts/${key}/${encodeURIComponent(value)}/balance` })
}

/** The balance in an answer. The one that counts all money is preferred; undefined if there is none. */
export function readBalance(reply: Reply): ReportedBalance | undefined {
  const balance = reply.status === 200 ? Balance.safeParse(reply.body).data : undefined
  const amount = readBalanceAmount(balance?.currentBalance) ?? readBalanceAmount(balance?.availableBalance)
  return balance && amount !== undefined ? { currency: balance.currency.trim().toUpperCase(), amount } : undefined
}

function readBalanceAmount(text: string | undefined) {
  return text === undefined ? undefined : readAmount(text)
}

/** Read back a payment by the id of its transaction. */
export async function findTransaction(client: Client, remote_id: string): Promise<TransactionLookup> {
  const path = `/transactions/${encodeURIComponent(remote_id)}`
  const reply = /^\.*$/.test(remote_id)
    ? unknown(getMessage('gsma.no_id_transaction'))
    : await client.call({ verb: 'transaction', method: 'GET', path })
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply)) return { outcome: 'not_found' }
  const transaction = reply.status === 200 ? readTransaction(reply.body) : undefined
  if (!transaction || transaction.remote_id !== remote_id) return unreadable(reply)
  const { amount, currency, own_reference = null, fee, at, status, credit, debit } = transaction
  const receiver = receiverOf(credit, client.settings)
  if (receiver === undefined) return unknown(getMessage('gsma.transaction_not_pay'))
  const meaning = readStatusWord(status, client.settings)
  // A refund of ours reverses a payment, too, and the transaction does not say who has done it.
  if (meaning === 'reversed') return unknown(getMessage('gsma.reversed_transaction_not_say'))
  if (meaning !== 'completed') return unknown(getMessage('gsma.not_say_paid', { word: shorten(status) }))
  const receipt = { remote_id, status: 'successful', receiver, phonenumber: phoneOf(debit), amount, currency } as const
  return {
    outcome: 'found',
    receipt: {
      ...receipt,
      order_reference: own_reference,
      reference: null,
      name: null,
      paid_at: at ?? client.tools.now(),
      ...(fee !== undefined && { fee }),
    },
  }
}

/** Our own account among the identifiers of a party. A provider may name a party by several. */
export function receiverOf(party: readonly Identifier[], settings: GsmaSettings): string | undefined {
  const own = ownAccount(settings)
  const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
  return party.some(({ key, value }) => same(key, own.key) && same(value, own.value)) ? own.value : undefined
}

/** The phone number (E.164) of a party; '' where it has none. */
export function phoneOf(party: readonly Identifier[]): string {
  const digits = party
    .find(({ key }) => key.trim().toLowerCase() === 'msisdn')
    ?.value.replace(/^\+/, '')
    .trim()
  return digits && /^[1-9]\d{5,14}$/.test(digits) ? `+${digits}` : ''
}

function unreadable(reply: Reply): UnknownOutcome {
  return unknown(getMessage('gsma.answer_cannot_understood', { answer: describe(reply) }))
}

const Name = z.object({
  fullName: optional,
  firstName: optional,
  middleName: optional,
  lastName: optional,
  nativeName: optional,
})
const Holder = z.object({ name: Name })
const Status = z.object({ accountStatus: z.string() })
const Balance = z.object({
  currentBalance: optional,
  availableBalance: optional,
  currency: z.string().regex(/^\s*[A-Za-z]{3}\s*$/),
})
