import { z } from 'zod'
import { getOrganization, isOnlyOrganization } from '../core/access/organizations.ts'
import { findAcceptanceUrl, verdicts } from '../core/collections/acceptance-urls.ts'
import { amount, id, timestamp } from '../core/fields.ts'
import { FeeView, listFees } from '../core/ledger/fees.ts'
import { listApprovalRules } from '../core/payments/approvals.ts'
import type { Reader } from '../db/client.ts'

/** The settings of an organization. */
export const Settings = z.object({
  organization: z.object({ id, name: z.string(), created: timestamp }),
  /** Whether this is the only organization, so that its managers may do an operator's actions. */
  alone: z.boolean(),
  fees: z.array(FeeView),
  approval: z.array(z.object({ currency: z.string(), threshold: amount })),
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
  return {
    organization: await getOrganization(db, organization),
    alone: await isOnlyOrganization(db, organization),
    fees: await listFees(db, organization),
    approval: await listApprovalRules(db, organization),
    hook: (await findAcceptanceUrl(db, organization)) ?? null,
  }
}
