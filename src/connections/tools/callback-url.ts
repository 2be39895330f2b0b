import { cellMark } from '../../lib/text/cells.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'

/** Parts of the callback addresses of one connection. */
export interface CallbackAddress {
  /** The public base URL of the service. Read each time, because the port may not be known at first. */
  base: () => string
  /** Cell of the service, which the address names. */
  cell: number
  slug: string
  /** The part that only the network knows, in hexadecimal. */
  secret: string
}

/**
 * Make the addresses at which a network reports: `<base>/api/callbacks/<slug>/<secret>`, followed by the reference of
 * an order and by a purpose, where there are such.
 */
export function createCallbackUrl({ base, cell, slug, secret }: CallbackAddress) {
  return (reference: string | null, purpose?: string): string => {
    const ends = [reference, purpose].filter((part) => part !== null && part !== undefined && part !== '')
    const path = [cellMark(cell) + slug, secret, ...ends].map((part) => encodeURIComponent(part!)).join('/')
    return `${withoutTrailing(base(), '/')}/api/callbacks/${path}`
  }
}
