import type { AuditAnchor } from '../../../core/access/audit-anchors.ts'
import type { ArchivedEntry } from '../../../core/access/audit-chain.ts'
import type { Cell } from '../../../core/archive/subjects.ts'
import { checkSegment, readTable, segmentFolder, UnusableSegment } from './files.ts'

/** The values that a digest covers after the position, in their order (audit-chain.ts). The time of the entry follows. */
const FIELDS = ['id', 'organization', 'user', 'key', 'action', 'object_type', 'object', 'details', 'address']

/**
 * Read the entries of a stretch of the audit log from the files of the archive, for the verification of the chain. It
 * throws UnusableSegment when a file is missing or was changed.
 */
export function stretchReader(archive: string): (anchor: AuditAnchor) => Promise<ArchivedEntry[]> {
  return async ({ segment, manifest_sha256 }) => {
    const folder = segmentFolder(archive, { sequence: segment, kind: 'audit' })
    const { manifest } = await checkSegment(folder, manifest_sha256)
    const read = async (table: string) => {
      const file = manifest.files.find((one) => one.table === table)
      if (!file) throw new UnusableSegment(`${folder} has no file of ${table}.`)
      const { columns, rows } = await readTable(folder, file)
      return rows.map(({ cells }): Row => Object.fromEntries(columns.map((column, index) => [column, cells[index]!])))
    }
    const entries = new Map((await read('audit_log')).map((row) => [row.id, row]))
    return (await read('audit_chain')).map((link) => toEntry(link, entries.get(link.entry!)))
  }
}

type Row = Record<string, Cell>

function toEntry({ position, entry, digest }: Row, row: Row | undefined): ArchivedEntry {
  return {
    position: Number(position),
    entry: Number(entry),
    fields: row ? [position!, ...FIELDS.map((field) => row[field] ?? null), toChainTime(row.created!)] : null,
    // PostgreSQL writes bytes as \x and hex.
    digest: Buffer.from(digest!.slice(2), 'hex'),
  }
}

/** A time as the chain has it, `2026-01-15T12:00:00.000000`, from one that PostgreSQL wrote, `2026-01-15 12:00:00+00`. */
function toChainTime(text: string): string {
  const [, day, time, fraction = ''] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text) ?? []
  return `${day}T${time}.${fraction.padEnd(6, '0')}`
}
