import { z } from 'zod'
import { getOrganization, isOnlyOrganization } from '../core/access/organizations.ts'
import { findAcceptanceUrl, verdicts } from '../core/collections/acceptance-urls.ts'
import { amount, id, timestamp } from '../core/fields.ts'
import { FeeView, listFees } from '../core/ledger/fees.ts'
import { listApprovalRules } from '../core/payments/approvals.ts'
import { listPaymentLimits } from '../core/payments/limits.ts'
import type { Reader } from '../db/client.ts'

/** The settings of an organization. */
export const Settings = z.object({
  organization: z.object({ id, name: z.string(), created: timestamp }),
  /** Whether this is the only organization, so that its managers may do an operator's actions. */
  alone: z.boolean(),
  fees: z.array(FeeView),
  approval: z.array(z.object({ currency: z.string(), threshold: amount })),
  /** Limits by sum, each for a UTC day. */
  limits: z.array(
    z.object({
      currency: z.string(),
      per_day: amount.nullable(),
      per_recipient: amount.nullable(),
      per_user: amount.nullable(),
    }),
  ),
  /** Whether users need a second factor for everything that moves money or manages the organization. */
  second_factor_required: z.boolean(),
  hook: z
    .object({
      url: z.string(),
      when_unreachable: z.enum(verdicts),
      timeout_s: z.int(),
      modified: timestamp,
    })
    .nullable(),
})
export type Settings = z.output<typeof Settings>

/** @throws NotFound */
export async function readSettings(db: Reader, organization: number): Promise<Settings> {
  const { second_factor_required, ...own } = await getOrganization(db, organization)
  return {
    organization: own,
    alone: await isOnlyOrganization(db, organization),
    fees: await listFees(db, organization),
    approval: await listApprovalRules(db, organization),
    limits: await listPaymentLimits(db, organization),
    second_factor_required,
    hook: (await findAcceptanceUrl(db, organization)) ?? null,
  }
}
