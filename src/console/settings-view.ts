import { z } from 'zod'
import { getOrganization, isOnlyOrganization } from '../core/access/organizations.ts'
import { findAcceptanceUrl, verdicts } from '../core/collections/acceptance-urls.ts'
import { readSeller } from '../core/documents/seller.ts'
import { amount, id, timestamp } from '../core/fields.ts'
import { FeeView, listFees } from '../core/ledger/fees.ts'
import { listMatchingThresholds, MatchingThreshold } from '../core/matching/thresholds.ts'
import { listApprovalRules } from '../core/spending/approval-rules.ts'
import { listApproverLimits } from '../core/spending/approver-limits.ts'
import { hasOther } from '../core/spending/approvers.ts'
import { listPaymentLimits } from '../core/spending/limits.ts'
import type { Reader } from '../db/client.ts'

/** The settings of an organization. */
export const Settings = z.object({
  organization: z.object({
    id,
    name: z.string(),
    created: timestamp,
    time_zone: z.string(),
    country: z.string().nullable(),
  }),
  /** Details of the seller on documents. */
  seller: z.object({
    legal_name: z.string(),
    address: z.string(),
    tax_number: z.string(),
    phone: z.string(),
    email: z.string(),
    payment_terms: z.string(),
  }),
  /** True if this is the only organization, so that its managers may act as operator. */
  alone: z.boolean(),
  /** True if another manager confirms changes that weaken control. Else they take effect at once. */
  has_second_manager: z.boolean(),
  fees: z.array(FeeView),
  /** Above these amounts a payment needs one, two and three approvals. */
  approval: z.array(
    z.object({
      currency: z.string(),
      threshold: amount,
      second_threshold: amount.nullable(),
      third_threshold: amount.nullable(),
    }),
  ),
  /** Amounts that persons may approve. */
  approver_limits: z.array(
    z.object({
      user: id,
      name: z.string(),
      currency: z.string(),
      per_payment: amount.nullable(),
      per_day: amount.nullable(),
    }),
  ),
  /** Limits by sum, each for a day of the organization. */
  limits: z.array(
    z.object({
      currency: z.string(),
      per_day: amount.nullable(),
      per_recipient: amount.nullable(),
      per_user: amount.nullable(),
    }),
  ),
  /** Amounts above which a second manager confirms a manual match. */
  matching: z.array(MatchingThreshold),
  /** True if users need a second factor for everything that moves money or manages the organization. */
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

/** Choices for the place of an organization. */
export const PlaceChoices = z.object({ time_zones: z.array(z.string()), countries: z.array(z.string()) })
export type PlaceChoices = z.output<typeof PlaceChoices>

/** @throws NotFound */
export async function readSettings(db: Reader, organization: number, user: number): Promise<Settings> {
  const { second_factor_required, ...own } = await getOrganization(db, organization)
  return {
    organization: own,
    seller: await readSeller(db, organization),
    alone: await isOnlyOrganization(db, organization),
    has_second_manager: await hasOther(db, organization, user, 'manage_organization'),
    fees: await listFees(db, organization),
    approval: await listApprovalRules(db, organization),
    approver_limits: await listApproverLimits(db, organization),
    limits: await listPaymentLimits(db, organization),
    matching: await listMatchingThresholds(db, organization),
    second_factor_required,
    hook: (await findAcceptanceUrl(db, organization)) ?? null,
  }
}
