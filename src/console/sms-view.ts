import { z } from 'zod'
import { amount, id, timestamp } from '../core/fields.ts'
import { smsPurposes } from '../core/sms/message.ts'

const RouteView = z.object({
  id,
  /** Whether it counts for this organization only. */
  own: z.boolean(),
  country: z.string().nullable(),
  purpose: z.enum(smsPurposes).nullable(),
  connection: z.string(),
  sender_id: z.string().nullable(),
  priority: z.int(),
  price: amount.nullable(),
  currency: z.string().nullable(),
})

/** What an organization sends by SMS: this month and those before, its limit, and the routes. */
export const SmsSettingsView = z.object({
  months: z.array(
    z.object({
      month: z.string(),
      messages: z.int(),
      parts: z.int(),
      costs: z.array(z.object({ connection: z.string(), currency: z.string(), cost: amount })),
    }),
  ),
  /** How many parts may be sent in a month; null for any number. */
  monthly_parts: z.int().nullable(),
  stop_covers_receipts: z.boolean(),
  routes: z.array(RouteView),
  /** The connections that a route may name: only for the managers of the only organization. */
  connections: z.array(z.string()),
  /** Whether the caller may change routes. */
  editable: z.boolean(),
  /** The newest who said STOP. */
  opt_outs: z.array(z.object({ phonenumber: z.string(), word: z.string().nullable(), at: timestamp })),
})
