import { z } from 'zod'
import { isUnauthorized, notSentVend } from '../../drivers/access-tokens.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { type JsonAnswer, unreadableAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, formatAmount, parseAmount } from '../../lib/money.ts'
import {
  type AccountHolder,
  type AccountHolderLookup,
  type AccountQuery,
  type Vend,
  type VendAnswer,
  type VendCheck,
  type VendedGoods,
  vendFailureReasons,
} from '../biller.ts'

/*
 * The simulated biller of the sandbox. We call it over HTTP like any other: `POST /biller/vends`,
 * `GET /biller/vends/:reference`, `POST /biller/accounts`.
 */

/** Make one call to the simulated biller. It never throws. `verb` is its purpose, in the words of the log. */
export type CallBiller = (
  verb: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<JsonAnswer | UnknownOutcome>

/**
 * Buy there. Only a 400 says for certain that the biller does not accept this order. With any other status it may have
 * sold it.
 */
export async function vend(call: CallBiller, order: Vend): Promise<VendAnswer> {
  const { reference, kind, service_type, account_number, phone, scenario, details } = order
  const text = (amount: Amount | undefined) => (amount === undefined ? null : formatAmount(amount))
  const reply = await call('vend', 'POST', '/biller/vends', {
    reference,
    kind,
    service_type,
    account_number,
    phone,
    scenario,
    amount: formatAmount(order.amount),
    prepaid: details.prepaid ?? null,
    tariff: text(details.tariff),
    pin_value: text(details.pin_value),
    pins: details.pins ?? null,
  })
  if (reply.outcome === 'unknown') return reply
  const refusal = ErrorBody.safeParse(reply.body)
  if (reply.status === 400 && refusal.data?.error === 'invalid_order')
    return { outcome: 'failed', reason: 'rejected', message: refusal.data.message }
  if (isUnauthorized(reply))
    return notSentVend({ outcome: 'not_sent', message: getMessage('billers.biller_refuses_secret') })
  return readSale(reply, order)
}

/** Query the state of a purchase. */
export async function checkVend(call: CallBiller, order: Vend): Promise<VendCheck> {
  const reply = await call('vend status', 'GET', `/biller/vends/${encodeURIComponent(order.reference)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'vend_not_found')) return { outcome: 'not_found' }
  return readSale(reply, order)
}

/** Ask for the holder of an account. */
export async function lookUpAccountHolder(call: CallBiller, query: AccountQuery): Promise<AccountHolderLookup> {
  const reply = await call('account holder', 'POST', '/biller/accounts', query)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'account_not_found'))
    return { outcome: 'not_found', message: getMessage('billers.no_such_account') }
  const holder = AccountHolderBody.safeParse(reply.body)
  if (reply.status !== 200 || !holder.success) return unreadableAnswer('biller', reply)
  return { outcome: 'found', holder: holder.data }
}

const ErrorBody = z.object({
  error: z.string(),
  message: z.string().catch(getMessage('billers.biller_gave_no_reason')),
})

const anyObject = z.record(z.string(), z.unknown())

const amount = z.string().transform((text, context): Amount => {
  const sum = parseAmount(text)
  if (sum !== undefined) return sum
  context.addIssue('must be an amount')
  return z.NEVER
})

const optionalText = z.string().nullable().catch(null)

const AccountHolderBody = z.object({
  name: z.string(),
  address: optionalText,
  due_date: optionalText,
  district: optionalText,
  account_number: optionalText,
  outstanding_balance: amount.nullable().catch(null),
  minimum_amount: amount.nullable().catch(null),
  raw_output: anyObject.catch({}),
  more: anyObject.catch({}),
}) satisfies z.ZodType<AccountHolder>

const VendedGoodsBody = z.object({
  token: z
    .string()
    .regex(/^\d{20}$/)
    .nullable(),
  amount_of_power: optionalText,
  pins: z.array(
    z.object({ instructions: z.string(), serial_number: z.string(), pin: z.string(), expires_on: z.string() }),
  ),
  provider_message: z.string().catch(''),
  raw_output: anyObject.nullable().catch(null),
  more: anyObject.catch({}),
}) satisfies z.ZodType<VendedGoods>

/** Failure for an unlisted reason, which is still a failure. */
const NO_REASON = { reason: 'rejected', message: getMessage('billers.biller_gave_no_reason') } as const
const Refusal = z
  .object({ reason: z.enum(vendFailureReasons).catch('rejected'), message: z.string().catch(NO_REASON.message) })
  .catch(NO_REASON)

const saleIds = { reference: z.string(), remote_id: z.string() }
const Sale = z.discriminatedUnion('state', [
  z.object({ ...saleIds, state: z.literal('pending') }),
  z.object({ ...saleIds, state: z.literal('vended'), vended: VendedGoodsBody }),
  z.object({ ...saleIds, state: z.literal('refused'), refusal: Refusal }),
])

function readSale(reply: JsonAnswer, order: Vend): VendAnswer {
  const sale = Sale.safeParse(reply.body).data
  if (reply.status !== 200 || sale?.reference !== order.reference) return unreadableAnswer('biller', reply)
  if (sale.state === 'pending') return { outcome: 'accepted', remote_id: sale.remote_id }
  if (sale.state === 'refused') return { outcome: 'failed', ...sale.refusal }
  return { outcome: 'successful', remote_id: sale.remote_id, vended: sale.vended }
}

/** A 404 means "not found" only with the biller's own error code: a wrong URL answers 404 as well. */
function isNotFound(reply: JsonAnswer, error: string): boolean {
  return reply.status === 404 && ErrorBody.safeParse(reply.body).data?.error === error
}
