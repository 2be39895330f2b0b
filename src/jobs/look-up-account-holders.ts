import type { App } from '../app.ts'
import {
  claimDueContacts,
  type DueContact,
  type LookedUp,
  nextDueContact,
  settleLookups,
} from '../core/contacts/lookups.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { ask } from './call-network.ts'
import { timesOf } from './lease-times.ts'

/** Asks the networks who holds the numbers of new contacts. One lane: nobody waits for a name, and money goes first. */
export function lookUpContacts(app: App): Job<DueContact> {
  return {
    name: 'look-up-contacts',
    limit: 32,
    lanes: 1,
    claim: (limit) => begin(app.db, (tx) => claimDueContacts(tx, timesOf(app), limit)),
    nextDue: () => nextDueContact(app.db, app.clock.real(), 'look-up'),
    due_tells_all: true,
    async run(contacts) {
      const answers = await Promise.all(contacts.map((contact) => lookUp(app, contact)))
      await begin(app.db, (tx) => settleLookups(tx, answers))
    },
  }
}

/** A network that cannot say now is asked again after these waits, and then no more: a name is worth little trouble. */
const AGAIN_AFTER_S = [60, 600, 3_600, 21_600]

async function lookUp(app: App, { id, phone_number, network_name, tries }: DueContact): Promise<LookedUp> {
  const network = app.networks.find((one) => one.name === network_name)
  if (!network?.findHolder) return { contact: id, outcome: 'unknown', again: null }
  const answer = await ask(app, network, () => network.findHolder!(phone_number))
  if (answer.outcome !== 'unknown') return { contact: id, ...answer }
  const wait_s = AGAIN_AFTER_S[tries - 1]
  const again = wait_s === undefined ? null : new Date(app.clock.now().getTime() + wait_s * 1_000)
  return { contact: id, outcome: 'unknown', again }
}
