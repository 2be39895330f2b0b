import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { lockName } from '../../db/name-locks.ts'
import { sql } from '../../db/sql.ts'
import type { CallbackRow } from './callbacks.ts'

/** A callback that another cell passes on, since it may be about an organization that has moved here. */
export const ForwardedCallback = z.object({
  /** The id that it has in its own cell, by which it is taken once. */
  id: z.int(),
  network: z.string(),
  connection: z.string(),
  received: z.iso.datetime().transform((text) => new Date(text)),
  method: z.string().nullable(),
  path: z.string().nullable(),
  query: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** In hexadecimal. */
  bytes: z.string().nullable(),
  verified: z.boolean(),
  size: z.int().nullable(),
  subject: z.enum(['order', 'transaction']).nullable(),
  reference: z.string().nullable(),
  address: z.string().nullable(),
})
export type ForwardedCallback = z.output<typeof ForwardedCallback>

/** Write a callback for another cell. */
export function toForwarded({ state, note, attempts, bytes, ...row }: CallbackRow) {
  return { ...row, bytes: bytes ? Buffer.from(bytes).toString('hex') : null }
}

/** Store a callback of another cell, once. It is processed as one that came here. */
export async function takeForwarded(tx: Tx, now: Date, callback: ForwardedCallback): Promise<void> {
  const { id, headers, bytes, ...row } = callback
  await lockName(tx, `callback ${id}`)
  await tx`
    insert into callbacks (id, ${sql.identifiers(Object.keys(row))}, headers, bytes, state, due_at)
    select ${id}, ${sql.join(
      Object.values(row).map((value) => sql`${value}`),
      ', ',
    )}, ${sql.json(headers)}, decode(${bytes}, 'hex'), 'waiting', ${now}
    where not exists (select from callbacks where id = ${id})`
}
