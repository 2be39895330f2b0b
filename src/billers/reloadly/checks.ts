import { z } from 'zod'
import type { BalanceAnswer, CheckResult, DriverTools } from '../../drivers/contract.ts'
import { readAmountDown } from '../../drivers/numbers.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { type Client, tokenFault } from './client.ts'
import type { Product, ReloadlyConnection } from './settings.ts'

/** The money in our account. All services of Reloadly share it. */
export async function readBalance(client: Client): Promise<BalanceAnswer> {
  const reply = await client.call('topups', { verb: 'balance', path: '/accounts/balance' })
  if (reply.outcome === 'unknown') return reply
  const body = reply.status === 200 ? Balance.safeParse(reply.body).data : undefined
  const amount = readAmountDown(body?.balance)
  if (body && amount !== undefined)
    return { outcome: 'found', balances: [{ currency: body.currencyCode, amount, name: 'account' }] }
  return { outcome: 'unknown', message: getMessage('reloadly.not_say_balance', { answer: client.describe(reply) }) }
}

/** Try the keys with a new token for each service, and compare the currency of the account. No money moves. */
export async function testConnection(
  { settings }: ReloadlyConnection,
  client: Client,
  tools: DriverTools,
): Promise<CheckResult[]> {
  const tokens = [await testToken(client, 'topups'), await testToken(client, 'utilities')]
  const results =
    tokens[0]!.outcome === 'ok' ? [...tokens, await testBalance(client, settings.account_currency)] : tokens
  const url = tools.callbackUrl(null)
  return [
    ...results,
    {
      name: 'callback address',
      outcome: 'skipped',
      message: getMessage('reloadly.not_say_address', { url }),
    },
  ]
}

async function testToken(client: Client, product: Product): Promise<CheckResult> {
  const name = `token for ${product}`
  const token = await client.fetchToken(product)
  if ('token' in token) return { name, outcome: 'ok', message: getMessage('reloadly.accepts_client_id_client_secret') }
  const fault = token.reply && tokenFault(token.reply)
  return fault ? { name, outcome: 'failed', message: fault } : { name, outcome: 'unknown', message: token.message }
}

async function testBalance(client: Client, wanted: string): Promise<CheckResult> {
  const name = 'account_currency'
  const answer = await readBalance(client)
  if (answer.outcome !== 'found') return { name, outcome: 'unknown', message: getMessage('reloadly.not_say_balance_2') }
  const { currency, amount } = answer.balances[0]!
  if (currency === wanted)
    return {
      name,
      outcome: 'ok',
      message: getMessage('reloadly.account', { currency, amount: displayAmount(amount) }),
    }
  const message = `account_currency is ${wanted}, but the account is in ${currency}: set ${currency}.`
  return { name, outcome: 'failed', message }
}

const Balance = z.object({ balance: z.string(), currencyCode: z.string().regex(/^[A-Z]{3}$/) })
