import { z } from 'zod'
import { ReportRow } from '../../core/books/reports.ts'

/** A report with the days that it covers, and the time zone in which they begin. */
export const Report = z.object({
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  rows: z.array(ReportRow),
  totals: z.array(ReportRow),
})
