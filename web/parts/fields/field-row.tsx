import './field-row.css'
import type { ReactNode } from 'react'

/** Fields beside each other. Their inputs are level, whatever stands above and below each of them. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className="field-row">{children}</div>
}
