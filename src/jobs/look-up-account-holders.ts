import type { App } from '../app.ts'
import {
  applyLookupResults,
  claimLookups,
  type DueContact,
  type LookupResult,
  nextDueContact,
} from '../core/contacts/lookups.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { callNetwork } from './shared/call-network.ts'
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
    claim: (limit) => begin(app.db, (tx) => claimLookups(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueContact(app.db, app.clock.real(), 'look-up'),
    next_due_is_complete: true,
    async run(contacts) {
      const results = await Promise.all(contacts.map((contact) => lookUpAccountHolder(app, contact)))
      await begin(app.db, (tx) => applyLookupResults(tx, results))
    },
  }
}

/** The waits before a network that gave no answer is asked again. After the last one the contact stays without a name. */
const RETRY_WAITS_S = [60, 600, 3_600, 21_600]

async function lookUpAccountHolder(
  app: App,
  { id, phone_number, network_name, attempts }: DueContact,
): Promise<LookupResult> {
  const connection = app.connections
    .list()
    .find(({ name, operations, state }) => name === network_name && operations.accountHolder && state === 'active')
  if (!connection) return { contact: id, outcome: 'unknown', retry_at: null }
  const about = { call: 'accountHolder', contact: id } as const
  const answer = await callNetwork(app, connection, about, () => connection.operations.accountHolder!(phone_number))
  if (answer.outcome !== 'unknown') return { contact: id, ...answer }
  const wait_s = RETRY_WAITS_S[attempts - 1]
  const retry_at = wait_s === undefined ? null : new Date(app.clock.now().getTime() + wait_s * 1_000)
  return { contact: id, outcome: 'unknown', retry_at }
}
