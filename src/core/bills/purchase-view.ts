import { z } from 'zod'
import { amount, id, timestamp } from '../fields.ts'
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
