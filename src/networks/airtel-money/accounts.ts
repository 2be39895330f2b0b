import { z } from 'zod'
import { spareText as text } from '../../drivers/members.ts'
import type { AccountHolderLookup, UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { parseDisplayedAmount } from '../../lib/money.ts'
import type { ReportedBalance } from '../callbacks.ts'
import type { BalanceAnswer } from '../contract.ts'
import { toNationalNumber } from '../shared/form.ts'
import { type Reply, shorten, unknown, unrecognized } from './answers.ts'
import type { AirtelClient } from './client.ts'

const HolderData = z.object({ first_name: text, last_name: text, msisdn: z.string() })
const HOLDER_NOT_FOUND = 'DP02200000002'

/** Look up the holder of an account. A barred account, or one without a PIN, is an account all the same. */
export async function findHolder(client: AirtelClient, phonenumber: string): Promise<AccountHolderLookup> {
  const msisdn = toNationalNumber(phonenumber, client.calling_code)
  if (!msisdn) return { outcome: 'not_found' }
  const reply = await client.call({ verb: 'account holder', method: 'GET', path: `/standard/v1/users/${msisdn}` })
  if ('outcome' in reply) return reply
  if (reply.codes.includes(HOLDER_NOT_FOUND)) return { outcome: 'not_found' }
  const holder = HolderData.safeParse(reply.data)
  if (!holder.success) return unrecognized(reply)
  const { first_name, last_name, msisdn: answered } = holder.data
  // Some answers hide digits of the number.
  if (/^\d+$/.test(answered) && !answered.endsWith(msisdn)) return unknown(getMessage('airtel.answered_about_another'))
  return { outcome: 'found', name: shorten([first_name, last_name].filter(Boolean).join(' ')) || null }
}

const BalanceData = z.object({ balance: z.string(), currency: text })

/** Wallet, with Airtel's name for it in a query. */
interface Wallet {
  name: string
  type: string
}

const wallets: readonly Wallet[] = [
  { name: 'collection', type: 'COLL' },
  { name: 'disbursement', type: 'DISB' },
]

export async function balance(client: AirtelClient): Promise<BalanceAnswer> {
  const balances: ReportedBalance[] = []
  for (const wallet of walletsOf(client)) {
    const found = readBalance(client, await askBalance(client, wallet))
    if ('outcome' in found) return found
    balances.push({ ...found, ...(wallet ? { name: wallet.name } : {}) })
  }
  return { outcome: 'found', balances }
}

/** The wallets that have their own balance; undefined stands for the one of the application. */
export function walletsOf({ settings }: AirtelClient): readonly (Wallet | undefined)[] {
  return settings.wallets === 'separate' ? wallets : [undefined]
}

export function askBalance(client: AirtelClient, wallet: Wallet | undefined): Promise<Reply | UnknownOutcome> {
  const path = wallet ? `/standard/v2/users/balance?type=${wallet.type}` : '/standard/v1/users/balance'
  return client.call({ verb: 'balance', method: 'GET', path })
}

/** The balance comes with commas: `37,600.00`. `success` may be false beside it. */
export function readBalance(client: AirtelClient, reply: Reply | UnknownOutcome): ReportedBalance | UnknownOutcome {
  if ('outcome' in reply) return reply
  const found = BalanceData.safeParse(reply.data)
  const amount = found.success ? parseDisplayedAmount(found.data.balance.trim()) : undefined
  if (!found.success || amount === undefined) return unrecognized(reply)
  return { currency: found.data.currency ?? client.currency, amount }
}
