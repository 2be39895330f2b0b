import { z } from 'zod'
import { WaitingPurchase } from '../../core/bills/approvals.ts'
import { ControlChange } from '../../core/control/control-change.ts'
import { WaitingPayment } from '../../core/payments/approval-queue.ts'

/** What waits for approval, for one user: of payments and purchases the oldest, and all changes if the user manages the organization. */
export const ApprovalQueue = z.object({
  payments: z.array(WaitingPayment),
  /** How many payments wait, also those that the list leaves out. */
  payments_count: z.int(),
  purchases: z.array(WaitingPurchase),
  purchases_count: z.int(),
  changes: z.array(ControlChange),
})

/** How much waits for the user, and how much for others. */
export const ApprovalCounts = z.object({ mine: z.int(), others: z.int() })
