import type { App } from '../app.ts'
import { askAccountHolder } from '../connections/payouts/account-holders.ts'
import {
  applyLookupResults,
  claimLookups,
  type DueContact,
  type LookupResult,
  nextDueContact,
} from '../core/contacts/lookups.ts'
import { beginFrequent } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { leaseTimes } from './shared/lease-times.ts'

/**
 * Asks the networks for the account holders of new contacts' numbers. One batch at a time: no caller waits for a name, and
 * payments come first.
 */
export function lookUpAccountHolders(app: App): Job<DueContact> {
  return {
    name: 'look-up-account-holders',
    limit: 32,
    concurrency: 1,
    claim: (limit) => beginFrequent(app.db, (tx) => claimLookups(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueContact(app.db.polling, app.clock.real(), 'look-up'),
    next_due_is_complete: true,
    async run(contacts) {
      const results = await Promise.all(contacts.map((contact) => lookUpAccountHolder(app, contact)))
      const apply = (batch: readonly LookupResult[]) =>
        beginFrequent(app.db, (tx) => applyLookupResults(tx, app.clock.now(), batch))
      await applyInBatch(results, apply, app.log)
    },
  }
}

/** The waits before a network that gave no answer is asked again. After the last one the contact stays without a name. */
const RETRY_WAITS_S = [60, 600, 3_600, 21_600]

async function lookUpAccountHolder(app: App, contact: DueContact): Promise<LookupResult> {
  const { id, organization, phone_number, network_name, attempts } = contact
  const answer = await askAccountHolder(app, { organization, phone_number, network_name, contact: id })
  if (answer && answer.outcome !== 'unknown') return { contact: id, ...answer }
  const wait_s = answer && RETRY_WAITS_S[attempts - 1]
  const retry_at = wait_s === undefined ? null : new Date(app.clock.now().getTime() + wait_s * 1_000)
  return { contact: id, outcome: 'unknown', retry_at }
}
