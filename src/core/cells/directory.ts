import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { isHere } from '../moves.ts'

/*
 * The directory of cells: each cell serves its part, which says whose accounts it has and how busy it is. It holds keyed
 * hashes instead of addresses, and is signed with CELLS_SECRET, which all cells have. Nothing about money needs it.
 */

const CellPart = z.object({
  cell: z.int(),
  /** Time of the part. */
  made: z.iso.datetime(),
  organizations: z.int(),
  /** Collection requests of the last hour. */
  requests: z.int(),
  database_bytes: z.int(),
  /** Keyed hashes of the e-mail addresses of its users. */
  users: z.array(z.string()),
})
export type CellPart = z.output<typeof CellPart>

/** A part as a cell serves it. */
export const SignedPart = z.object({ part: z.string(), signature: z.string() })
export type SignedPart = z.output<typeof SignedPart>

/** Reads the part of this cell. */
export async function readCellPart(
  db: Reader,
  { cell, secret, now }: { cell: number; secret: string; now: Date },
): Promise<CellPart> {
  const users = await db<{ email: string }[]>`select email from users where email is not null order by id`
  const [load] = await db<Pick<CellPart, 'organizations' | 'requests' | 'database_bytes'>[]>`
    select count(*) as organizations, coalesce(sum(r.requests), 0)::bigint as requests,
      pg_database_size(current_database()) as database_bytes
    from (select id from organizations where ${isHere('organizations.id')}) o cross join lateral (
      select count(*) as requests from collection_requests
      where organization = o.id and created > ${new Date(now.getTime() - HOUR_MS)}) r`
  return { cell, made: now.toISOString(), ...load!, users: users.map(({ email }) => hashEmail(secret, email)) }
}

const HOUR_MS = 3_600_000

/** The keyed hash of an e-mail address. Who has no key cannot guess addresses by it. */
export function hashEmail(secret: string, email: string): string {
  return mac(secret, 'email', email.trim().toLowerCase()).subarray(0, HASH_BYTES).toString('base64url')
}

const HASH_BYTES = 12

/** A cell for an address that no cell knows: always the same, so that an answer does not show whether it is known. */
export function chooseDecoy(secret: string, email: string, cells: readonly number[]): number {
  return cells[mac(secret, 'decoy', email.trim().toLowerCase()).readUInt32BE() % cells.length]!
}

/** Signs a part. */
export function signPart(secret: string, content: CellPart): SignedPart {
  const part = JSON.stringify(content)
  return { part, signature: mac(secret, 'part', part).toString('base64url') }
}

/** Reads a signed part. Undefined if it is of another cell, or not signed with this secret. */
export function openPart(secret: string, cell: number, signed: unknown): CellPart | undefined {
  const given = SignedPart.safeParse(signed)
  if (!given.success) return undefined
  const { part, signature } = given.data
  if (!isSame(mac(secret, 'part', part), Buffer.from(signature, 'base64url'))) return undefined
  const content = CellPart.safeParse(JSON.parse(part))
  return content.success && content.data.cell === cell ? content.data : undefined
}

/** Uses of a token of cells: to read a part of the directory, or to pass callbacks on, which report money. */
export type TokenUse = 'token' | 'callbacks'

/** The token with which cells ask each other for their parts, or pass callbacks on. */
export function directoryToken(secret: string, use: TokenUse = 'token'): string {
  return mac(secret, use, '').toString('base64url')
}

/** True if a token is the one of the cells. */
export function isDirectoryToken(secret: string, token: string, use: TokenUse = 'token'): boolean {
  return isSame(mac(secret, use, ''), Buffer.from(token, 'base64url'))
}

function mac(secret: string, purpose: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`cells ${purpose}\n${text}`).digest()
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
