import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { changeContactAction, createContactAction } from '../core/contacts/actions.ts'
import {
  ContactDetails,
  contactChangesBody,
  findContact,
  listContacts,
  newContactBody,
} from '../core/contacts/details.ts'
import { contactFilters } from '../core/contacts/filters.ts'
import { answerList, idParams, listOf, listQuery } from '../http/lists.ts'
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
    config: { permission: 'manage_contacts' },
    schema: {
      tags: ['Contacts'],
      operationId: 'createContact',
      summary: 'Create a contact',
      description: 'Stores a customer or recipient. A request or a payment with a new phone number also creates one.',
      headers: writeHeaders,
      body: newContactBody,
      response: { 201: ContactDetails },
    },
    handler: async (request, reply) => reply.code(201).send(await performAction(app, request, createContactAction)),
  })
}

function addList(server: Server, app: App): void {
  server.get('/api/contacts', {
    config: { permission: 'view' },
    schema: {
      tags: ['Contacts'],
      operationId: 'listContacts',
      summary: 'List contacts',
      description: 'Returns your contacts with their tags, notes and payers.',
      querystring: listQuery(contactFilters),
      response: { 200: listOf(ContactDetails) },
    },
    handler: (request) => {
      const { query, caller } = request
      return answerList(app, request, columns, (slice) =>
        app.reads.snapshot((tx) => listContacts(tx, caller.organization, query, slice)),
      )
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/api/contacts/:id', {
    config: { permission: 'view' },
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
    config: { permission: 'manage_contacts' },
    schema: {
      tags: ['Contacts'],
      operationId: 'changeContact',
      summary: 'Change a contact',
      description: 'Changes the fields that the body has.',
      params: idParams,
      body: contactChangesBody,
      response: { 200: ContactDetails },
    },
    handler: (request) => performAction(app, request, changeContactAction),
  })
}
