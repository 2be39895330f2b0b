import type { App } from '../app.ts'
import { type DueContact, nextDueContact } from '../core/contacts/lookups.ts'
import {
  claimErasures,
  endErasure,
  eraseStretch,
  listStretches,
  renewLease,
  type Stretch,
} from '../core/contacts/message-erasure.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { timesOf } from './lease-times.ts'

/** Looks through stored messages for people who were erased, and erases them there, too. */
export function eraseTraces(app: App): Job<DueContact> {
  return {
    name: 'erase-traces',
    limit: 1,
    lanes: 1,
    claim: (limit) => begin(app.db, (tx) => claimErasures(tx, timesOf(app), limit)),
    nextDue: () => nextDueContact(app.db, app.clock.real(), 'erasure'),
    due_tells_all: true,
    async run(contacts) {
      for (const contact of contacts) await eraseTracesOf(app, contact)
    },
  }
}

/**
 * Looks through everything once, piece by piece, each piece a transaction of its own. Who is stopped on the way begins
 * again: what is erased is not found twice.
 * @param onPiece told after each piece
 */
export async function eraseTracesOf(app: App, contact: DueContact, onPiece: () => void = () => {}): Promise<void> {
  for (const stretch of await begin(app.db, (tx) => listStretches(tx, contact.organization)))
    for (let rest: Stretch | null = stretch; rest !== null; ) {
      const piece: Stretch = rest
      rest = await begin(app.db, async (tx) => {
        await renewLease(tx, contact.id, timesOf(app).lease_end)
        return eraseStretch(tx, contact, piece)
      })
      onPiece()
    }
  await begin(app.db, (tx) => endErasure(tx, app.clock.now(), contact))
}
