import { z } from 'zod'
import { describeAccount } from '../../core/bills/account-numbers.ts'
import type { Service } from '../../core/bills/catalogue.ts'
import { PurchaseView } from '../../core/bills/purchase-view.ts'
import { GoodsSms } from '../../core/bills/token-sms.ts'
import { AttemptView } from '../../core/bills/vends/attempts.ts'
import { amount, timestamp } from '../../core/fields.ts'

/** A purchase with the providers that were tried, and the SMS that the customer got. */
export const PurchaseDetail = PurchaseView.extend({ attempts: z.array(AttemptView), sms: z.array(GoodsSms) })

/** Our money at a bill provider in one currency. */
export const ProviderFloatView = z.object({
  connection: z.string(),
  currency: z.string(),
  balance: amount.nullable(),
  reported: timestamp.nullable(),
  spent_last_day: amount.nullable(),
  uncounted_last_day: z.int().nullable(),
  hours_left: z.number().nullable(),
  warn_below: amount.nullable(),
  low_since: timestamp.nullable(),
  short_since: timestamp.nullable(),
})

/** Add a description of its account numbers to a service. */
export function withAccountFormat<One extends Service>(service: One): One & { account_format: string | null } {
  return { ...service, account_format: describeAccount(service) }
}
