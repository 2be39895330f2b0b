import { detours } from '../../db/reads/metrics.ts'
import type { DescribedTable } from './table.ts'

/** Describe where reads run that may use a replica, and why. */
export function describeReads(): DescribedTable[] {
  const rows = Object.entries(detours).map(([reason, text]) => [`\`${reason}\``, 'primary', text])
  return [
    { columns: ['Reason', 'Server', 'Meaning'], rows: [['`current`', 'replica', 'Read from a replica'], ...rows] },
  ]
}
