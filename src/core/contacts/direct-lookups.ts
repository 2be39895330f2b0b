import { databaseOf } from '../../db/before-commit.ts'
import type { Tx } from '../../db/client.ts'

/** A contact that is due for a look-up of its account holder, or for the erasure of its number from messages. */
export interface DueContact {
  id: number
  organization: number
  phone_number: string
  network_name: string
  attempts: number
  /** The number to erase from messages; null for a look-up. */
  number_being_erased: string | null
}

/** Look-ups of a process, as it offers them to the transactions that create contacts. */
export interface DirectLookups {
  /** Takes places for new contacts: at most this number. @returns how many, and the end of their leases on the real clock */
  take(most: number): { count: number; lease_end: Date }
  /** Looks contacts up whose transaction has committed, and gives the other places back. */
  use(contacts: readonly DueContact[], places: { count: number; lease_end: Date }): void
}

const offers = new WeakMap<object, DirectLookups>()

/** Offers the look-ups of this process to its transactions. */
export function offerDirectLookups(db: object, lookups: DirectLookups): void {
  offers.set(db, lookups)
}

/** Leases of new contacts, whose process looks them up as soon as they are stored. No claim writes them again. */
export interface NewLeases {
  count: number
  lease_end: Date
  /** Says which contacts were stored under the leases. */
  stored(contacts: readonly DueContact[]): void
}

/** Takes leases for contacts that are stored now, as many as this process can look up; undefined for none. */
export function leaseNewContacts(tx: Tx, most: number): NewLeases | undefined {
  const db = databaseOf(tx)
  const lookups = db && offers.get(db)
  if (!lookups || most === 0) return undefined
  const places = lookups.take(most)
  if (places.count === 0) return undefined
  let contacts: readonly DueContact[] = []
  tx.whenOver((committed) => lookups.use(committed ? contacts : [], places))
  return { ...places, stored: (stored) => (contacts = stored) }
}
