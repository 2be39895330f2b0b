import { allPermissions } from '../../core/access/api-keys.ts'
import {
  createOrganization,
  createUser,
  type Organization,
  setMembership,
  type User,
} from '../../core/access/organizations.ts'
import { type Place, placeInCountry, readPlace } from '../../core/access/places.ts'
import { currencyCountries } from '../../core/ledger/currencies.ts'
import type { Tx } from '../../db/client.ts'
import { DEFAULT_TIME_ZONE, readTimeZone } from '../../lib/text/time-zones.ts'

/** New organization, with the person who may do everything there. */
export interface OwnedOrganization {
  name: string
  /** Default: UTC, and no country. */
  place?: Place
  owner: { name: string; email: string }
}

/**
 * Return the place of a first organization: from its options, else its currency's country, else this machine's time
 * zone.
 * @throws Invalid
 */
export function firstPlace(options: { timeZone?: string; country?: string; currency?: string }): Place {
  const country = options.country?.toUpperCase() ?? currencyCountries[options.currency?.toUpperCase() ?? ''] ?? null
  const machine_zone = readTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? DEFAULT_TIME_ZONE
  const time_zone = options.timeZone ?? placeInCountry(country ?? '')?.time_zone ?? machine_zone
  return readPlace({ time_zone, country })
}

/**
 * Create an organization with its owner, who may do everything.
 * @param known a user who becomes the owner instead of a new one
 * @throws Invalid also if there is a user with the e-mail address of a new owner
 */
export async function createOwnedOrganization(
  tx: Tx,
  now: Date,
  input: OwnedOrganization,
  known?: User,
): Promise<{ organization: Organization; owner: User }> {
  const organization = await createOrganization(tx, now, input.name, input.place)
  const owner = known ?? (await createUser(tx, now, input.owner))
  await setMembership(tx, now, { organization: organization.id, user: owner.id, permissions: allPermissions })
  return { organization, owner }
}
