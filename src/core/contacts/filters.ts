import type { z } from 'zod'
import { type Fragment, sql } from '../../db/sql.ts'
import { exactPhone, exactText } from '../filters.ts'
import { equals, type List, pageQuery, type SortedPage, timeConditions, timeFilters } from '../list-query.ts'
import { keysOfNumber } from '../numbers/keys.ts'
import {
  hasId,
  hasPhone,
  hasText,
  isFoundBy,
  isNamed,
  isWholePhone,
  type SearchFilters,
  type TextWays,
} from '../typed-search/list-text.ts'
import { CONTACTS, PAYERS } from '../typed-search/names.ts'
import type { SearchTerms } from '../typed-search/terms.ts'

/** The filters of the list (the wider interface). */
export const contactFilters = {
  first_name: exactText('First name.', 'Jane'),
  last_name: exactText('Last name.', 'Doe'),
  email: exactText('E-mail address.', 'jane@example.com'),
  phone_number: exactPhone(),
  number: exactText('Customer number, ignoring case, blanks, dashes and leading zeros.', 'P5-017'),
  tag: exactText('Tag, ignoring case.', 'P5'),
  payer: exactPhone().meta({
    description: 'Phone of another payer of the contact.',
    examples: ['+80000000009'],
  }),
  created_after: timeFilters.created_after,
  created_before: timeFilters.created_before,
}
/** Filters of contacts in the console: the interface's filters, and `search` for a typed text. */
export type ContactFilters = z.output<z.ZodObject<typeof contactFilters>> & SearchFilters

/** A page of contacts and its order. */
export type ContactPageOptions = SortedPage<'id' | 'created' | 'modified'>

/** The list of an organization's contacts. Every filter of the interface has an index. */
const contactList: List<ContactFilters> = {
  table: 'contacts',
  conditions: (organization, filters) => ({
    first_name: equals('first_name'),
    last_name: equals('last_name'),
    email: equals('email'),
    phone_number: equals('phone_number'),
    number: (text) => hasKey(organization, text),
    tag: (tag) => hasTag(organization, tag),
    payer: (phone) => sql`
      id = any(array(select contact from contact_payers where organization = ${organization} and phone_number = ${phone}))`,
    created_after: timeConditions.created_after,
    created_before: timeConditions.created_before,
    search: () => isFoundBy('contacts', organization, filters, (terms) => searchWays(organization, terms)),
    searched_rows: () => sql.always,
  }),
}

function searchWays(organization: number, terms: SearchTerms): TextWays {
  const isPhone = isWholePhone(organization, terms)
  const [has_name, has_phone] = [hasText('name', terms), hasPhone('phone_number', terms)]
  const is_payer = has_phone ? sql`${has_name} or ${has_phone}` : has_name
  const emails = [...terms.exact, terms.text.toLowerCase()]
  return {
    indexed: [
      hasId(terms),
      isPhone?.(CONTACTS),
      sql`email = any(${emails}::text[])`,
      isNamed(organization, terms),
      hasKey(organization, terms.text),
      hasTag(organization, terms.text),
      isPaidForBy(organization, isNamed(organization, terms, PAYERS)),
      isPaidForBy(organization, isPhone?.(PAYERS)),
    ],
    parts: [has_phone, hasText('email', terms)],
    related: [
      { table: 'contact_tags', column: 'contact', condition: hasText('tag', terms) },
      { table: 'contact_payers', column: 'contact', condition: is_payer },
    ],
  }
}

/** The condition that a contact has this tag, in any case. */
function hasTag(organization: number, tag: string): Fragment {
  return sql`
    id = any(array(select contact from contact_tags where organization = ${organization} and lower(tag) = lower(${tag})))`
}

/** The condition that a contact has a payer who meets this condition. */
function isPaidForBy(organization: number, condition: Fragment | undefined): Fragment | undefined {
  return (
    condition && sql`id in (select contact from contact_payers where organization = ${organization} and ${condition})`
  )
}

/** The condition that a contact has a number that may be written like this. */
function hasKey(organization: number, text: string): Fragment {
  const { whole, joined } = keysOfNumber(text) ?? { whole: '', joined: [] }
  return sql`
    id = any(array(
      select contact from contact_number_keys
      where organization = ${organization} and key = any(${[whole, ...joined]}::text[])))`
}

/** The SQL query for one page of an organization's contacts (see `pageQuery`). */
export function contactPageQuery(organization: number, filters: ContactFilters, page: ContactPageOptions): Fragment {
  return pageQuery(contactList, organization, filters, page)
}
