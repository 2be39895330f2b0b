import { z } from 'zod'
import { Cause } from '../../core/books/causes.ts'
import { ReportRow } from '../../core/books/reports.ts'
import { amount } from '../../core/fields.ts'
import { Transaction } from '../../core/ledger/transactions.ts'

/** A report with the days that it covers, and the time zone in which they begin. */
export const Report = z.object({
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  rows: z.array(ReportRow),
  totals: z.array(ReportRow),
})

/** Transaction with its cause, so that people can go there, and the balance after it, where it is known. */
export const WalletTransaction = Transaction.extend({ cause: Cause, balance: amount.nullable() }).meta({
  id: 'WalletTransaction',
})
