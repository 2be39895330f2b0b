import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { Country } from '../countries.ts'
import { documented, id } from '../fields.ts'

/** A mobile-money network in one country (the wider interface). */
export const NetworkView = z
  .object({
    id,
    code: documented(z.string(), 'Value for the filter `network` of the lists.', 'sandbox'),
    name: documented(z.string(), 'Name of the network.', 'Sandbox Network'),
    country: Country,
    phone_regex: documented(z.string(), 'Pattern of its phone numbers, in E.164.', '^\\+256\\d{9}$'),
  })
  .meta({ id: 'Network' })
export type NetworkView = z.output<typeof NetworkView>

/** A network of this installation in one country, as its adapter describes it. */
interface NetworkInCountry {
  code: string
  name: string
  /** ISO 3166-1, two letters. */
  country: string
  phone_regex: string
}

/** Gives each network and country a permanent id, unless it has one already. Unknown countries are left out. */
export async function registerNetworks(tx: Tx, networks: readonly NetworkInCountry[]): Promise<void> {
  await tx`
    insert into networks (code, country)
    select p.code, p.country from ${rows(networks, { code: 'text', country: 'text' }).as('p', 'position')}
    join countries c on c.iso = p.country
    where not exists (select 1 from networks n where n.code = p.code and n.country = p.country)
    order by p.position
    on conflict do nothing`
}

/** The networks of this installation that are registered, in the order of their ids. */
export async function listNetworks(db: Reader, networks: readonly NetworkInCountry[]): Promise<NetworkView[]> {
  const registered = await db<({ id: number; code: string } & z.output<typeof Country>)[]>`
    select n.id, n.code, c.* from networks n join countries c on c.iso = n.country order by n.id`
  return registered.flatMap(({ id, code, ...country }) => {
    const known = networks.find((candidate) => candidate.code === code && candidate.country === country.iso)
    return known ? [{ id, code, name: known.name, country, phone_regex: known.phone_regex }] : []
  })
}
