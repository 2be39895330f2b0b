import type { Tx } from '../db/client.ts'
import { toSecond } from '../lib/time.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** One piece of the work of discarding events: at most so many are looked at, from the one after this id. */
export interface Piece {
  after: number
  most: number
}

/**
 * Discards the oldest events once they have been kept for `days` (interface 6). Ids rise with time, so it goes through
 * them from the oldest and stops where the young ones begin; there is no need of an index on `created`.
 * Deliveries own what they send: those that still wait are sent without their event.
 * @returns the piece that comes next, or null when nothing is left to discard.
 */
export async function discardEvents(tx: Tx, now: Date, days: number, piece: Piece): Promise<Piece | null> {
  // `created` was cut down to its second: only what lies before the second is certainly old enough.
  const until = toSecond(new Date(now.getTime() - days * DAY_MS))
  const [seen] = await tx<{ count: number; last: number | null; old: boolean | null }[]>`
    with oldest as (
      select id, created < ${until} as old from events where id > ${piece.after} order by id limit ${piece.most}
    ), gone as (
      delete from events where id in (select id from oldest where old)
    )
    select count(*), max(id) as last, bool_or(old) as old from oldest`
  return seen?.old && seen.count === piece.most ? { ...piece, after: seen.last! } : null
}
