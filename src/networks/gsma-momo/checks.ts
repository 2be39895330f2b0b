import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { spareText } from '../../drivers/members.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import type { CheckResult, DriverTools } from '../contract.ts'
import { askBalance, readBalance } from './accounts.ts'
import { describe, type Reply, readError } from './answers.ts'
import { accessFault, beginOperation, tokenFault } from './client.ts'
import { isNotFound } from './outcomes.ts'
import { checkSettings, type GsmaConnection } from './settings.ts'

/** Try the addresses, the credentials and our account without moving money. */
export async function testConnection(connection: GsmaConnection, tools: DriverTools): Promise<CheckResult[]> {
  const faults = Object.entries(checkSettings(connection, tools.callbackUrl(null)))
  const settings = faults.map(([name, fault]) => failed('settings', `${name}: ${fault}`))
  const token = await testToken(connection, tools)
  if (token.outcome === 'failed' || token.outcome === 'unknown')
    return [
      ...settings,
      token,
      ...['service', 'account', 'lost answers'].map(untried),
      callbackAddress(connection, tools),
    ]
  return [
    ...settings,
    token,
    await testService(connection, tools),
    await testAccount(connection, tools),
    await testResponses(connection, tools),
    callbackAddress(connection, tools),
  ]
}

async function testToken(connection: GsmaConnection, tools: DriverTools): Promise<CheckResult> {
  const name = 'token'
  if (connection.settings.security_level === 'development')
    return skipped(name, getMessage('gsma.security_level_development'))
  const token = await beginOperation(connection, tools).fetchToken()
  if ('token' in token) return ok(name, getMessage('gsma.accepts_consumer_key_consumer_secret'))
  if (!token.reply) return open(name, getMessage('gsma.check_host_token', { problem_text: token.message }))
  const fault = tokenFault(token.reply)
  if (fault) return failed(name, fault)
  if (token.reply.status >= 500 || token.reply.status === 429)
    return open(name, getMessage('gsma.try_again_later', { problem_text: token.message }))
  return failed(name, getMessage('gsma.check_host_token_address', { problem_text: token.message }))
}

/** The heartbeat says whether the provider works. Not all providers have one. */
async function testService(connection: GsmaConnection, tools: DriverTools): Promise<CheckResult> {
  const name = 'service'
  const client = beginOperation(connection, tools)
  const reply = await client.call({ verb: 'heartbeat', method: 'GET', path: '/heartbeat', optional: 'permission' })
  if (reply.outcome === 'unknown') return open(name, reply.message)
  const heartbeat = reply.status === 200 ? Heartbeat.safeParse(reply.body).data : undefined
  const status = heartbeat?.serviceStatus.trim().toLowerCase()
  if (status === 'available') return ok(name, getMessage('gsma.says_available'))
  if (status === 'degraded') return ok(name, getMessage('gsma.says_slow', { delay_of: delayOf(heartbeat?.delay) }))
  if (status === 'unavailable') return open(name, getMessage('gsma.says_not_available'))
  if (reply.status === 404 || reply.status === 405) return skipped(name, getMessage('gsma.no_heartbeat'))
  const fault = accessFault(reply, 'heartbeat', connection.settings)
  return fault ? failed(name, fault) : open(name, getMessage('gsma.not_say_whether', { answer: describe(reply) }))
}

function delayOf(delay: string | undefined): string {
  return delay !== undefined && /^\d{1,9}$/.test(delay) ? `: transactions take about ${delay} ms longer` : ''
}

async function testAccount(connection: GsmaConnection, tools: DriverTools): Promise<CheckResult> {
  const name = 'account'
  const { account_type, account_id } = connection.settings
  const reply = await askBalance(beginOperation(connection, tools))
  if (reply.outcome === 'unknown') return open(name, reply.message)
  const balance = readBalance(reply)
  if (balance)
    return ok(
      name,
      getMessage('drivers.balance', { currency: balance.currency, amount: displayAmount(balance.amount) }),
    )
  if (isNotFound(reply)) return failed(name, getMessage('gsma.not_know_account', { account_id, account_type }))
  const fault = accessFault(reply, 'balance', connection.settings) ?? formFault(reply)
  return fault ? failed(name, fault) : open(name, getMessage('gsma.not_tell_balance', { answer: describe(reply) }))
}

/** The standard refuses an identifier that it cannot read, and a caller who may not see the account. */
function formFault(reply: Reply): string | undefined {
  const error = readError(reply.body)
  if (reply.status === 400 && error?.category === 'validation')
    return getMessage('gsma.cannot_read_account', { answer: describe(reply) })
  if (reply.status === 401) return getMessage('gsma.not_let_us', { answer: describe(reply) })
  return undefined
}

/** A correlation id that was never used must not be found, and in the form of the standard. */
async function testResponses(connection: GsmaConnection, tools: DriverTools): Promise<CheckResult> {
  const name = 'lost answers'
  if (!connection.settings.responses)
    return skipped(name, 'responses is switched off: an order whose answer was lost waits for a person.')
  const client = beginOperation(connection, tools)
  const path = `/responses/${randomUUID()}`
  const reply = await client.call({ verb: 'lost answer', method: 'GET', path, optional: 'permission' })
  if (reply.outcome === 'unknown') return open(name, reply.message)
  if (isNotFound(reply)) return ok(name, getMessage('gsma.says_unknown_correlation'))
  if (reply.status >= 500 || reply.status === 429)
    return open(name, getMessage('gsma.not_answer', { answer: describe(reply) }))
  return failed(name, getMessage('gsma.no_responses_form', { answer: describe(reply) }))
}

function callbackAddress({ settings }: GsmaConnection, tools: DriverTools): CheckResult {
  const name = 'callback address'
  if (!settings.callbacks) return skipped(name, getMessage('drivers.callbacks_switched_off'))
  return skipped(
    name,
    `Each order names our address. If the provider calls only addresses that it knows, tell it ${tools.callbackUrl(null)}`,
  )
}

function untried(name: string): CheckResult {
  return skipped(name, getMessage('drivers.cannot_tried_without'))
}

const ok = (name: string, message: string): CheckResult => ({ name, outcome: 'ok', message })
const failed = (name: string, message: string): CheckResult => ({ name, outcome: 'failed', message })
const open = (name: string, message: string): CheckResult => ({ name, outcome: 'unknown', message })
const skipped = (name: string, message: string): CheckResult => ({ name, outcome: 'skipped', message })

const Heartbeat = z.object({ serviceStatus: z.string(), delay: spareText })
