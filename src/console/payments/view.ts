import { z } from 'zod'
import { ControlChange } from '../../core/approvals/changes/control-change.ts'
import { WaitingPurchase } from '../../core/bills/approvals.ts'
import { WaitingPayment } from '../../core/payments/approval-queue.ts'
import { WaitingFile } from '../../core/payments/bulk/waiting-files.ts'

/**
 * Approvals that wait for one user: the oldest payments, files and purchases, and all changes if the user manages the
 * organization.
 */
export const ApprovalQueue = z.object({
  payments: z.array(WaitingPayment),
  /** Number of waiting payments, including those that the list omits. */
  payments_count: z.int(),
  /** Files of payments, each of which is approved at once. */
  files: z.array(WaitingFile),
  files_count: z.int(),
  purchases: z.array(WaitingPurchase),
  purchases_count: z.int(),
  changes: z.array(ControlChange),
})

/** Number of approvals that wait for the user and for others. */
export const ApprovalCounts = z.object({ mine: z.int(), others: z.int() })
