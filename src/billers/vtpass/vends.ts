import { isUnauthorized, notSentVend } from '../../drivers/access-tokens.ts'
import type { DriverTools } from '../../drivers/contract.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ProviderVend, VendAnswer, VendCheck } from '../contract.ts'
import { readPayment, readRequery, type Verdict } from './answers.ts'
import { type Client, codeOf } from './client.ts'
import { ALREADY_USED } from './codes.ts'
import { toOrderBody } from './orders.ts'
import { isOfEarlierDay, sinceMidnightMs, toRequestId } from './request-id.ts'
import type { VtpassConnection } from './settings.ts'

/** Seconds in which a sent call may still arrive. */
export const IN_FLIGHT_S = 180

/** The purchases of one connection. */
export function openVends(connection: VtpassConnection, tools: DriverTools, client: Client) {
  const withAlarm = <Answer>({ answer, alarm }: Verdict<Answer>): Answer => {
    if (alarm) tools.alarm(alarm)
    return answer
  }

  async function vendStatus(order: ProviderVend): Promise<VendCheck> {
    const body = JSON.stringify({ request_id: toRequestId(order) })
    const reply = await client.post('vend status', '/requery', body)
    return reply.outcome === 'unknown' ? reply : withAlarm(readRequery(reply, order, client.describe(reply)))
  }

  async function vend(order: ProviderVend): Promise<VendAnswer> {
    const written = toOrderBody(order, connection)
    if ('refusal' in written) return written.refusal
    if (isOfEarlierDay(order.created, tools.now())) return askAboutAnotherDay(order)
    const reply = await client.post('vend', '/pay', written.body)
    if (reply.outcome === 'unknown') return reply
    if (isUnauthorized(reply))
      return notSentVend({
        outcome: 'not_sent',
        message: getMessage('vtpass.refuses_keys', { answer: client.describe(reply) }),
      })
    if (codeOf(reply) !== ALREADY_USED) return withAlarm(readPayment(reply, order, client.describe(reply)))
    const known = await vendStatus(order)
    if (known.outcome !== 'not_found') return known
    return { outcome: 'unknown', message: getMessage('vtpass.says_request_id') }
  }

  /** VTpass takes a request id on its own day only, so a purchase of yesterday is never sent. It may be there already. */
  async function askAboutAnotherDay(order: ProviderVend): Promise<VendAnswer> {
    const known = await vendStatus(order)
    if (known.outcome !== 'not_found') return known
    if (sinceMidnightMs(tools.now()) < IN_FLIGHT_S * 1_000)
      return { outcome: 'unknown', message: getMessage('vtpass.call_yesterday_still') }
    return {
      outcome: 'failed',
      reason: 'rejected',
      message: getMessage('vtpass.purchase_another_day'),
    }
  }

  return { vend, vendStatus }
}
