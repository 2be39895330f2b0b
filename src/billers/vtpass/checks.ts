import { z } from 'zod'
import type { BalanceAnswer, CheckResult, DriverTools } from '../../drivers/contract.ts'
import { readAmountDown } from '../../drivers/numbers.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { accessFault, type Client, codeOf } from './client.ts'
import { NOT_USED } from './codes.ts'

/** The money in our wallet at VTpass. */
export async function readBalance(client: Client): Promise<BalanceAnswer> {
  const reply = await client.get('balance', '/balance')
  if (reply.outcome === 'unknown') return reply
  const body = reply.status === 200 ? Balance.safeParse(reply.body).data : undefined
  const amount = readAmountDown(body?.contents.balance)
  if (amount !== undefined) return { outcome: 'found', balances: [{ currency: 'NGN', amount, name: 'wallet' }] }
  return { outcome: 'unknown', message: getMessage('vtpass.not_say_balance', { answer: client.describe(reply) }) }
}

/** Try the public key with the balance, and the secret key with a status query for a missing purchase. */
export async function testConnection(client: Client, tools: DriverTools): Promise<CheckResult[]> {
  const url = tools.callbackUrl(null)
  return [
    await testPublicKey(client),
    await testSecretKey(client),
    {
      name: 'callback address',
      outcome: 'skipped',
      message: getMessage('vtpass.not_say_address', { url }),
    },
  ]
}

async function testPublicKey(client: Client): Promise<CheckResult> {
  const name = 'api_key and public_key'
  const reply = await client.get('balance', '/balance')
  if (reply.outcome === 'unknown') return { name, outcome: 'unknown', message: reply.message }
  if (accessFault(reply))
    return {
      name,
      outcome: 'failed',
      message: getMessage('vtpass.refuses_api_key_public_key'),
    }
  const balance = readAmountDown(Balance.safeParse(reply.body).data?.contents.balance)
  if (reply.status === 200 && balance !== undefined)
    return { name, outcome: 'ok', message: getMessage('vtpass.wallet_ngn', { amount: displayAmount(balance) }) }
  return { name, outcome: 'unknown', message: getMessage('vtpass.not_say_balance', { answer: client.describe(reply) }) }
}

/** Request id that no purchase has. */
const NOBODYS_REQUEST = '{"request_id":"200001010000test"}'

async function testSecretKey(client: Client): Promise<CheckResult> {
  const name = 'api_key and secret_key'
  const reply = await client.post('vend status', '/requery', NOBODYS_REQUEST)
  if (reply.outcome === 'unknown') return { name, outcome: 'unknown', message: reply.message }
  if (accessFault(reply))
    return {
      name,
      outcome: 'failed',
      message: getMessage('vtpass.refuses_api_key_secret_key'),
    }
  if (codeOf(reply) === NOT_USED) return { name, outcome: 'ok', message: getMessage('vtpass.answers_questions_about') }
  return {
    name,
    outcome: 'unknown',
    message: getMessage('vtpass.not_answer_question_2', { answer: client.describe(reply) }),
  }
}

const Balance = z.object({ contents: z.object({ balance: z.string() }) })
