import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Phone } from '../../lib/phone.ts'
import { type ActionContext, action, makerOf, organizationOf, requireOwn } from '../access/action.ts'
import { integer } from '../fields.ts'
import { claimDuplicateKeys, linkKeysToObjects } from '../idempotency.ts'
import { ContactDetails, changeContact, contactChanges, createContact, findContact, newContactBody } from './details.ts'
import { eraseContact } from './erasure.ts'
import type { ContactFile } from './import/columns.ts'
import { beginImport, importNextRows, isImportOf, readImport } from './import/imports.ts'
import type { CheckedRow } from './import/read-row.ts'
import { knownChoices } from './import/row.ts'

declare module '../access/action.ts' {
  interface ActionService {
    /** Return the name of the network that serves a phone; null if none does. */
    networkOfContact(organization: number, phone: Phone): string | null
  }
}

const ofContact = { object_type: 'contact', permission: 'manage_contacts' } as const
const resource = { tag: 'Contacts', answer: ContactDetails } as const

export const createContactAction = action({
  ...ofContact,
  name: 'create contact',
  events: ['contact.created'],
  input: newContactBody,
  async run(tx, context, input) {
    const organization = organizationOf(context)
    const { phone_number } = input
    const network_name = phone_number ? context.service.networkOfContact(organization, phone_number) : null
    const author = await makerOf(tx, context, organization)
    return createContact(tx, context.now, { organization, author, network_name }, input)
  },
  audit: ({ id }) => ({ object: id }),
  creates: { type: 'contact', id: ({ id }) => id },
  wakes: true,
  api: {
    ...resource,
    method: 'POST',
    path: '/contacts',
    operation: 'createContact',
    summary: 'Create a contact',
    description: 'Stores a customer or recipient. A request or a payment with a new phone number also creates one.',
    body: newContactBody,
    status: 201,
  },
})

/** Change a contact. Missing members stay. */
export const changeContactAction = action({
  ...ofContact,
  name: 'change contact',
  input: contactChanges.extend({ id: integer() }),
  async run(tx, context, { id, ...changes }) {
    const { organization } = await ownContact(tx, context, id)
    return changeContact(tx, context.now, id, changes, await makerOf(tx, context, organization))
  },
  // The names of the fields and not their contents: contacts can be erased, and the audit log cannot.
  audit: ({ id, organization }, { id: _, ...changes }) => ({
    object: id,
    organization,
    details: { fields: Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name])) },
  }),
  api: {
    ...resource,
    method: 'PATCH',
    path: '/contacts/:id',
    operation: 'changeContact',
    summary: 'Change a contact',
    description: 'Changes the fields that the body has.',
    body: contactChanges,
  },
  cli: {
    path: 'contacts update',
    description:
      'change a contact; what is not given stays, and an empty text takes away number, tags, notes or payers',
    typed: { id: ['<id>', 'as `contacts list` shows it'] },
    text: ({ id }) => `Contact ${id} is changed.`,
  },
})

/** Time in which an operator, who erases stored messages at once, begins with it. */
const LEASE_MS = 15_000

/** Erase the personal data of a contact. The audit log keeps its id alone. */
export const eraseContactAction = action({
  ...ofContact,
  permission: 'erase_contacts',
  name: 'erase contact',
  input: z.object({ id: integer() }),
  async run(tx, context, { id }) {
    const { now, real, actor } = context
    const { organization } = await ownContact(tx, context, id)
    const author = await makerOf(tx, context, organization)
    const lease_end = actor.user === null ? new Date(real.getTime() + LEASE_MS) : null
    return eraseContact(tx, now, id, { author, lease_end })
  },
  audit: ({ id, organization }) => ({ object: id, organization }),
  wakes: true,
  console: { method: 'POST', path: '/contacts/:id/erase' },
})

const rows = z.custom<readonly CheckedRow[]>(Array.isArray)

/** Begin the import of a file, or find the one that the same key has begun with it. */
export const importContactsAction = action({
  name: 'import contacts',
  permission: 'manage_contacts',
  input: z.object({
    file: z.custom<ContactFile>((file) => typeof file === 'object'),
    rows,
    known: z.enum(knownChoices),
  }),
  async run(tx, context, input) {
    const organization = organizationOf(context)
    const { now, claim } = context
    const { file, known } = input
    const [duplicate] = await claimDuplicateKeys(tx, now, 'contactimport', [claim])
    if (duplicate) {
      const { type, id } = duplicate
      if (type !== 'contactimport' || !(await isImportOf(tx, { organization, id }, file, known))) throw duplicate
      return { id, is_new: false }
    }
    const author = await makerOf(tx, context, organization)
    const id = await beginImport(tx, now, { organization, author, ...input })
    linkKeysToObjects(tx, [{ claim, object: id }])
    return { id, is_new: true }
  },
  audit: ({ id, is_new }, { file: { name: file, digest: sha256 }, known, rows }) =>
    is_new ? { details: { contact_import: id, file, sha256, known, rows: rows.length } } : undefined,
})

/** Import the next rows of a file. The last ones finish it. */
export const importRowsAction = action({
  name: 'finish import of contacts',
  events: ['contact.created'],
  permission: 'manage_contacts',
  input: z.object({ id: integer(), rows }),
  async run(tx, context, { id, rows }) {
    const organization = organizationOf(context)
    const networkOf = (phone: Phone) => context.service.networkOfContact(organization, phone)
    const { more, finished } = await importNextRows(tx, context.now, { organization, id }, rows, networkOf)
    return { more, finished: finished ? await readImport(tx, organization, id) : undefined }
  },
  audit({ finished }) {
    if (!finished) return undefined
    const { id: contact_import, file_name: file, added, updated, unchanged, refused } = finished
    return { details: { contact_import, file, added, updated, unchanged, refused } }
  },
  wakes: true,
})

async function ownContact(tx: Tx, context: ActionContext, id: number) {
  return requireOwn(context, await findContact(tx, id), getMessage('contacts.none', { contact: id }))
}
