import type { App } from '../app.ts'
import { type DueContact, nextDueContact } from '../core/contacts/lookups.ts'
import {
  claimErasures,
  eraseNextChunk,
  finishErasure,
  listMessageRanges,
  type MessageRange,
  renewErasureLease,
} from '../core/contacts/message-erasure.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './lease-times.ts'

/** Looks through stored messages for people who were erased, and erases them there, too. */
export function eraseFromMessages(app: App): Job<DueContact> {
  return {
    name: 'erase-from-messages',
    limit: 1,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => claimErasures(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueContact(app.db, app.clock.real(), 'erasure'),
    next_due_is_complete: true,
    async run(contacts) {
      for (const contact of contacts) await eraseContactFromMessages(app, contact)
    },
  }
}

/**
 * Looks through everything once, piece by piece, each piece a transaction of its own. Who is stopped on the way begins
 * again: what is erased is not found twice.
 * @param onPiece told after each piece
 */
export async function eraseContactFromMessages(
  app: App,
  contact: DueContact,
  onPiece: () => void = () => {},
): Promise<void> {
  for (const stretch of await begin(app.db, (tx) => listMessageRanges(tx, contact.organization)))
    for (let rest: MessageRange | null = stretch; rest !== null; ) {
      const piece: MessageRange = rest
      rest = await begin(app.db, async (tx) => {
        await renewErasureLease(tx, contact.id, leaseTimes(app).lease_end)
        return eraseNextChunk(tx, contact, piece)
      })
      onPiece()
    }
  await begin(app.db, (tx) => finishErasure(tx, app.clock.now(), contact))
}
