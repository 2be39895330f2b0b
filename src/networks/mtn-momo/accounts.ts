import { z } from 'zod'
import { spareText as text } from '../../drivers/members.ts'
import type { AccountHolderLookup } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import type { BalanceAnswer, DriverTools } from '../contract.ts'
import { readJsonAmount } from '../shared/text.ts'
import { beginOperation, type Client, describe, errorCode, type Reply } from './client.ts'
import { partyId } from './orders.ts'
import type { MtnConnection, Product } from './settings.ts'

/**
 * Look up the holder of a phone. An account that exists but is not active cannot pay or be paid, so it counts as none.
 * A country that does not disclose names gives an account without one.
 */
export async function lookUpHolder(
  connection: MtnConnection,
  tools: DriverTools,
  product: Product,
  phonenumber: string,
): Promise<AccountHolderLookup> {
  const client = beginOperation(connection, tools)
  const path = `/v1_0/accountholder/msisdn/${encodeURIComponent(partyId(phonenumber))}`
  const reply = await client.call({ verb: 'account holder', method: 'GET', product, path: `${path}/active` })
  if (reply.outcome === 'unknown') return reply
  if (reply.status === 404 && errorCode(reply) !== undefined) return { outcome: 'not_found' }
  const is_active = reply.status === 200 ? Active.safeParse(reply.body).data : undefined
  if (is_active === undefined) return unreadable(reply)
  if (!is_active) return { outcome: 'not_found' }
  return connection.settings.holder_names ? readName(client, product, path) : { outcome: 'found', name: null }
}

async function readName(client: Client, product: Product, path: string): Promise<AccountHolderLookup> {
  const reply = await client.call({
    verb: 'account holder name',
    method: 'GET',
    product,
    path: `${path}/basicuserinfo`,
  })
  if (reply.outcome === 'unknown') return reply
  if (reply.status === 200) {
    const info = UserInfo.safeParse(reply.body).data
    return info ? { outcome: 'found', name: nameOf(info) } : unreadable(reply)
  }
  const is_withheld = [400, 403, 404].includes(reply.status) || errorCode(reply) === 'NOT_ALLOWED'
  return is_withheld ? { outcome: 'found', name: null } : unreadable(reply)
}

function nameOf({ name, given_name, family_name }: z.infer<typeof UserInfo>): string | null {
  const full =
    name?.trim() ||
    [given_name, family_name]
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ')
  return full ? toStorableText(full).slice(0, MAX_NAME) : null
}

/** The money in the wallets of the products that are set up. Where one does not answer, the whole is unknown. */
export async function readBalances(
  connection: MtnConnection,
  tools: DriverTools,
  products: readonly Product[],
): Promise<BalanceAnswer> {
  const client = beginOperation(connection, tools)
  const balances: { currency: string; amount: bigint; name: string }[] = []
  for (const product of products) {
    const reply = await client.call(balanceCall(product))
    if (reply.outcome === 'unknown') return reply
    const balance = readBalance(reply)
    if (!balance) return unreadable(reply)
    balances.push({ ...balance, name: product.title })
  }
  return { outcome: 'found', balances }
}

export function balanceCall(product: Product) {
  return { verb: 'balance', method: 'GET', product, path: '/v1_0/account/balance' } as const
}

/** The balance in an answer; undefined if it has none. */
export function readBalance(reply: Reply): { currency: string; amount: bigint } | undefined {
  const balance = reply.status === 200 ? Balance.safeParse(reply.body).data : undefined
  const amount = readJsonAmount(balance?.availableBalance)
  return balance && amount !== undefined ? { currency: balance.currency.toUpperCase(), amount } : undefined
}

function unreadable(reply: Reply): { outcome: 'unknown'; message: string } {
  return { outcome: 'unknown', message: getMessage('mtn.answer_cannot_understood', { answer: describe(reply) }) }
}

const MAX_NAME = 200

/** Old deployments answer with the bare word, and some with a text. */
const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
const Active = z.union([truth, z.object({ result: truth }).transform(({ result }) => result)])

const UserInfo = z
  .object({
    name: text,
    given_name: text,
    family_name: text,
    sub: text,
    status: text,
  })
  .refine((info) => Object.values(info).some((value) => typeof value === 'string'))

const Balance = z.object({
  availableBalance: z.union([z.string(), z.number()]),
  currency: z.string().regex(/^[A-Za-z]{3}$/),
})
