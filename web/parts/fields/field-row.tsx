import './field-row.css'
import type { ReactNode } from 'react'

/**
 * Fields beside each other. Their inputs are level, whatever stands above and below each of them.
 * @param props.long the fields hold names or have long descriptions: on a phone they stand below each other
 */
export function FieldRow({ children, long }: { children: ReactNode; long?: boolean }) {
  return <div className={long ? 'field-row long' : 'field-row'}>{children}</div>
}
