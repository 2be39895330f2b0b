import type { App } from '../app.ts'
import type { Connection } from '../connections/connection.ts'
import { callNetwork } from '../connections/tools/call-network.ts'
import {
  applyLookupResults,
  claimLookups,
  type DueContact,
  type LookupResult,
  nextDueContact,
} from '../core/contacts/lookups.ts'
import { beginFrequent } from '../db/client.ts'
import type { AccountHolderLookup } from '../lib/adapter-types.ts'
import type { Job } from '../lib/loop.ts'
import { readKnownPhone } from '../lib/phone.ts'
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
  const { id, network_name, attempts } = contact
  const able = app.connections
    .list()
    .filter(
      ({ operations, state, organization }) =>
        operations.accountHolder &&
        state === 'active' &&
        (organization ?? contact.organization) === contact.organization,
    )
  const connection = able.find(({ name }) => name === network_name)
  if (!connection) return { contact: id, outcome: 'unknown', retry_at: null }
  const answer = await ask(app, connection, contact)
  if (answer.outcome === 'not_found')
    return { contact: id, ...((await askOthers(app, able, connection, contact)) ?? answer) }
  if (answer.outcome !== 'unknown') return { contact: id, ...answer }
  const wait_s = RETRY_WAITS_S[attempts - 1]
  const retry_at = wait_s === undefined ? null : new Date(app.clock.now().getTime() + wait_s * 1_000)
  return { contact: id, outcome: 'unknown', retry_at }
}

/** The networks of the same country are asked in turn: the number may have been ported to one of them. */
async function askOthers(app: App, able: readonly Connection[], first: Connection, contact: DueContact) {
  const country = readKnownPhone(contact.phone_number)?.country
  const others = able.filter(
    (one, index) =>
      one.name !== first.name &&
      one.driver.places.some((place) => place.country === country) &&
      able.findIndex(({ name }) => name === one.name) === index,
  )
  for (const connection of others) {
    const answer = await ask(app, connection, contact)
    if (answer.outcome === 'found') return { ...answer, network_name: connection.name }
  }
  return undefined
}

function ask(app: App, connection: Connection, { id, phone_number }: DueContact): Promise<AccountHolderLookup> {
  const about = { call: 'accountHolder', contact: id } as const
  return callNetwork(app, connection, about, () => connection.operations.accountHolder!(phone_number))
}
