import { createHash } from 'node:crypto'
import type { Reader } from '../../db/client.ts'
import { type AuditAnchor, listAnchors } from './audit-anchors.ts'

/*
 * The audit log is a chain over the whole installation: the digest of each entry covers the digest of the entry before it. A
 * trigger writes it when an entry is committed, with rights that the role of the service lacks. The
 * digests are computed here a second time, so that a changed function of the database can't hide a changed entry. A person
 * with the rights of the owner can write a whole new chain; a head that is kept elsewhere shows that (docs/decisions/0023). When
 * the oldest entries have left for the archive, the chain in the database begins at an anchor (audit-anchors.ts).
 */

/** The newest entry of the chain; position 0 when there is none. */
export interface ChainHead {
  position: number
  /** SHA-256 in hex. */
  digest: string
}

/** Result of a verification. */
export interface ChainReport extends ChainHead {
  /** The first fault of the chain and others that do not follow from it, in sentences; empty when all is well. */
  faults: string[]
  /** Number of entries, the oldest, that are in the archive and not in the database. */
  archived: number
  /** True if the archived entries were read and verified, too. */
  archive_verified: boolean
}

/** An entry of the archive: its place in the chain, and its values as texts. */
export type ArchivedEntry = Link

/** Options of a verification. */
export interface VerifyOptions {
  /** Heads that were noted before: each must still be in the chain. */
  kept?: readonly ChainHead[]
  /** Reads the entries of a stretch from the archive, in any order. Without it the chain is verified from the newest anchor on. */
  readStretch?: (anchor: AuditAnchor) => Promise<ArchivedEntry[]>
}

/** The digest before the first entry. */
const START = Buffer.alloc(32)

/** Number of entries read at a time. */
const PAGE = 5_000

/** Reads the newest entry of the chain. */
export async function readChainHead(db: Reader): Promise<ChainHead> {
  const [head] = await db<ChainHead[]>`
    select position, encode(digest, 'hex') as digest from audit_chain order by position desc limit 1`
  return head ?? { position: 0, digest: START.toString('hex') }
}

/**
 * Walks the chain from the newest anchor, or from its first entry with `readStretch`, to the newest entry, and computes every
 * digest again.
 */
export async function verifyChain(db: Reader, { kept = [], readStretch }: VerifyOptions = {}): Promise<ChainReport> {
  const head = await readChainHead(db)
  const anchors = await listAnchors(db)
  const archived = await walkArchive(anchors, readStretch)
  const walked = await walkChain(db, anchors.at(-1), head)
  const others = [...(await findUnchained(db, head)), ...(await findLostHeads(db, kept, archived.digests))]
  return {
    ...head,
    faults: [...archived.faults, ...walked.faults, ...others],
    archived: anchors.at(-1)?.position ?? 0,
    archive_verified: readStretch !== undefined,
  }
}

/** Lists the faults of the chain, for `doctor` and the nightly check. */
export async function checkAuditChain(db: Reader): Promise<string[]> {
  return (await verifyChain(db)).faults
}

/** Archived part of the chain: digests by position, of the anchors alone if its files are not read. */
interface WalkedArchive {
  digests: Map<number, string>
  faults: string[]
}

async function walkArchive(
  anchors: readonly AuditAnchor[],
  readStretch: VerifyOptions['readStretch'],
): Promise<WalkedArchive> {
  const digests = new Map(anchors.map(({ position, digest }) => [position, digest]))
  if (!readStretch) return { digests, faults: [] }
  const start = { position: 0, digest: START as Uint8Array }
  for (const anchor of anchors) {
    const links = (await readStretch(anchor)).toSorted((a, b) => a.position - b.position)
    for (const link of links) {
      const fault = faultOf(link, start.position + 1, start.digest)
      if (fault) return { digests, faults: [`Segment ${anchor.segment} of the archive: ${fault}`] }
      Object.assign(start, { position: link.position, digest: link.digest })
      digests.set(link.position, Buffer.from(link.digest).toString('hex'))
    }
    if (start.position !== anchor.position || Buffer.from(start.digest).toString('hex') !== anchor.digest)
      return {
        digests,
        faults: [`Segment ${anchor.segment} of the archive does not end at the anchor of the audit log.`],
      }
  }
  return { digests, faults: [] }
}

interface Link {
  position: number
  entry: number
  digest: Uint8Array
  /** The entry's values as texts; null when the entry is gone. */
  fields: (string | null)[] | null
}

async function walkChain(db: Reader, anchor: AuditAnchor | undefined, head: ChainHead): Promise<{ faults: string[] }> {
  const kept = await findFirstPosition(db)
  if (anchor && kept !== null && kept <= anchor.position)
    return { faults: [`The audit log has position ${kept}, which has left for the archive.`] }
  if (anchor && head.position <= anchor.position)
    return {
      faults: [
        `The audit log ends at position ${anchor.position}, where its archive ends. The newest entry never leaves.`,
      ],
    }
  let last: Uint8Array = anchor ? Buffer.from(anchor.digest, 'hex') : START
  let position = anchor?.position ?? 0
  while (position < head.position) {
    const links = await readLinks(db, position, head.position)
    for (const link of links) {
      const fault = faultOf(link, position + 1, last)
      if (fault) return { faults: [fault] }
      last = link.digest
      position = link.position
    }
    if (links.length === 0) return { faults: [`The audit log breaks off after position ${position}.`] }
  }
  return { faults: [] }
}

async function findFirstPosition(db: Reader): Promise<number | null> {
  const [first] = await db<{ position: number }[]>`select position from audit_chain order by position limit 1`
  return first?.position ?? null
}

/** Reads the links. The texts are the same as those of the function `audit_log_text`, but made without it. */
function readLinks(db: Reader, after: number, until: number): Promise<Link[]> {
  return db<Link[]>`
    select c.position, c.entry, c.digest, case when a.id is not null then array[c.position::text, a.id::text,
      a.organization::text, a."user"::text, a.key::text, a.action, a.object_type, a.object::text, a.details::text, a.address,
      to_char(a.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')] end as fields
    from audit_chain c left join audit_log a on a.id = c.entry
    where c.position > ${after} and c.position <= ${until} order by c.position limit ${PAGE}`
}

function faultOf(link: Link, expected: number, last: Uint8Array): string | undefined {
  if (link.position !== expected) return `The audit log lacks position ${expected} of its chain.`
  if (link.fields === null) return `Entry ${link.entry} of the audit log is gone (position ${expected}).`
  if (Buffer.compare(digestOf(last, link.fields), link.digest) === 0) return undefined
  return `Entry ${link.entry} of the audit log is not the one that was recorded, or the one before it is not (position ${expected}).`
}

/** Each value is written with its length in bytes, so that no two entries have the same text. */
function digestOf(last: Uint8Array, fields: readonly (string | null)[]): Buffer {
  const text = fields.map((value) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`)).join(',')
  return createHash('sha256').update(last).update(text, 'utf8').digest()
}

/** Entries that were written while the trigger was off. */
async function findUnchained(db: Reader, head: ChainHead): Promise<string[]> {
  const rows = await db<{ id: number }[]>`
    select a.id from audit_log a where not exists (select from audit_chain c where c.entry = a.id) order by a.id limit 10`
  // Entries that were committed after the head was read are in the chain, too.
  return rows.map(({ id }) => `Entry ${id} of the audit log is not in its chain (head ${head.position}).`)
}

async function findLostHeads(
  db: Reader,
  kept: readonly ChainHead[],
  archived: ReadonlyMap<number, string>,
): Promise<string[]> {
  const faults: string[] = []
  const last_archived = [...archived.keys()].reduce((last, position) => Math.max(last, position), 0)
  for (const { position, digest } of kept) {
    const in_archive = archived.get(position)
    const [row] = await db<{ digest: string }[]>`
      select encode(digest, 'hex') as digest from audit_chain where position = ${position}`
    const link = in_archive === undefined ? row : { digest: in_archive }
    if (link?.digest === digest || position === 0) continue
    if (!link && position < last_archived) {
      faults.push(`Position ${position} of the audit log is in the archive: compare its head with --archives.`)
      continue
    }
    faults.push(
      link
        ? `The audit log has another entry at position ${position} than when its head was noted.`
        : `The audit log ends before position ${position}, which it had when its head was noted.`,
    )
  }
  return faults
}
