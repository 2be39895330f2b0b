import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { Country } from '../countries.ts'
import { documented, id } from '../fields.ts'

/** A mobile-money network in one country (the wider interface). */
export const NetworkView = z
  .object({
    id,
    code: documented(z.string(), 'What the filter `network` of the lists takes.', 'sandbox'),
    name: documented(z.string(), 'Name of the network.', 'Sandbox Network'),
    country: Country,
    phone_regex: documented(z.string(), 'What its phone numbers look like, in E.164.', '^\\+256\\d{9}$'),
  })
  .meta({ id: 'Network' })
export type NetworkView = z.output<typeof NetworkView>

/** A network of this installation in one country, as its connector tells. */
export interface NetworkInCountry {
  code: string
  name: string
  /** ISO 3166-1, two letters. */
  country: string
  phone_regex: string
}

/** Gives each network and country an id that stays. What has one keeps it; countries that we do not know are left out. */
export async function registerNetworks(tx: Tx, places: readonly NetworkInCountry[]): Promise<void> {
  await tx`
    insert into networks (code, country)
    select p.code, p.country from ${rows(places, { code: 'text', country: 'text' }).as('p', 'place')}
    join countries c on c.iso = p.country
    where not exists (select 1 from networks n where n.code = p.code and n.country = p.country)
    order by p.place
    on conflict do nothing`
}

/** The networks of this installation that are registered, in the order of their ids. */
export async function listNetworks(db: Reader, places: readonly NetworkInCountry[]): Promise<NetworkView[]> {
  const registered = await db<({ network: number; code: string } & z.output<typeof Country>)[]>`
    select n.id as network, n.code, c.* from networks n join countries c on c.iso = n.country order by n.id`
  return registered.flatMap(({ network, code, ...country }) => {
    const place = places.find((one) => one.code === code && one.country === country.iso)
    return place ? [{ id: network, code, name: place.name, country, phone_regex: place.phone_regex }] : []
  })
}
