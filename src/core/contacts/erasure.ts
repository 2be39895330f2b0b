import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage, type MessageKey } from '../../lib/messages/message.ts'
import { formatLocalPhone, readKnownPhone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { startOfLimits } from '../ledger/last-day.ts'
import { NotFound, Refusal } from '../refusals.ts'
import type { DueContact } from './lookups.ts'
import { ERASED_PREFIX } from './phones.ts'

/** The contact cannot be erased now. The message says why. */
export class ContactInUse extends Refusal {}

/** The value that replaces an erased number. It is unique for each contact and not a phone number. */
export function replacementNumber(contact: number): string {
  return ERASED_PREFIX + contact
}

/**
 * Erases a person on request, in every table with data of the person. The ledger stays: amounts, accounts, times, ids, and the
 * networks' ids, from which only the network can identify the person. A job erases the person from stored messages later
 * (docs/decisions/0011).
 * @param options.lease_end until when, on the real clock, the caller erases the stored messages itself; null leaves them to
 * the job
 * @throws NotFound
 * @throws ContactInUse if the contact is erased already, or has open requests, plans, payments or collections
 */
export async function eraseContact(
  tx: Tx,
  now: Date,
  contact: number,
  options: { author: number; lease_end: Date | null },
): Promise<DueContact> {
  await lockRowsOf(tx, contact)
  const [known] = await tx<(Known & { erased: Date | null })[]>`
    select phone_number, organization, email, number, erased from contacts where id = ${contact} for update`
  if (!known) throw new NotFound(getMessage('contacts.none', { contact }))
  if (known.erased)
    throw new ContactInUse(getMessage('contacts.erased_at', { contact, time: known.erased.toISOString() }))
  await refuseContactInUse(tx, now, contact)
  const [erased] = await tx<DueContact[]>`
    update contacts set first_name = 'Erased', last_name = 'Contact', email = null, phone_number = ${replacementNumber(contact)},
      number = null, notes = '', status = 'inactive', metadata = null, national_id = null, national_id_type = null, name_on_network = '', looked_up = null,
      phone_is_mm_registered = 'unknown', name_matches_network_status = 'unchecked', name_matches_network_score = 0,
      modified = ${truncateToSecond(now)}, updated_by = ${options.author}, erased = ${truncateToSecond(now)},
      number_being_erased = ${known.phone_number}, attempts = 0, due_at = ${now}, leased_until = ${options.lease_end}
    where id = ${contact}
    returning id, organization, phone_number, network_name, attempts, number_being_erased`
  await eraseRows(tx, contact, known)
  return erased!
}

/** Locks the rows of a contact in the order of all transactions, which has the contact among them (ARCHITECTURE.md). */
async function lockRowsOf(tx: Tx, contact: number): Promise<void> {
  const [found] = await tx<Record<LockedTable, number[]>[]>`
    with person as (select id, organization, phone_number from contacts where id = ${contact}),
      requests as materialized (select id from collection_requests where contact = ${contact}),
      recipients as materialized (select id, payment from payment_recipients where contact = ${contact}),
      collected as materialized (select id from collections where contact = ${contact})
    select
      array(select u.id from unassigned_payments u join person p on p.phone_number = u.phonenumber) as unassigned_payments,
      array(select id from requests) as collection_requests,
      array(select payment from recipients) as payments,
      array(select id from recipients) as payment_recipients,
      array(
        select payment_link from request_actions
        where payment_link is not null and (collection_request in (select id from requests)
          or payment in (select id from payments where collection in (select id from collected)))) as payment_links,
      array(select id from person) as contacts,
      array(
        select id from network_orders where collection_request in (select id from requests)
        union all select id from network_orders where payment_recipient in (select id from recipients)) as network_orders,
      array(
        select c.id from acceptance_checks c join person p on p.organization = c.organization and p.phone_number = c.phonenumber
      ) as acceptance_checks,
      array(select id from collected) as collections`
  await Promise.all(
    LOCKED_TABLES.map((table) => {
      const ids = found![table]
      return tx`select id from ${sql.identifier(table)} where id = any(${ids}::bigint[]) order by id for update`
    }),
  )
}

const LOCKED_TABLES = [
  'unassigned_payments',
  'collection_requests',
  'payments',
  'payment_recipients',
  'payment_links',
  'contacts',
  'network_orders',
  'acceptance_checks',
  'collections',
] as const
type LockedTable = (typeof LOCKED_TABLES)[number]

async function refuseContactInUse(tx: Tx, now: Date, contact: number): Promise<void> {
  const [in_use] = await tx<Record<'requests' | 'plans' | 'payments' | 'collections' | 'limited', number[]>[]>`
    select
      array(select id from collection_requests where contact = ${contact} and status in ('pending', 'processing_started', 'instructions_sent')
        order by id limit 5) as requests,
      array(select p.id from plans p join collection_requests r on r.id = p.collection_request
        where r.contact = ${contact} and (p.due_at is not null or p.paused is not null and p.stopped is null) order by p.id limit 5) as plans,
      array(select payment from payment_recipients
        where contact = ${contact} and state not in ('complete', 'error', 'aborted') order by id limit 5) as payments,
      array(select id from collections where contact = ${contact} and status = 'pending' order by id limit 5) as collections,
      -- Without its number, what it got would no longer count against the limit for one phone number.
      array(select p.id from payment_recipients r join payments p on p.id = r.payment and p.organization = r.organization
        join payment_limits l on l.organization = p.organization and l.currency = p.currency and l.per_recipient is not null
        where r.contact = ${contact} and r.state = 'complete' and greatest(p.created, p.approved_time) > ${startOfLimits(now)}
        order by p.id limit 5) as limited`
  const needs: [MessageKey, number[]][] = [
    ['parts.requests', in_use!.requests],
    ['parts.plans', in_use!.plans],
    ['parts.payments', in_use!.payments],
    ['parts.collections', in_use!.collections],
    ['parts.limited', in_use!.limited],
  ]
  const steps = needs.flatMap(([key, ids]) => (ids.length > 0 ? [getMessage(key, { ids: ids.join(', ') })] : []))
  if (steps.length > 0) throw new ContactInUse(getMessage('contacts.needed', { steps_texts: steps.join(', and ') }))
}

/** Data of a contact before the erasure. */
interface Known {
  phone_number: string
  organization: number
  email: string | null
  number: string | null
}

/** Erases the contact in every table with rows of contacts. Add each new table of that kind here. */
async function eraseRows(tx: Tx, contact: number, known: Known) {
  const replacement = replacementNumber(contact)
  const { phone_number, organization, email, number } = known
  await Promise.all([
    eraseCustomer(tx, contact, known),
    // Money that waits for an account may be for any organization, and still needs its number.
    tx`
      update unassigned_payments set phonenumber = ${replacement}, reference = null
      where phonenumber = ${phone_number}
        and (state = 'reversed' or collection in (select id from collections where contact = ${contact}))`,
    // Requests before collections: a reversal by the network locks them in this order.
    tx`
      update collection_requests set phonenumber = ${replacement}, reason = '', metadata = '{}', success_message = '',
        instructions = null where contact = ${contact}`,
    // Status queries name orders by reference. Money that comes late belongs to the erased contact.
    tx`
      update network_orders set phonenumber = ${replacement}, reason = ''
      where collection_request in (select id from collection_requests where contact = ${contact})`,
    tx`
      update network_orders set phonenumber = ${replacement}, reason = ''
      where payment_recipient in (select id from payment_recipients where contact = ${contact})`,
    tx`update collections set phonenumber = ${replacement}, reference = null where contact = ${contact}`,
    tx`
      update payment_recipients set phonenumber = ${replacement}, description = '', metadata = '{}', national_id = null,
        national_id_type = null where contact = ${contact}`,
    erasePayments(tx, contact),
    // A row that is no payment yet is left out: a row without its number pays no person.
    tx`
      update bulk_payment_rows set phonenumber = ${replacement}, name = '', description = '', cells = '{}',
        decision = case when recipient is null then 'skip' else decision end
      where organization = ${organization} and phonenumber = ${phone_number}`,
    // The number of a refused row may be unreadable.
    tx`
      delete from contact_import_refusals
      where organization = ${organization} and (phone_number = ${phone_number} or lower(email) = ${email?.toLowerCase() || null}
        or lower(customer_number) = ${number?.toLowerCase() ?? null} or position(${phone_number} in payers) > 0)`,
    eraseActions(tx, contact),
    eraseMatches(tx, contact),
    eraseSms(tx, contact, known),
    eraseReceipts(tx, contact),
    // The archive's data of the person can't be read without the key (docs/decisions/0044).
    tx`
      delete from archive_keys
      where contact = ${contact} or organization = ${organization} and phonenumber = ${phone_number}`,
    eraseInvoices(tx, contact),
    eraseFindings(tx, contact, known),
    tx`
      update acceptance_checks set phonenumber = ${replacement}, reference = null, reason = null
      where organization = ${organization} and phonenumber = ${phone_number} and verdict is not null`,
  ])
}

/** Erases the texts of payments to no other person, and the reasons why people rejected or cancelled them. */
async function erasePayments(tx: Tx, contact: number): Promise<void> {
  const own = sql`
    p.id in (select payment from payment_recipients where contact = ${contact})
    and not exists (select 1 from payment_recipients r where r.payment = p.id and r.contact <> ${contact})`
  await tx`
    update payments p set description = '', metadata = '{}', rejected_reason = case when rejected_reason is not null then '' end,
      cancelled_reason = case when cancelled_reason is not null then '' end
    where ${own}`
  await tx`
    update payment_transitions set note = ''
    where note <> '' and to_state in ('rejected', 'cancelled') and payment in (select p.id from payments p where ${own})`
}

/**
 * Erases the contact's fields as a customer, and the person among the payers of others. The number can be given to
 * somebody else.
 */
async function eraseCustomer(tx: Tx, contact: number, { phone_number, organization }: Known): Promise<void> {
  await tx`delete from contact_number_keys where contact = ${contact}`
  await tx`delete from contact_tags where contact = ${contact}`
  await tx`
    delete from contact_payers
    where contact = ${contact} or organization = ${organization} and phone_number = ${phone_number}`
}

/**
 * Erases the comments of people on their actions, and the titles of the payment links that they sent, which take no
 * more money.
 */
async function eraseActions(tx: Tx, contact: number): Promise<void> {
  const mine = sql`(
    collection_request in (select id from collection_requests where contact = ${contact})
    or payment in (select id from payments p where collection in (select id from collections where contact = ${contact})))`
  await tx`
    update payment_links set title = 'Erased', success_message = '', closed = true
    where id in (select payment_link from request_actions where ${mine})`
  await tx`update request_actions set comment = '' where ${mine}`
}

/**
 * Erases the SMS from and to a person. That a person wants no SMS is kept, because only this keeps others from sending them
 * (docs/decisions/0033).
 */
async function eraseSms(
  tx: Tx,
  contact: number,
  { phone_number, organization }: { phone_number: string; organization: number },
): Promise<void> {
  const replacement = replacementNumber(contact)
  await tx`
    update sms_messages set phonenumber = ${replacement}, body = '', remote_id = null, provider_ids = null,
      last_error = case when last_error is not null or state = 'waiting' then '' end, due_at = null, leased_until = null,
      state = case when state = 'waiting' then 'failed' else state end, providers = (
        select coalesce(json_agg(p order by place), '[]') from (
          select place, json_agg(case when n = 4 then 'null'::jsonb when n > 10 then e - 5 else e end order by n) as p
          from json_array_elements(providers) with ordinality as used (p, place)
          cross join lateral jsonb_array_elements(p::jsonb) with ordinality as elements (e, n) group by place) erased)
    where collection_request in (select id from collection_requests where contact = ${contact})
      or organization = ${organization} and phonenumber = ${phone_number}`
  await tx`
    update sms_incoming set phonenumber = ${replacement}, body = ''
    where organization = ${organization} and phonenumber = ${phone_number}`
  await tx`
    delete from sms_consents
    where organization = ${organization} and phonenumber = ${phone_number} and state = 'given'`
}

/** Erases the person from differences between statements and the ledger: statements write numbers in many forms. */
async function eraseFindings(tx: Tx, contact: number, { phone_number, organization }: Known): Promise<void> {
  const country = readKnownPhone(phone_number)?.country
  const forms = [phone_number, country === undefined ? phone_number : formatLocalPhone(phone_number, country)]
  const digits = forms.map((form) => form.replace(/\D/g, ''))
  await tx`
    update reconciliation_findings f set stated_phone = null, stated_name = null, entry_note = null, note = '',
      entry_phone = case when entry_phone is not null then ${replacementNumber(contact)} end,
      problem = case when problem = '' then '' else 'Erased.' end
    from reconciliation_runs r
    where r.id = f.run and r.organization = ${organization}
      and (regexp_replace(coalesce(f.stated_phone, ''), '\\D', '', 'g') = any(${digits}::text[])
        or f.entry_phone = ${phone_number}
        or exists (select from collections c
          where c.contact = ${contact} and c.connection = r.connection and c.remote_transaction_id = f.remote_id)
        or exists (select from payment_recipients p
          where p.contact = ${contact} and p.connection = r.connection and p.remote_transaction_id = f.remote_id))`
}

/**
 * Erases receivers of receipts, and waiting receipts are not sent. Receipts keep their number and amount, as the law
 * demands.
 */
async function eraseReceipts(tx: Tx, contact: number): Promise<void> {
  await tx`
    with erased as (
      update receipt_sends set recipient = ${replacementNumber(contact)}
      where receipt in (
        select r.id from receipts r join collections c on c.id = r.collection where c.contact = ${contact})
      returning channel, message)
    delete from mails where id in (select message from erased where channel = 'email')`
}

/** Erases notes of people about the purpose of money. */
async function eraseMatches(tx: Tx, contact: number): Promise<void> {
  const collections = sql`(
    select id from collections where contact = ${contact}
    union select collection from allocations where contact = ${contact}
    union select collection from allocations where invoice in (select id from invoices where contact = ${contact}))`
  await tx`update allocations set note = '' where note <> '' and collection in ${collections}`
  await tx`
    update control_changes set change = (change::jsonb #- '{request,note}')::json
    where change->'request'->>'note' is not null
      and (change->'request'->>'collection')::bigint in ${collections}`
}

/**
 * Invoices keep number, lines, amounts and dates, as the law demands. Name, notes, the reason of a void and the recipients are
 * erased, and nothing reminds the person any more. Drafts are deleted: nothing demands that they are kept.
 */
async function eraseInvoices(tx: Tx, contact: number): Promise<void> {
  await tx`
    with erased as (
      update invoice_sends set recipient = ${replacementNumber(contact)}
      where invoice in (select id from invoices where contact = ${contact})
      returning channel, message)
    delete from mails where id in (select message from erased where channel = 'email')`
  await tx`delete from invoices where contact = ${contact} and state = 'draft'`
  await tx`
    update invoices set customer_name = '', notes = '', void_reason = '', due_at = null, leased_until = null
    where contact = ${contact}`
}
