import { z } from 'zod'
import { amount, timestamp } from '../../core/fields.ts'
import { RouteView, RuleView, SenderView } from '../../core/sms/views.ts'

export const SMS_SETTINGS = '/console/api/settings/sms'

const words = z.array(z.string()).readonly()

/** SMS of an organization: this month and those before, its limit, and the routes. */
export const SmsSettingsView = z.object({
  months: z.array(
    z.object({
      month: z.string(),
      messages: z.int(),
      parts: z.int(),
      costs: z.array(z.object({ connection: z.string(), currency: z.string(), cost: amount })),
    }),
  ),
  /** Maximum parts per month; null for any number. */
  monthly_parts: z.int().nullable(),
  /** Parts of this month (UTC) that were sent or are being sent. */
  parts_this_month: z.int(),
  stop_covers_receipts: z.boolean(),
  senders: z.array(SenderView),
  /** The rules of countries. */
  rules: z.array(RuleView),
  /** The words that customers may send, by their meaning. */
  words: z.object({ stop: words, start: words, help: words }),
  /** Delivery path of the organization's SMS without routes. */
  way: z.object({ kind: z.enum(['connections', 'settings', 'kept', 'nowhere']), connections: z.array(z.string()) }),
  routes: z.array(RouteView),
  /** The connections that a route may name: only for the managers of the only organization. */
  connections: z.array(z.string()),
  /** True if the caller may change settings for all organizations: routes, sender ids, the limit, rules. */
  editable: z.boolean(),
  /** True if the caller may change consent, and the SMS that STOP ends. */
  may_manage: z.boolean(),
  /** The newest who said STOP. */
  opt_outs: z.array(z.object({ phonenumber: z.string(), word: z.string().nullable(), at: timestamp })),
})
