import { type Fragment, sql } from '../../db/sql.ts'

/** The prefix of the values that replace erased numbers. */
export const ERASED_PREFIX = 'erased-'

/** Begins the stored phone number of a customer who has none. The whole key of the customer number follows. */
const NO_PHONE_PREFIX = 'none:'

/** True if a stored phone number is real: erased persons and customers without a phone have other texts there. */
export function isPhone(phone_number: string): boolean {
  return phone_number.startsWith('+')
}

/** Returns the stored phone number of a customer without a phone. @param key the whole key of the customer number */
export function noPhone(key: string): string {
  return NO_PHONE_PREFIX + key
}

/** A stored phone number as it is shown: empty for a customer who has none. */
export function shownPhone(phone_number: string): string {
  return phone_number.startsWith(NO_PHONE_PREFIX) ? '' : phone_number
}

/** The SQL of `shownPhone`. @param contact the name of the contact's table in the statement */
export function selectShownPhone(contact: string): Fragment {
  const phone = sql.identifier(`${contact}.phone_number`)
  return sql`case when starts_with(${phone}, ${NO_PHONE_PREFIX}) then '' else ${phone} end`
}

/**
 * SQL: the phone to ask for a customer: the customer's own, otherwise the first payer's. Null if there is none.
 * @param contact the name of the contact's table in the statement
 */
export function selectAskedPhone(contact: string): Fragment {
  const phone = sql.identifier(`${contact}.phone_number`)
  return sql`case when starts_with(${phone}, '+') then ${phone} else (
    select payer.phone_number from contact_payers payer where payer.contact = ${sql.identifier(`${contact}.id`)}
    order by payer.position limit 1) end`
}

/** The SQL of the ids of the customers for whom this phone is asked, as `selectAskedPhone` finds it. */
export function selectCustomersAskedAt(organization: number, phone_number: string): Fragment {
  return sql`
    select id from contacts where organization = ${organization} and phone_number = ${phone_number}
    union all
    select asked.id from contact_payers p join contacts asked on asked.id = p.contact
    where p.organization = ${organization} and p.phone_number = ${phone_number}
      and not starts_with(asked.phone_number, '+') and ${selectAskedPhone('asked')} = ${phone_number}`
}
