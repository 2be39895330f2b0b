import type { Payment, Payout } from '../../world/world.ts'
import { payoutResult } from './accounts.ts'
import {
  cents,
  compactDate,
  dottedDate,
  newConversationId,
  newRequestId,
  placeholderReceipt,
  toJson,
  withCents,
} from './wire.ts'

/*
 * The envelope in which everything that an API operator starts is reported.
 */

/** Ids of a request and the address for its result. They are stored with the order. */
export interface Ids {
  OriginatorConversationID: string
  ConversationID: string
  result_url: string
  timeout_url: string
}

export function newIds(now: Date, result_url: string, timeout_url: string, originator?: string): Ids {
  const OriginatorConversationID = originator ?? newRequestId()
  return { OriginatorConversationID, ConversationID: newConversationId(now), result_url, timeout_url }
}

/** The answer to every such call: it says nothing about the money. */
export const taken = ({ OriginatorConversationID, ConversationID }: Ids) => ({
  ConversationID,
  OriginatorConversationID,
  ResponseCode: '0',
  ResponseDescription: 'Accept the service request successfully.',
})

/** A parameter without a value stands without it. */
type Parameters = Readonly<Record<string, unknown>>

const listOf = (parameters: Parameters) =>
  Object.entries(parameters).map(([Key, Value]) => (Value === undefined ? { Key } : { Key, Value }))

/** The body of a result. A failure has no parameters, and no receipt. */
export function resultBody(
  ids: Ids,
  options: {
    now: Date
    code?: string
    words?: string
    receipt?: string | null
    parameters?: Parameters
    code_as_text?: boolean
    list: boolean
  },
): string {
  const { now, code = '0', words = 'The service request is processed successfully.', receipt, parameters } = options
  const { OriginatorConversationID, ConversationID } = ids
  const item = { Key: 'QueueTimeoutURL', Value: ids.timeout_url }
  const items = parameters && listOf(parameters)
  return toJson({
    Result: {
      ResultType: 0,
      ResultCode: /^\d+$/.test(code) && !options.code_as_text ? Number(code) : code,
      ResultDesc: words,
      OriginatorConversationID,
      ConversationID,
      TransactionID: receipt ?? placeholderReceipt(now),
      // A single parameter stands without a list.
      ...(items && { ResultParameters: { ResultParameter: items.length === 1 ? items[0] : items } }),
      ReferenceData: { ReferenceItem: options.list ? [item] : item },
    },
  })
}

/** The result of a payout. */
export function payoutBody(payout: Payout, ids: Ids, now: Date, list: boolean): string {
  if (payout.state === 'failed') {
    const [code, words] = payoutResult(payout)
    return resultBody(ids, { now, code, words, list })
  }
  const parameters = {
    TransactionAmount: withCents(payout.amount),
    TransactionReceipt: payout.transaction,
    B2CRecipientIsRegisteredCustomer: 'Y',
    B2CChargesPaidAccountAvailableFunds: withCents(0n),
    ReceiverPartyPublicName: `${payout.phonenumber.slice(1)} - Sandbox Customer`,
    TransactionCompletedDateTime: dottedDate(payout.paid_at ?? now),
    B2CUtilityAccountAvailableFunds: withCents(100_000_0000n),
    B2CWorkingAccountAvailableFunds: withCents(0n),
  }
  return resultBody(ids, { now, receipt: payout.transaction, parameters, list })
}

/** The result of a reversal. A failure has its code as a text. */
export function reversalBody(refund: Payout, ids: Ids, now: Date, list: boolean): string {
  if (refund.state === 'failed') {
    const [code, words] = payoutResult(refund)
    return resultBody(ids, { now, code, words, code_as_text: true, list })
  }
  const parameters = {
    DebitAccountBalance: 'Utility Account|KES|100000.00|100000.00|0.00|0.00',
    Amount: cents(refund.amount),
    TransCompletedTime: Number(compactDate(refund.paid_at ?? now)),
    OriginalTransactionID: refund.refund_of,
    Charge: withCents(0n),
    CreditPartyPublicName: `${refund.phonenumber.slice(1)} - Sandbox Customer`,
    DebitPartyPublicName: `${refund.sender} - Simulated shop`,
  }
  return resultBody(ids, { now, receipt: refund.transaction, parameters, list })
}

/** State of a customer's payment. It omits the text that the customer typed. */
export function paymentState(payment: Payment): Parameters {
  return {
    DebitPartyName: `${payment.phonenumber.slice(1)} - ${payment.name}`,
    CreditPartyName: `${payment.receiver} - Simulated shop`,
    InitiatedTime: Number(compactDate(payment.paid_at)),
    DebitAccountType: 'MMF Account For Customer',
    DebitPartyCharges: undefined,
    TransactionReason: undefined,
    ReasonType: 'Pay Utility Online',
    TransactionStatus: payment.status === 'reversed' ? 'Reversed' : 'Completed',
    FinalisedTime: Number(compactDate(payment.paid_at)),
    Amount: withCents(payment.amount),
    ReceiptNo: payment.remote_id,
  }
}

/** State of a payout or a reversal. */
export function payoutState(payout: Payout, ids: Ids, now: Date): Parameters {
  const words = { pending: 'Pending', paid: 'Completed', failed: 'Failed', taken_back: 'Reversed' }
  const time = Number(compactDate(payout.paid_at ?? now))
  const is_payout = payout.kind !== 'refund'
  return {
    DebitPartyName: `${payout.sender} - Simulated shop`,
    CreditPartyName: `${payout.phonenumber.slice(1)} - Sandbox Customer`,
    OriginatorConversationID: ids.OriginatorConversationID,
    ConversationID: ids.ConversationID,
    InitiatedTime: Number(compactDate(payout.created)),
    DebitAccountType: 'Utility Account',
    DebitPartyCharges: is_payout && payout.state === 'paid' ? 'Fee For B2C Payment|KES|22.40' : undefined,
    TransactionReason: undefined,
    ReasonType: is_payout ? 'Business Payment to Customer via API' : 'Organization Reversal',
    TransactionStatus: words[payout.state],
    FinalisedTime: payout.state === 'pending' ? undefined : time,
    Amount: withCents(payout.amount),
    ReceiptNo: payout.transaction ?? placeholderReceipt(now),
  }
}
