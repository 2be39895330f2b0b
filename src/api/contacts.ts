import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { networkOfContact } from '../connections/contact-network.ts'
import type { AuditAction } from '../core/access/audit.ts'
import { requireOwned } from '../core/access/organizations.ts'
import {
  ContactDetails,
  changeContact,
  contactChangesBody,
  createContact,
  findContact,
  listContacts,
  type NewContact,
  newContactBody,
} from '../core/contacts/details.ts'
import { contactFilters } from '../core/contacts/filters.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../core/idempotency.ts'
import { begin } from '../db/client.ts'
import { recordRequestAction } from '../http/audit.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import { writeHeaders } from './headers.ts'

/** The column of each ordering. A contact has no amount, so that ordering is by id. */
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'id' } as const

/** Add the organization's contacts. */
export function addContacts(server: Server, app: App): void {
  addCreate(server, app)
  addList(server, app)
  addGet(server, app)
  addChange(server, app)
}

function addCreate(server: Server, app: App): void {
  server.post('/api/contacts', {
    config: { permission: 'manage_contacts', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Contacts'],
      operationId: 'createContact',
      summary: 'Create a contact',
      description: 'Stores a customer or recipient. A request or a payment with a new phone number also creates one.',
      headers: writeHeaders,
      body: newContactBody,
      response: { 201: ContactDetails },
    },
    handler: async (request, reply) => {
      const created = await create(app, request, request.body, request.headers['duplicate-check-key'])
      app.wake()
      return reply.code(201).send(created)
    },
  })
}

/** Create a contact and claim its Duplicate-Check-Key in one transaction. @throws Duplicate, Invalid */
async function create(
  app: App,
  request: FastifyRequest,
  input: NewContact,
  key: string | undefined,
): Promise<ContactDetails> {
  const { organization, user: author } = request.caller
  const now = app.clock.now()
  const claim = key ? createDuplicateKeyClaim(organization, key) : undefined
  const { phone_number } = input
  const network_name = phone_number ? networkOfContact(app.connections, organization, phone_number) : null
  return begin(app.db, async (tx) => {
    const [duplicate] = await claimDuplicateKeys(tx, now, 'contact', [claim])
    if (duplicate) throw duplicate
    const context = { organization, author, network_name }
    const created = await createContact(tx, now, context, input)
    linkKeysToObjects(tx, [{ claim, object: created.id }])
    await recordRequestAction(tx, app, request, contactAction('create contact', created.id))
    return created
  })
}

function contactAction(action: string, object: number): AuditAction {
  return { action, object_type: 'contact', object }
}

function addList(server: Server, app: App): void {
  server.get('/api/contacts', {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Contacts'],
      operationId: 'listContacts',
      summary: 'List contacts',
      description: 'Returns your contacts with their tags, notes and payers.',
      querystring: listQuery(contactFilters),
      response: { 200: listOf(ContactDetails) },
    },
    handler: async (request) => {
      const { query, caller } = request
      const page = readPage(query, orderings)
      const { field, descending } = page.ordering
      const slice = { limit: page.limit, offset: page.offset, field: columns[field], descending }
      const list = await app.reads.snapshot((tx) => listContacts(tx, caller.organization, query, slice))
      return answerPage(app, request, page, list)
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/api/contacts/:id', {
    config: { permission: 'view', allow: 'GET, PATCH, HEAD, OPTIONS' },
    schema: {
      tags: ['Contacts'],
      operationId: 'getContact',
      summary: 'Get one contact',
      description: 'Returns the contact with its tags, notes and payers.',
      params: idParams,
      response: { 200: ContactDetails },
    },
    handler: async (request) =>
      requireOwned(request.caller.organization, await app.reads.read((db) => findContact(db, request.params.id))),
  })
}

function addChange(server: Server, app: App): void {
  server.patch('/api/contacts/:id', {
    config: { permission: 'manage_contacts', allow: 'GET, PATCH, HEAD, OPTIONS' },
    schema: {
      tags: ['Contacts'],
      operationId: 'changeContact',
      summary: 'Change a contact',
      description: 'Changes the fields that the body has.',
      params: idParams,
      body: contactChangesBody,
      response: { 200: ContactDetails },
    },
    handler: async (request) => {
      const { caller, params, body } = request
      return begin(app.db, async (tx) => {
        const { id } = requireOwned(caller.organization, await findContact(tx, params.id))
        const changed = await changeContact(tx, app.clock.now(), id, body, caller.user)
        // The names of the fields and not their contents: contacts can be erased, and the audit log cannot.
        const action = contactAction('change contact', id)
        await recordRequestAction(tx, app, request, { ...action, details: { fields: Object.keys(body) } })
        return changed
      })
    },
  })
}
