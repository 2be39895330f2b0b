import { z } from 'zod'
import { spare, spareText as word } from '../../drivers/members.ts'
import { readAmountUp } from '../../drivers/numbers.ts'
import type { Charge, UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Pin, ProviderVend, VendAnswer, VendedGoods } from '../contract.ts'
import { cleanWords, readToken } from '../shared/words.ts'
import { keyOf, type Reply } from './client.ts'
import { refusals, statuses } from './codes.ts'

/** Verdict of an answer, and the alarm for the operator. */
export interface Verdict<Answer> {
  answer: Answer
  alarm?: string | undefined
}

/** A transaction as Reloadly returns it. Both of its services are read into this form; numbers are texts. */
export interface Transaction {
  id: string
  status: string
  reference: string | undefined
  message: string | undefined
  /** Charge to the account; undefined if not stated. */
  charged: Charge | undefined
  goods(order: ProviderVend): VendedGoods
}

/** The refusal in an answer to a purchase; undefined if it is none, or says nothing. */
export function readRefusal(reply: Reply): Verdict<VendAnswer> | undefined {
  const refusal = refusals[keyOf(reply)]
  if (!refusal) return undefined
  const { reason, message, alarm } = refusal
  return { answer: { outcome: 'failed', reason, message: `${message} (${keyOf(reply)})` }, alarm }
}

/** Convert a transaction to the state of a purchase. */
export function toAnswer(found: Transaction, order: ProviderVend): VendAnswer {
  if (found.reference !== undefined && found.reference !== order.reference)
    return unknown(getMessage('reloadly.answered_about_another'))
  const word = found.status.trim().toUpperCase()
  const meaning = Object.hasOwn(statuses, word) ? statuses[word] : undefined
  if (meaning === 'open') return { outcome: 'accepted', remote_id: found.id }
  if (meaning === 'successful') {
    const { id: remote_id, charged } = found
    return { outcome: 'successful', remote_id, vended: found.goods(order), ...(charged && { charged }) }
  }
  if (meaning === undefined)
    return unknown(getMessage('reloadly.answered_status_not_known', { code: cleanWords(word) }))
  const message =
    meaning === 'failed' ? getMessage('reloadly.operator_not_carry') : getMessage('reloadly.gave_money_back')
  return { outcome: 'failed', reason: 'declined', message }
}

function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

/** The transaction in the answer to a top-up, and in its report. */
export function readTopup(body: unknown): Transaction | undefined {
  const topup = Topup.safeParse(body).data
  if (!topup) return undefined
  const { transactionId: id, status, customIdentifier: reference } = topup
  const charged = topup.balanceInfo
  return { id, status, reference, message: undefined, charged, goods: () => toTopupGoods(topup) }
}

/** The transaction in the answer to `GET /topups/{id}/status`, which is null as long as it is being processed. */
export function readTopupStatus(body: unknown, id: string): Transaction | undefined {
  const answer = TopupStatus.safeParse(body).data
  if (!answer) return undefined
  const topup = readTopup(answer.transaction) ?? readTopup(body)
  if (topup) return topup
  const open = statuses[answer.status?.toUpperCase() ?? ''] === 'open'
  if (!open || (answer.transaction ?? null) !== null) return undefined
  const without = { reference: undefined, message: undefined, charged: undefined }
  return { id, status: answer.status!, ...without, goods: () => emptyGoods }
}

/** The answer to a payment of a bill. */
export function readPayment(body: unknown): Transaction | undefined {
  const payment = Payment.safeParse(body).data
  if (!payment) return undefined
  const { id, status, referenceId: reference, billDetails, message, balanceInfo: charged } = payment
  return { id, status, reference, message, charged, goods: (order) => toBillGoods(billDetails, order) }
}

/** A report of a bill, which wraps its transaction. */
export function readBillReport(body: unknown): Transaction | undefined {
  const report = z.object({ transaction: z.unknown(), message: word }).safeParse(body).data
  const found = report && readPayment(report.transaction)
  return found && { ...found, message: report.message }
}

const emptyGoods: VendedGoods = {
  token: null,
  amount_of_power: null,
  pins: [],
  provider_message: '',
  raw_output: null,
  more: {},
}

function toTopupGoods({
  pinDetail,
  operatorTransactionId,
  operatorName,
  deliveredAmount,
  ...rest
}: Topup): VendedGoods {
  const { deliveredAmountCurrencyCode } = rest
  const delivered = { operatorTransactionId, operatorName, deliveredAmount, deliveredAmountCurrencyCode }
  return {
    ...emptyGoods,
    pins: pinDetail?.code ? [toPin(pinDetail)] : [],
    provider_message: 'Successful',
    raw_output: JSON.parse(JSON.stringify(delivered)),
  }
}

function toPin({ code = '', serial, info1, info2, info3 }: z.infer<typeof PinDetail>): Pin {
  const instructions = [info1, info2, info3].flatMap((line) => (line ? [cleanWords(line)] : []))
  return { instructions: [...new Set(instructions)].join(' '), serial_number: serial ?? '', pin: code, expires_on: '' }
}

function toBillGoods(details: BillDetails | undefined, order: ProviderVend): VendedGoods {
  const { token: text, info1, info2, info3 } = details?.pinDetails ?? {}
  const digits = order.kind === 'electricity' ? readToken(text) : undefined
  const lines = Object.entries({ info1, info2, info3 }).filter(([, line]) => line)
  const power = [info1, info2, info3].map((line) => /[\d.,]{1,20}\s{0,5}kwh/i.exec(line ?? '')?.[0]).find(Boolean)
  return {
    ...emptyGoods,
    token: digits ?? null,
    amount_of_power: (digits && power?.replace(/\s{0,5}kwh$/i, 'KWH')) || null,
    provider_message: 'Successful',
    raw_output: details?.raw ?? null,
    // A token other than a 20-digit electricity token, such as the code of another kind of meter.
    more: { ...(text && !digits && { token_pin: text.trim() }), ...Object.fromEntries(lines) },
  }
}

const id = z.string().regex(/^[0-9A-Za-z-]{1,60}$/)

/** Cost of a transaction: `cost`, or if missing the change of the balance. */
const BalanceInfo = spare(
  z
    .object({ cost: word, oldBalance: word, newBalance: word, currencyCode: z.string().regex(/^[A-Z]{3}$/) })
    .transform(({ cost, oldBalance, newBalance, currencyCode: currency }): Charge | undefined => {
      const [before, after] = [readAmountUp(oldBalance), readAmountUp(newBalance)]
      const amount = readAmountUp(cost) ?? (before !== undefined && after !== undefined ? before - after : undefined)
      return amount === undefined || amount < 0n ? undefined : { amount, currency }
    }),
)

const PinDetail = z.object({ code: word, serial: word, info1: word, info2: word, info3: word })

type Topup = z.infer<typeof Topup>
const Topup = z.object({
  transactionId: id,
  status: z.string(),
  customIdentifier: word,
  operatorTransactionId: word,
  operatorName: word,
  deliveredAmount: word,
  deliveredAmountCurrencyCode: word,
  pinDetail: spare(PinDetail),
  balanceInfo: BalanceInfo,
})
const TopupStatus = z.object({ status: word, transaction: z.unknown().optional() })

type BillDetails = z.infer<typeof BillDetails>
const BillDetails = z
  .looseObject({
    pinDetails: spare(z.object({ token: word, info1: word, info2: word, info3: word })),
  })
  .transform(({ pinDetails, ...raw }) => ({ pinDetails: pinDetails ?? undefined, raw: raw as Record<string, unknown> }))

const Payment = z.object({
  id,
  status: z.string(),
  referenceId: word,
  message: word,
  billDetails: spare(BillDetails),
  balanceInfo: BalanceInfo,
})
