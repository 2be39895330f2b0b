import type { Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { type Contact, compareNames, contactColumns, contactKey, isAnonymous, readContacts } from '../contacts.ts'
import type { KnownChoice } from './row.ts'

/** What a file says about a person. What it leaves out stays. */
export interface ContactAddition {
  organization: number
  phone_number: string
  author: number
  first_name?: string
  last_name?: string
  email?: string
  type?: string
}

type Known = Contact & { erased: Date | null }

/**
 * Writes what a file says into contacts that exist: into those without a name always, into the others if `known` says so. A contact
 * that has it all already does not change. It locks the contacts in the order of their ids.
 * @returns how many were changed
 */
export async function completeContacts(
  tx: Tx,
  now: Date,
  additions: readonly ContactAddition[],
  known: KnownChoice,
): Promise<number> {
  const found = [...(await readContacts(tx, additions)).values()]
  const chosen = found.filter((contact) => known === 'update' || isAnonymous(contact))
  if (chosen.length === 0) return 0
  const locked = await tx<Known[]>`
    select ${contactColumns()}, erased from contacts where id = any(${chosen.map(({ id }) => id)}::bigint[])
    order by id for no key update`
  const by_key = new Map(additions.map((addition) => [contactKey(addition), addition]))
  // Another transaction may have named or erased some of them before these locks were granted.
  const changes = locked.flatMap((contact) => {
    const addition = by_key.get(contactKey(contact))
    if (!addition || contact.erased || (known === 'skip' && !isAnonymous(contact))) return []
    const changed = applyAddition(contact, addition)
    return changed ? [changed] : []
  })
  if (changes.length === 0) return 0
  const source = rows(changes, {
    ...({ id: 'bigint', organization: 'bigint', first_name: 'text', last_name: 'text', email: 'text' } as const),
    ...({ type: 'text', author: 'bigint', name_matches_network_status: 'text' } as const),
    name_matches_network_score: 'double precision',
  })
  const updated = await tx`
    update contacts c set first_name = u.first_name, last_name = u.last_name, email = u.email, type = u.type,
      name_matches_network_status = u.name_matches_network_status,
      name_matches_network_score = u.name_matches_network_score,
      modified = ${truncateToSecond(now)}, updated_by = u.author
    from ${source.as('u')} where c.id = u.id and c.organization = u.organization`
  return updated.count
}

/** The contact with what the file says; undefined if it has that already. */
function applyAddition(contact: Known, addition: ContactAddition) {
  const { first_name = contact.first_name, last_name = contact.last_name, author } = addition
  const { email = contact.email, type = contact.type } = addition
  const { id, organization, name_on_network } = contact
  const same =
    first_name === contact.first_name &&
    last_name === contact.last_name &&
    email === contact.email &&
    type === contact.type
  if (same) return undefined
  return {
    ...{ id, organization, author, first_name, last_name, email, type },
    ...compareNames({ first_name, last_name, name_on_network }),
  }
}
