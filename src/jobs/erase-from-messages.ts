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
import { leaseTimes } from './shared/lease-times.ts'

/** Erases the contacts that were erased from stored messages too: events, webhook deliveries and callbacks. */
export function eraseFromMessages(app: App): Job<DueContact> {
  return {
    name: 'erase-from-messages',
    limit: 1,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => claimErasures(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueContact(app.db.polling, app.clock.real(), 'erasure'),
    next_due_is_complete: true,
    async run(contacts) {
      for (const contact of contacts) await eraseContactFromMessages(app, contact)
    },
  }
}

/**
 * Erases a contact from all stored messages, which it reads once, chunk by chunk, each chunk in a separate transaction.
 * After an interruption it starts again from the beginning, and finds only the remaining ones.
 * @param onChunk called after each chunk.
 */
export async function eraseContactFromMessages(
  app: App,
  contact: DueContact,
  onChunk: () => void = () => {},
): Promise<void> {
  for (const range of await begin(app.db, (tx) => listMessageRanges(tx, contact)))
    for (let remaining: MessageRange | null = range; remaining !== null; ) {
      const current: MessageRange = remaining
      remaining = await begin(app.db, async (tx) => {
        await renewErasureLease(tx, contact.id, leaseTimes(app).lease_end)
        return eraseNextChunk(tx, contact, current)
      })
      onChunk()
    }
  await begin(app.db, (tx) => finishErasure(tx, app.clock.now(), contact))
}
