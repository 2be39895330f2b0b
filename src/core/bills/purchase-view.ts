import { z } from 'zod'
import { amount, id, timestamp } from '../fields.ts'
import { ApprovalPreview } from '../spending/approval-preview.ts'
import { LimitRoom } from '../spending/limits.ts'
import { purchaseStatuses } from './purchases.ts'

/** A purchase as the console and the CLI show it. */
export const PurchaseView = z.object({
  id,
  agent_reference: z.string(),
  reference: z.string(),
  biller: z.string(),
  attempt: z.int(),
  kind: z.string(),
  service_type: z.string(),
  /** The name of the service in the catalogue, such as "Ikeja Prepaid". */
  service_name: z.string(),
  country: z.string(),
  account_number: z.string(),
  phone: z.string(),
  amount,
  fee: amount,
  currency: z.string(),
  status: z.enum(purchaseStatuses),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  failure_code: z.string().nullable(),
  remote_id: z.string().nullable(),
  /** The goods of the customer. */
  vended: z
    .object({
      token: z.string().nullable(),
      amount_of_power: z.string().nullable(),
      pins: z.array(z.object({ serial_number: z.string(), pin: z.string(), expires_on: z.string() })),
    })
    .nullable(),
  /** Charge to our account there, as the provider reports it. */
  charged: amount.nullable(),
  charged_currency: z.string().nullable(),
  status_queries: z.int(),
  /** Number of approvals required, and given. */
  approvals_required: z.int(),
  approvals: z.int(),
  send_token: z.boolean().nullable(),
  /** Reason why a person must look at it. */
  attention: z.string().nullable(),
  due_at: timestamp.nullable(),
  created: timestamp,
  modified: timestamp,
})

/** Everything that a person has to see before a purchase is made. Nothing is bought or held. */
export const PurchaseQuote = z.object({
  service: z.string(),
  /** ISO 3166-1: where the service is sold. */
  country: z.string(),
  /** Account that is paid; empty for kinds without accounts. */
  account_number: z.string(),
  phone: z.string(),
  /** The account as the biller knows it; null for kinds without accounts, and when the biller did not answer. */
  holder: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
  amount,
  fee: amount,
  /** Amount with its fee. */
  total: amount,
  currency: z.string(),
  /** Wallet that would pay, before and after the purchase; null for none in this currency. */
  wallet: z.object({ name: z.string(), before: amount, after: amount }).nullable(),
  approval: ApprovalPreview,
  limits: z.array(LimitRoom),
  /** The signed review, for the request that buys. */
  token: z.string(),
})
