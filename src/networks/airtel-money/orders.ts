import type { KeyObject } from 'node:crypto'
import { type NotSent, notSentOrder } from '../../drivers/access-tokens.ts'
import type { FailedOutcome, UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Reply, shorten, transactionOf, unknown, unrecognized } from './answers.ts'
import type { AirtelCall, AirtelClient } from './client.ts'
import { type CodeTable, type KnownCode, type Refusal, readCodes } from './codes.ts'

/** Answer to a status query, not yet in the terms of charges or payouts. */
export type OrderState =
  | { outcome: 'accepted'; remote_id: string }
  | { outcome: 'successful'; remote_id?: string }
  | { outcome: 'reversed'; message: string }
  | { outcome: 'not_found' }
  | FailedOutcome
  | UnknownOutcome

const REFERENCE = /^[A-Za-z0-9]{1,25}$/

/**
 * Return the fault in a reference that Airtel would misread. It takes an order with a dash and later denies that it
 * exists.
 */
export function referenceFault(reference: string): string | undefined {
  return REFERENCE.test(reference) ? undefined : getMessage('airtel.reference_must_1')
}

/** Call that sends an order, with the table of its codes. */
export interface Sending {
  table: CodeTable
  /** True if a part of the call is encrypted with Airtel's key: the PIN or the signature. */
  encrypts: boolean
  make(key: KeyObject | undefined): AirtelCall
}

/**
 * Send an order. What was encrypted with a key that Airtel has replaced is refused, and sent once more with the new
 * key.
 */
export async function send(client: AirtelClient, sending: Sending): Promise<Reply | NotSent | UnknownOutcome> {
  const first = await sendOnce(client, sending)
  if (!first.key || 'outcome' in first.reply) return first.reply
  const said = readCodes(first.reply.codes, sending.table)
  if (said?.meaning.says !== 'refused' || !said.meaning.stale_key) return first.reply
  client.refuseKey(first.key)
  return (await sendOnce(client, sending)).reply
}

async function sendOnce(client: AirtelClient, { encrypts, make }: Sending) {
  if (!encrypts) return { reply: await client.order(make(undefined)) }
  const found = await client.publicKey()
  if (found.outcome === 'unknown') return { reply: found }
  return { reply: await client.order(make(found.key)), key: found }
}

/**
 * Determine the state of a sent order. This answer alone never ends an order: success means that Airtel took it, and a
 * refusal counts only if the order cannot be found.
 */
export async function settle(
  client: AirtelClient,
  reply: Reply | NotSent | UnknownOutcome,
  { table, remote_id, ask }: { table: CodeTable; remote_id: string; ask: () => Promise<OrderState> },
): Promise<OrderState> {
  if ('outcome' in reply) return reply.outcome === 'not_sent' ? notSentOrder(reply) : reply
  const said = readCodes(reply.codes, table)
  const says = said?.meaning.says
  if (!said || says === 'not_found') return unrecognized(reply)
  if (says === 'taken' || says === 'paid') return { outcome: 'accepted', remote_id }
  if (says === 'ambiguous') return unknown(getMessage('airtel.not_yet_know', { code: said.code }))
  const state = await ask()
  if (state.outcome !== 'not_found') return state
  if (says === 'duplicate') return unknown(getMessage('airtel.says_order_exists', { code: said.code }))
  return failure(client, said)
}

/** Read the answer to the status query for an order. Its status word is the truth, and the codes give the reason. */
export function readState(client: AirtelClient, reply: Reply, table: CodeTable, reference: string): OrderState {
  const said = readCodes(reply.codes, table)
  const transaction = transactionOf(reply)
  if (!transaction?.status) return said?.meaning.says === 'not_found' ? { outcome: 'not_found' } : unrecognized(reply)
  const { id, status, airtel_money_id } = transaction
  if (id !== undefined && id !== reference) return unknown(getMessage('airtel.answered_about_another_order'))
  switch (status) {
    case 'TS':
      return { outcome: 'successful', ...(airtel_money_id ? { remote_id: airtel_money_id } : {}) }
    case 'TIP':
    case 'TA':
    case 'TP':
      return { outcome: 'accepted', remote_id: reference }
    case 'TR':
      return { outcome: 'reversed', message: getMessage('airtel.given_money_back') }
    case 'TE':
      return {
        outcome: 'failed',
        reason: 'prompt_expired',
        message: getMessage('airtel.payment_expired'),
        code: status,
      }
    case 'TF':
      return readFailure(client, reply, said, transaction.message)
    default:
      return unrecognized({ ...reply, codes: [status, ...reply.codes] })
  }
}

/** The reason of a failed order. A code that says that Airtel does not know the end contradicts the word. */
function readFailure(
  client: AirtelClient,
  reply: Reply,
  said: KnownCode | undefined,
  message: string | undefined,
): FailedOutcome | UnknownOutcome {
  if (said?.meaning.says === 'refused') return failure(client, said)
  if (said?.meaning.says === 'ambiguous') return unrecognized({ ...reply, codes: ['TF', ...reply.codes] })
  const words = [shorten(message ?? ''), reply.words].find((text) => text !== '' && !/^success$/i.test(text))
  const code = reply.codes[0] ?? 'TF'
  return {
    outcome: 'failed',
    reason: 'rejected',
    message: getMessage('airtel.not_carry_out', { said: words ? ` (${words})` : '' }),
    code,
  }
}

export function failure({ tools }: AirtelClient, { code, meaning }: KnownCode): FailedOutcome {
  const { reason, message, repair } = meaning as Refusal
  if (repair) tools.alarm(`${message} (${code}) ${repair}`)
  return { outcome: 'failed', reason, message, code }
}
