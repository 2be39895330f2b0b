import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { changeContactAction, createContactAction } from '../core/contacts/actions.ts'
import { ContactDetails, contactChangesBody, newContactBody } from '../core/contacts/details.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { writeHeaders } from './headers.ts'

/** Add the organization's contacts. */
export function addContacts(server: Server, app: App): void {
  addCreate(server, app)
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
