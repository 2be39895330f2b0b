import type { App } from '../app.ts'
import { askAccountHolder } from '../connections/payouts/account-holders.ts'
import { offerDirectLookups } from '../core/contacts/direct-lookups.ts'
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
import { LEASE_MS, leaseTimes } from './shared/lease-times.ts'

/** Maximum number of look-ups at a time. */
const MAX_LOOKUPS = 32
/** Maximum number of new contacts that wait in this process. */
const MAX_WAITING = 4 * MAX_LOOKUPS

/**
 * Asks the networks for the account holders of new contacts' numbers. One batch at a time: no caller waits for a name, and
 * payments come first. While no contact waits, this process looks up at once those that it creates.
 */
export function lookUpAccountHolders(app: App): Job<DueContact> {
  const direct = createDirectLookups(app)
  return {
    name: 'look-up-account-holders',
    limit: MAX_LOOKUPS,
    concurrency: 1,
    async claim(limit) {
      if (direct.hasContacts()) return direct.takeContacts(limit)
      return beginFrequent(app.db, (tx) => claimLookups(tx, leaseTimes(app), limit))
    },
    async nextDue() {
      const due = await nextDueContact(app.db.polling, app.clock.real(), 'look-up')
      direct.noteIdle(due === null || due > app.clock.now())
      return direct.hasContacts() ? app.clock.now() : due
    },
    next_due_is_complete: true,
    async run(contacts) {
      const results = await Promise.all(contacts.map((contact) => lookUpAccountHolder(app, contact)))
      const apply = (batch: readonly LookupResult[]) =>
        beginFrequent(app.db, (tx) => applyLookupResults(tx, app.clock.now(), batch))
      await applyInBatch(results, apply, app.log)
    },
  }
}

/** Contacts that this process creates and looks up as soon as they are stored. */
interface DirectLookups {
  /** Notes if no contact waits. Only then are new ones looked up at once. */
  noteIdle(is_idle: boolean): void
  hasContacts(): boolean
  /** Takes the contacts whose leases leave enough time. The others are due when these are over. */
  takeContacts(limit: number): DueContact[]
}

/** Longest time between a look at what waits, and a contact that is looked up at once because of it. */
const IDLE_MS = 5_000

function createDirectLookups(app: App): DirectLookups {
  let waiting: { contact: DueContact; until_ms: number }[] = []
  let idle_until_ms = 0
  /** Places of transactions that are not over. */
  let taken = 0
  const lookups = {
    take(most: number) {
      const is_idle = app.clock.real().getTime() < idle_until_ms
      const count = is_idle ? Math.max(0, Math.min(most, MAX_WAITING - waiting.length - taken)) : 0
      // From now on contacts wait for their turn, and none passes them.
      if (count < most) idle_until_ms = 0
      taken += count
      return { count, lease_end: leaseTimes(app).lease_end }
    },
    use(contacts: readonly DueContact[], { count, lease_end }: { count: number; lease_end: Date }) {
      taken -= count
      const until_ms = lease_end.getTime() - LEASE_MS / 2
      waiting.push(...contacts.map((contact) => ({ contact, until_ms })))
    },
  }
  return {
    noteIdle(is_idle) {
      idle_until_ms = is_idle ? app.clock.real().getTime() + IDLE_MS : 0
      offerDirectLookups(app.db, lookups)
    },
    hasContacts: () => waiting.length > 0,
    takeContacts(limit) {
      const real_ms = app.clock.real().getTime()
      const timely = waiting.filter(({ until_ms }) => real_ms < until_ms)
      waiting = timely.slice(limit)
      return timely.slice(0, limit).map(({ contact }) => contact)
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
