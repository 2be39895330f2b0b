import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { amount, errorMessage, id } from '../fields.ts'
import { smsPurposes } from './message.ts'
import type { SmsRoute, SmsSenderId } from './routes.ts'

/** The two letters of a country, in any case. */
export const countryCode = z
  .string({ error: errorMessage(getMessage('sms.country')) })
  .trim()
  .regex(/^[A-Za-z]{2}$/, getMessage('sms.country'))
  .transform((code) => code.toUpperCase())

/** Route of SMS as its organization sees it. */
export const RouteView = z.object({
  id,
  /** True if it counts for this organization only. */
  own: z.boolean(),
  country: z.string().nullable(),
  purpose: z.enum(smsPurposes).nullable(),
  connection: z.string(),
  sender_id: z.string().nullable(),
  priority: z.int(),
  price: amount.nullable(),
  currency: z.string().nullable(),
})

export function viewRoute({ organization, created: _, ...route }: SmsRoute): z.output<typeof RouteView> {
  return { ...route, own: organization !== null }
}

/** Sender that phones show. */
export const SenderView = z.object({
  id,
  /** True if it counts for this organization only. */
  own: z.boolean(),
  country: z.string().nullable(),
  sender_id: z.string(),
})

export function viewSender({ organization, created: _, ...sender }: SmsSenderId): z.output<typeof SenderView> {
  return { ...sender, own: organization !== null }
}

/** Sending hours for SMS that are not transactional, in a country's local time. */
export const RuleView = z.object({
  country: z.string(),
  time_zone: z.string(),
  quiet_from: z.string().nullable(),
  quiet_until: z.string().nullable(),
  consent_required: z.boolean(),
  /** True if a person has set it; otherwise it is the program's default rule. */
  is_set: z.boolean(),
})
