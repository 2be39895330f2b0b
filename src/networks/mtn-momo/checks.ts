import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import type { CheckResult, DriverTools } from '../contract.ts'
import { balanceCall, readBalance } from './accounts.ts'
import {
  accessFault,
  baseUrl,
  beginOperation,
  type Client,
  describe,
  errorCode,
  type Reply,
  tokenFault,
} from './client.ts'
import { reasons } from './outcomes.ts'
import { currenciesOf, SIMULATED } from './places.ts'
import { checkSettings, type MtnConnection, type Product, productsOf } from './settings.ts'

/**
 * Try the credentials of each product with a new token and the balance. Compare the callback address with the host that
 * MTN has registered, if known. No money moves.
 */
export async function testConnection(connection: MtnConnection, tools: DriverTools): Promise<CheckResult[]> {
  const faults = Object.entries(checkSettings(connection, tools.callbackUrl(null)))
  const results: CheckResult[] = faults.map(([name, fault]) => failed('settings', `${name} ${fault}.`))
  for (const product of productsOf(connection.settings))
    results.push(...(await testProduct(connection, tools, product)))
  return [...results, await testCallbackHost(connection, tools)]
}

async function testProduct(connection: MtnConnection, tools: DriverTools, product: Product): Promise<CheckResult[]> {
  const client = beginOperation(connection, tools)
  const name = `token for ${product.title}`
  const token = await client.fetchToken(product)
  if (!('token' in token))
    return [token.reply ? refusedToken(name, token.reply, product) : unanswered(name, token.message)]
  return [
    { name, outcome: 'ok', message: getMessage('mtn.accepts_key_api', { title: product.title }) },
    await testBalance(connection, client, product),
  ]
}

function refusedToken(name: string, reply: Reply, product: Product): CheckResult {
  const fault = tokenFault(reply, product)
  if (fault) return failed(name, fault)
  const is_outage = reply.status >= 500 || reply.status === 429
  if (is_outage) return unanswered(name, getMessage('mtn.not_available_try', { answer: describe(reply) }))
  return failed(name, getMessage('mtn.gave_no_token_check', { answer: describe(reply) }))
}

async function testBalance(connection: MtnConnection, client: Client, product: Product): Promise<CheckResult> {
  const name = `balance of ${product.title}`
  const reply = await client.call(balanceCall(product))
  if (reply.outcome === 'unknown') return unanswered(name, reply.message)
  const balance = readBalance(reply)
  const target = connection.settings.target_environment
  if (balance && !currenciesOf(target).includes(balance.currency))
    return failed(name, `target_environment is ${target}, but the wallet is in ${balance.currency}: set its country.`)
  if (balance) return { name, outcome: 'ok', message: `${balance.currency} ${displayAmount(balance.amount)}` }
  const code = errorCode(reply)
  if (code === 'NOT_ALLOWED') return failed(name, getMessage('mtn.api_user_not_read', { title: product.title }))
  const fault = (code && reasons[code]?.alarm?.message) || accessFault(reply, product)
  if (fault) return failed(name, fault)
  return unanswered(name, getMessage('mtn.not_say_balance', { answer: describe(reply) }))
}

/** Check the callback host. Only the sandbox shows the registered host of an API user. */
async function testCallbackHost(connection: MtnConnection, tools: DriverTools): Promise<CheckResult> {
  const name = 'callback address'
  const url = tools.callbackUrl(null)
  const host = URL.canParse(url) ? new URL(url).hostname : url
  if (!connection.settings.callbacks)
    return { name, outcome: 'skipped', message: getMessage('drivers.callbacks_switched_off') }
  const register = getMessage('mtn.says_whether_accepts', { host })
  const [product] = productsOf(connection.settings)
  const is_test = connection.environment === 'sandbox' || connection.environment === SIMULATED
  if (!product || !is_test) return { name, outcome: 'skipped', message: register }
  const reply = await beginOperation(connection, tools).plain({
    verb: 'API user',
    method: 'GET',
    url: `${baseUrl(connection)}/v1_0/apiuser/${product.api_user}`,
    headers: { 'Ocp-Apim-Subscription-Key': product.subscription_key },
  })
  if (reply.outcome === 'unknown') return unanswered(name, reply.message)
  const registered = reply.status === 200 ? ApiUser.safeParse(reply.body).data?.providerCallbackHost : undefined
  if (registered === undefined) return { name, outcome: 'skipped', message: register }
  if (registered.toLowerCase() === host)
    return { name, outcome: 'ok', message: getMessage('mtn.host_registered', { host }) }
  return failed(name, getMessage('mtn.api_user_callback', { registered, host }))
}

function failed(name: string, message: string): CheckResult {
  return { name, outcome: 'failed', message }
}

function unanswered(name: string, message: string): CheckResult {
  return { name, outcome: 'unknown', message }
}

const ApiUser = z.object({ providerCallbackHost: z.string() })
