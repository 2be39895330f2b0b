import { z } from 'zod'
import { notSentVend } from '../../drivers/access-tokens.ts'
import type { DriverTools } from '../../drivers/contract.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ProviderVend, VendAnswer, VendCheck } from '../contract.ts'
import {
  readBillReport,
  readPayment,
  readRefusal,
  readTopup,
  readTopupStatus,
  type Transaction,
  toAnswer,
} from './answers.ts'
import { type Client, errorCode, keyOf } from './client.ts'
import { alreadyUsed } from './codes.ts'
import { productOf, writeOrder } from './orders.ts'
import type { ReloadlyConnection } from './settings.ts'

/** The purchases of one connection. */
export function openVends(connection: ReloadlyConnection, tools: DriverTools, client: Client) {
  const { findById, findByReference } = openSearch(tools, client)

  async function vend(order: ProviderVend): Promise<VendAnswer> {
    const written = writeOrder(order, connection)
    if ('refusal' in written) return written.refusal
    const { product, path, body } = written
    const reply = await client.order(product, { verb: 'vend', path, body })
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'not_sent') return notSentVend(reply)
    if (alreadyUsed.has(keyOf(reply))) return readBack(order)
    const refused = readRefusal(reply)
    if (refused) {
      if (refused.alarm) tools.alarm(refused.alarm)
      return refused.answer
    }
    const found = reply.status === 200 ? (product === 'topups' ? readTopup : readPayment)(reply.body) : undefined
    if (found) return toAnswer(found, order)
    return unknown(getMessage('reloadly.answer_says_nothing', { answer: client.describe(reply) }))
  }

  /** Read a purchase back whose reference Reloadly has. It may still be writing it down. */
  async function readBack(order: ProviderVend): Promise<VendAnswer> {
    const known = await findByReference(order)
    if (known.outcome !== 'not_found') return known
    return unknown(getMessage('reloadly.says_reference_not_find'))
  }

  async function vendStatus(order: ProviderVend): Promise<VendCheck> {
    const known = order.remote_id === null ? undefined : await findById(order, order.remote_id)
    return known ?? findByReference(order)
  }

  return { vend, vendStatus }
}

/** Open the status queries for purchases. */
function openSearch(tools: DriverTools, client: Client) {
  /** Undefined: Reloadly does not know this id, so the purchase is looked for by our reference. */
  async function findById(order: ProviderVend, id: string): Promise<VendCheck | undefined> {
    const product = productOf(order)
    const name = encodeURIComponent(id)
    const path = product === 'topups' ? `/topups/${name}/status` : `/transactions/${name}`
    const reply = await client.call(product, { verb: 'vend status', path })
    if (reply.outcome === 'unknown') return reply
    if (reply.status === 404 && errorCode(reply) === 'TRANSACTION_NOT_FOUND') return undefined
    const read = (body: unknown) => (product === 'topups' ? readTopupStatus(body, id) : readBillReport(body))
    const found = reply.status === 200 ? read(reply.body) : undefined
    if (found) return found.id === id ? toAnswer(found, order) : unknown(getMessage('reloadly.answered_about_another'))
    return unknown(getMessage('reloadly.answer_says_nothing', { answer: client.describe(reply) }))
  }

  /** The search ignores upper and lower case, so only the same reference counts. */
  async function findByReference(order: ProviderVend): Promise<VendCheck> {
    const product = productOf(order)
    const name = encodeURIComponent(order.reference)
    const path =
      product === 'topups'
        ? `/topups/reports/transactions?customIdentifier=${name}&page=1&size=50`
        : `/transactions?referenceId=${name}&page=1&size=50`
    const reply = await client.call(product, { verb: 'vend status', path })
    if (reply.outcome === 'unknown') return reply
    const page = product === 'topups' ? Page : Page.or(bareList)
    const rows = reply.status === 200 ? page.safeParse(reply.body).data?.content : undefined
    const found = rows?.map(product === 'topups' ? readTopup : (row) => readBillReport(row) ?? readPayment(row))
    if (!found || found.some((one) => one?.reference === undefined))
      return unknown(getMessage('reloadly.list_cannot_understood', { answer: client.describe(reply) }))
    const own = (found as Transaction[]).filter(({ reference }) => reference === order.reference)
    if (own.length > 1)
      tools.alarm(getMessage('reloadly.transactions_ask_money', { count: own.length, reference: order.reference }))
    return toCheck(own.map((one) => toAnswer(one, order)))
  }

  return { findById, findByReference }
}

/** The answer that counts: where one of several transactions is a sale, the customer got it. */
function toCheck(answers: readonly VendAnswer[]): VendCheck {
  const best = (outcome: VendAnswer['outcome']) => answers.find((answer) => answer.outcome === outcome)
  return best('successful') ?? best('accepted') ?? best('unknown') ?? answers[0] ?? { outcome: 'not_found' }
}

function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

/** A page of a report. */
const Page = z.object({ content: z.array(z.unknown()) })

/** Utilities return the list alone in older answers. Top-ups never do, so an empty list there is no answer. */
const bareList = z.array(z.unknown()).transform((content) => ({ content }))
