import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { isEmail } from '../../lib/text/email.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { recordEvents } from '../events/events.ts'
import {
  choiceError,
  documented,
  fieldMessages,
  metadata,
  nullable,
  optional,
  optionalName,
  phonenumber,
  requiredText,
  text,
} from '../fields.ts'
import { Invalid } from '../refusals.ts'
import { Contact, compareNames, contactTable, missingNames, NEW_CONTACT } from './contacts.ts'
import { customerNotes, customerNumber, customerShape, payerList, tagList } from './customer-fields.ts'
import {
  deleteNumberKeys,
  refuseNumber,
  selectPayers,
  selectTags,
  wholeKey,
  writeNumberKeys,
  writeParts,
} from './customers.ts'
import { type ContactFilters, type ContactPageOptions, contactPageQuery } from './filters.ts'
import { noPhone, selectShownPhone } from './phones.ts'

export const contactTypes = ['employee', 'beneficiary', 'vendor', 'other'] as const
const contactStatuses = ['active', 'inactive'] as const
const nationalIdTypes = ['passport', 'military', 'national'] as const

/**
 * Contact with all its fields (the wider interface): those of section 2.6, its identity document, and its fields as a
 * customer.
 */
export const ContactDetails = z
  .object({
    ...Contact.shape,
    phone_number: documented(z.string(), 'E.164; empty for a customer without a phone.', '+80000000000'),
    national_id: documented(z.string().nullable(), 'Number of an identity document.', null, 'CM12345678ABCD'),
    national_id_type: documented(z.enum(nationalIdTypes).nullable(), 'Type of the document.', null, 'national'),
    ...customerShape,
  })
  .meta({ id: 'ContactDetails' })
export type ContactDetails = z.output<typeof ContactDetails>

/** The characters of a first or a last name. */
export const MAX_NAME_LENGTH = 100

const fields = {
  first_name: documented(requiredText(MAX_NAME_LENGTH), 'First name.', 'Jane'),
  last_name: documented(requiredText(MAX_NAME_LENGTH), 'Last name.', 'Doe'),
  email: documented(text(254).refine(isEmail, fieldMessages.email), 'E-mail address.', 'jane@example.com'),
  metadata,
  type: choiceField(contactTypes, 'Type of contact.'),
  status: choiceField(contactStatuses, 'Whether the contact is in use.'),
  national_id: documented(requiredText(50), 'Number of an identity document.', 'CM12345678ABCD'),
  national_id_type: choiceField(nationalIdTypes, 'Type of the document.'),
}

/** The request body that creates a contact. */
export const newContactBody = z
  .object({
    phone_number: optional(
      documented(phonenumber, 'With the country code. A customer with a number may have none.', '+80000000000'),
    ),
    first_name: fields.first_name,
    last_name: fields.last_name,
    email: optional(fields.email),
    metadata: optional(fields.metadata),
    type: optional(fields.type),
    status: optional(fields.status),
    national_id: optional(fields.national_id),
    national_id_type: optional(fields.national_id_type),
    number: optional(customerNumber),
    tags: optional(tagList),
    notes: optional(customerNotes),
    payers: optional(payerList),
  })
  .refine(({ phone_number, number }) => phone_number !== undefined || number !== undefined, {
    error: fieldMessages.required,
    path: ['phone_number'],
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'phone_number' || path?.[0] === 'number'),
  })
  .meta({
    id: 'NewContact',
    examples: [{ phone_number: '+80000000000', first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com' }],
  })
export type NewContact = z.output<typeof newContactBody>

/** The fields of a change. Those that are not given stay. The phone number of a contact cannot change. */
export const contactChanges = z
  .object({
    first_name: optionalName('First name.', 'Jane'),
    last_name: optionalName('Last name.', 'Doe'),
    email: optional(fields.email),
    metadata: optional(fields.metadata),
    type: optional(fields.type),
    status: optional(fields.status),
    national_id: optional(fields.national_id),
    national_id_type: optional(fields.national_id_type),
    number: documented(nullable(customerNumber), 'The customer number, which payers type; null for none.', 'P5-017'),
    tags: documented(nullable(tagList), 'All tags of the contact; null for none.', ['P5', 'Bus 2']),
    notes: documented(nullable(customerNotes), 'Your own text about the customer; null for none.', ''),
    payers: documented(nullable(payerList), 'All other payers of the customer; null for none.', [
      { phone_number: '+80000000009', name: 'Grace Nakato' },
    ]),
  })
  .meta({ id: 'ContactChanges', examples: [{ email: 'jane@example.com' }] })

export type ContactChanges = z.output<typeof contactChanges>

/** The author and organization of a new contact, and the network that serves its number. */
export interface ContactContext {
  organization: number
  author: number
  /** Null when no network serves the number. */
  network_name: string | null
}

/**
 * Creates a contact and schedules the look-up at its network. If the organization has an anonymous contact with this phone number,
 * because of an earlier payment, that contact is completed.
 * @throws Invalid if the organization has a contact with a name and this phone number, or with this customer number
 */
export async function createContact(
  tx: Tx,
  now: Date,
  context: ContactContext,
  input: NewContact,
): Promise<ContactDetails> {
  const { organization, author, network_name } = context
  const { phone_number, metadata = null, number = null, notes = '' } = input
  const { email = null, type = 'employee', status = 'active', national_id = null, national_id_type = null } = input
  checkNationalId({ national_id, national_id_type })
  const at = truncateToSecond(now)
  const phone = phone_number?.number ?? noPhone(wholeKey(number ?? ''))
  const [made] = await tx<{ id: number }[]>`
    ${insert(contactTable, [{ ...context, first_name: input.first_name, last_name: input.last_name }], {
      ...NEW_CONTACT,
      email,
      phone_number: phone,
      type,
      status,
      metadata,
      national_id,
      national_id_type,
      number,
      notes,
      phone_is_supported: network_name === null ? 'no' : 'yes',
      network_name: network_name ?? '',
      due_at: network_name === null ? null : now,
      created: at,
      modified: at,
    })}
    on conflict (organization, phone_number) do nothing returning id`
  if (!made) {
    if (!phone_number) return refuseNumber(tx, { organization, number: number ?? '' })
    const known = await lockContact(tx, organization, phone_number.number)
    // The contact was erased meanwhile and has lost its number, so a new contact can be created.
    if (!known) return createContact(tx, now, context, input)
    return completeContact(tx, now, context, input, known)
  }
  const created = { contact: made.id, organization }
  if (number !== null) await writeNumberKeys(tx, [{ ...created, number }])
  await writeParts(tx, [{ ...created, tags: input.tags, payers: input.payers }])
  const contact = await readContact(tx, made.id)
  const data = encode(Contact, contact)
  await recordEvents(tx, now, [{ organization, type: 'contact.created', data, author }])
  return contact
}

/** Locks the contact with this number. Undefined if there is none, or if it lost the number before the lock was granted. */
async function lockContact(tx: Tx, organization: number, number: string): Promise<ContactDetails | undefined> {
  const [found] = await tx<{ id: number }[]>`
    select id from contacts where organization = ${organization} and phone_number = ${number}`
  if (!found) return undefined
  const [known] = await tx<ContactDetails[]>`
    select ${detailColumns()} from contacts where id = ${found.id} for no key update`
  return known?.phone_number === number ? known : undefined
}

/** Completes a contact that lacks a name, or a half of the same name. @throws Invalid if it has a name */
async function completeContact(
  tx: Tx,
  now: Date,
  { author }: ContactContext,
  input: NewContact,
  known: ContactDetails,
): Promise<ContactDetails> {
  const { phone_number: _, ...given } = input
  const names = missingNames(known, given)
  if (!names || names.first_name !== given.first_name || names.last_name !== given.last_name)
    throw new Invalid({ phone_number: [getMessage('contacts.known_number', { id: known.id })] })
  return changeContact(tx, now, known.id, given, author)
}

/**
 * Changes a contact and compares its two names again. The caller must check the permission first.
 * @throws Invalid if a document has no type, a type has no document, another contact has the number, or the contact was erased
 */
export async function changeContact(
  tx: Tx,
  now: Date,
  contact: number,
  given: ContactChanges,
  author: number,
): Promise<ContactDetails> {
  const [old] = await tx<(ContactDetails & { erased: Date | null })[]>`
    select ${detailColumns()}, erased from contacts where id = ${contact} for no key update`
  if (old!.erased) throw new Invalid({ non_field_errors: [getMessage('contacts.erased')] })
  const { tags, payers, number = old!.number, notes = old!.notes, ...others } = given
  const changed = { ...old!, ...withoutUndefined(others) }
  checkNationalId(changed)
  const match = compareNames(changed)
  const phone = await changeNumber(tx, old!, number)
  await tx`
    update contacts set first_name = ${changed.first_name}, last_name = ${changed.last_name}, email = ${changed.email},
      metadata = ${asJson(changed.metadata)}::text::json, type = ${changed.type}, status = ${changed.status},
      national_id = ${changed.national_id}, national_id_type = ${changed.national_id_type},
      name_matches_network_status = ${match.name_matches_network_status},
      name_matches_network_score = ${match.name_matches_network_score}, modified = ${truncateToSecond(now)}, updated_by = ${author},
      number = ${number}, notes = ${notes ?? ''}, phone_number = coalesce(${phone}::text, phone_number)
    where id = ${contact}`
  await writeParts(tx, [
    {
      contact,
      organization: changed.organization,
      tags: tags === null ? [] : tags,
      payers: payers === null ? [] : payers,
    },
  ])
  return readContact(tx, contact)
}

/**
 * Gives a contact another customer number, or none.
 * @returns the text stored as its phone number from now on; null if that stays
 * @throws Invalid if another contact has the number, or if the contact has neither a number nor a phone then
 */
async function changeNumber(tx: Tx, old: ContactDetails, number: string | null): Promise<string | null> {
  if (number === old.number) return null
  const has_phone = old.phone_number !== ''
  if (number === null && !has_phone) throw new Invalid({ number: [getMessage('contacts.needs_number')] })
  await deleteNumberKeys(tx, [old.id])
  if (number === null) return null
  await writeNumberKeys(tx, [{ contact: old.id, organization: old.organization, number }])
  return has_phone ? null : noPhone(wholeKey(number))
}

/** Lists one page of an organization's contacts that match the filters, with the exact count of all of them. */
export async function listContacts(
  db: AnyReader,
  organization: number,
  filters: ContactFilters,
  page: ContactPageOptions,
): Promise<{ rows: ContactDetails[]; count: number }> {
  const [found] = await db<{ count: number; ids: number[] }[]>`${contactPageQuery(organization, filters, page)}`
  const rows = await db<ContactDetails[]>`
    select ${detailColumns()} from contacts where id = any(${found!.ids}::bigint[])`
  const contacts = new Map(rows.map((row) => [row.id, row]))
  return { rows: found!.ids.map((contact) => contacts.get(contact)!), count: found!.count }
}

/** The contact with this id, of any organization. The caller distinguishes 403 from 404 by `organization`. */
export async function findContact(db: AnyReader, contact: number): Promise<ContactDetails | undefined> {
  const [row] = await db<ContactDetails[]>`select ${detailColumns()} from contacts where id = ${contact}`
  return row
}

async function readContact(tx: Tx, contact: number): Promise<ContactDetails> {
  return (await findContact(tx, contact))!
}

function choiceField<const Choices extends readonly [string, ...string[]]>(choices: Choices, description: string) {
  return documented(z.enum(choices, { error: choiceError(choices) }), description, choices[0])
}

const { phone_number: _, tags: __, payers: ___, ...stored } = ContactDetails.shape

function detailColumns(): Fragment {
  return sql`${sql.identifiers(Object.keys(stored))}, ${selectShownPhone('contacts')} as phone_number,
    ${selectTags('contacts')} as tags, ${selectPayers('contacts')} as payers`
}

function withoutUndefined(given: Partial<ContactChanges>): Partial<ContactDetails> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function checkNationalId({
  national_id,
  national_id_type,
}: Pick<ContactDetails, 'national_id' | 'national_id_type'>): void {
  if ((national_id === null) === (national_id_type === null)) return
  throw new Invalid({ [national_id === null ? 'national_id' : 'national_id_type']: [fieldMessages.required] })
}

/** Metadata as JSON text. */
function asJson(metadata: Record<string, unknown> | null): string | null {
  return metadata === null ? null : JSON.stringify(metadata)
}

/** Say how alike a name and the name at the network are, such as `93 %`. */
export function formatNameMatch({ name_matches_network_status, name_matches_network_score }: ContactDetails): string {
  return name_matches_network_status === 'checked' ? `${name_matches_network_score} %` : ''
}
