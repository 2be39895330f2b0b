import { create } from 'content-disposition'

/**
 * The value of the header `Content-Disposition` (RFC 6266) for a file that a browser saves, or shows. A name in any script is
 * allowed: it stands in `filename*` (RFC 8187), and old clients read a copy of it in ASCII.
 */
export function fileHeader(name: string, type: 'attachment' | 'inline' = 'attachment'): string {
  return create(name, { type })
}
