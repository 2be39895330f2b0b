import { z } from 'zod'
import { spare, spareText } from '../../drivers/members.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { parseAmount } from '../../lib/money.ts'
import type { ReportedBalance } from '../callbacks.ts'
import type { BalanceAnswer } from '../contract.ts'
import { type Client, noVerdict, type Reply } from './client.ts'

const Balances = z.object({
  balances: z.array(
    z.object({
      currency: z.string().regex(/^[A-Z]{3}$/),
      balance: z.string(),
      country: spare(z.string().regex(/^[A-Z]{3}$/)),
      provider: spareText,
    }),
  ),
})

/** Fetch the wallets: one for each country and currency, and one for each provider that has its own. */
export function askBalances(client: Client): Promise<Reply | UnknownOutcome> {
  return client.call({ verb: 'balance', method: 'GET', path: '/v2/wallet-balances' })
}

/** The wallets with their money. Where one cannot be read, the whole is unknown. */
export function readBalances(reply: Reply | UnknownOutcome): BalanceAnswer {
  if (reply.outcome === 'unknown') return reply
  const found = reply.status === 200 ? Balances.safeParse(reply.body).data : undefined
  const balances = found?.balances.flatMap(({ country, currency, balance, provider }): ReportedBalance[] => {
    const amount = parseAmount(balance.trim())
    return amount === undefined ? [] : [{ currency, amount, name: [country, provider].filter(Boolean).join(' ') }]
  })
  if (!found || balances?.length !== found.balances.length) return noVerdict(reply)
  return { outcome: 'found', balances }
}
