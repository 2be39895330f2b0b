import type { Reader } from '../../db/client.ts'

/*
 * The oldest entries of the audit log may leave for the archive. The last entry of each stretch that has left stays as an anchor:
 * its digest is covered by the next entry, so the chain goes on from it (docs/decisions/0059).
 */

/** The end of a stretch that is in the archive. */
export interface AuditAnchor {
  /** All entries up to this position are in the archive. */
  position: number
  /** The id of the entry at this position. */
  entry: number
  /** The digest of the entry at this position: SHA-256 in hex. */
  digest: string
  /** The segment of the archive with the stretch. */
  segment: number
  /** The SHA-256 of the segment's manifest, in hex. */
  manifest_sha256: string
}

/** All anchors, the oldest first. */
export function listAnchors(db: Reader): Promise<AuditAnchor[]> {
  return db<AuditAnchor[]>`
    select position, entry, encode(digest, 'hex') as digest, segment, manifest_sha256 from audit_anchors order by position`
}
