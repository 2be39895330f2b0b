import { z } from 'zod'
import type { App } from '../app.ts'
import { recordAudit } from '../core/access/audit.ts'
import {
  createInvitation,
  createPasswordReset,
  Invitation,
  listInvitations,
  NewInvitation,
  permissionList,
  revokeInvitation,
} from '../core/access/invitations.ts'
import { listMembers, type Member, setMembership } from '../core/access/organizations.ts'
import { listMemberships } from '../core/access/sessions.ts'
import { id, timestamp } from '../core/fields.ts'
import { Forbidden, Invalid, NotFound } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { logEvent } from '../lib/log-events.ts'
import { requireSession } from './guard.ts'
import { linkPath, linkUrl, sendPasswordReset } from './links.ts'

const permission = 'manage_organization'

const MemberView = z.object({
  id,
  name: z.string(),
  email: z.string(),
  created: timestamp,
  permissions: z.array(z.string()),
})

/** How a one-time link is delivered: by mail, or shown to the user who asked for it. */
const LinkDelivery = z.object({ mailed: z.boolean(), path: z.string().nullable(), problem: z.string().nullable() })

/** The routes for the users of an organization, their permissions, and invitations. */
export function addUsers(server: Server, app: App): void {
  addMembers(server, app)
  addInvitations(server, app)
}

function addMembers(server: Server, app: App): void {
  server.get('/console/api/users', {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(MemberView) }) } },
    handler: async (request) => ({ results: await listMembers(app.db, request.caller.organization) }),
  })
  refuseOtherMethods(server, '/console/api/users', ['GET'])

  server.patch('/console/api/users/:id', {
    config: { permission },
    schema: { params: idParams, body: z.object({ permissions: permissionList }), response: { 200: MemberView } },
    handler: async (request) => {
      const { caller, params, body } = request
      const member = await findMember(app, caller.organization, params.id)
      // So at least one user keeps the permission to give permissions.
      if (member.id === caller.user) throw new Invalid({ permissions: ['You cannot change your own permissions.'] })
      await begin(app.db, async (tx) => {
        const membership = { organization: caller.organization, user: member.id, permissions: body.permissions }
        await setMembership(tx, app.clock.now(), membership)
        await recordAudit(tx, app.clock.now(), {
          organization: caller.organization,
          user: caller.user,
          action: 'change permissions',
          object_type: 'user',
          object: member.id,
          details: { email: member.email, before: member.permissions, after: body.permissions },
          address: request.ip,
        })
      })
      return { ...member, permissions: body.permissions }
    },
  })
  refuseOtherMethods(server, '/console/api/users/:id', ['PATCH'])

  server.post('/console/api/users/:id/password-reset', {
    config: { permission },
    schema: { params: idParams, response: { 200: LinkDelivery } },
    handler: async (request) => {
      const { caller } = request
      const member = await findMember(app, caller.organization, request.params.id)
      const elsewhere = (await listMemberships(app.db, member.id)).some((one) => one.id !== caller.organization)
      // A shown link gives access to the account, and so to the user's other organizations: only mail may carry it.
      if (elsewhere && !app.mailer)
        throw new Forbidden('This user also belongs to another organization, so an operator has to set the password.')
      const token = await begin(app.db, async (tx) => {
        await recordAudit(tx, app.clock.now(), {
          organization: caller.organization,
          user: caller.user,
          action: 'send password link',
          object_type: 'user',
          object: member.id,
          details: { email: member.email },
          address: request.ip,
        })
        return createPasswordReset(tx, app.clock.real(), { user: member, author: caller.user })
      })
      return deliverLink(app, token, () => sendPasswordReset(app, member, token), { shown: !elsewhere })
    },
  })
  refuseOtherMethods(server, '/console/api/users/:id/password-reset', ['POST'])
}

function addInvitations(server: Server, app: App): void {
  server.get('/console/api/invitations', {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(Invitation) }) } },
    handler: async (request) => ({
      results: await listInvitations(app.db, app.clock.real(), request.caller.organization),
    }),
  })

  server.post('/console/api/invitations', {
    config: { permission },
    schema: { body: NewInvitation, response: { 201: LinkDelivery.extend({ invitation: Invitation }) } },
    handler: async (request, reply) => {
      const { caller, body } = request
      const { organization, user: author } = caller
      const { invitation, token } = await begin(app.db, async (tx) => {
        await recordAudit(tx, app.clock.now(), {
          organization,
          user: author,
          action: 'invite user',
          details: { email: body.email, permissions: body.permissions },
          address: request.ip,
        })
        return createInvitation(tx, app.clock.real(), { organization, author, ...body })
      })
      const inviter = requireSession(request).name
      const sent = await deliverLink(app, token, () => sendInvitation(app, invitation.email, inviter, token), {
        shown: true,
      })
      return reply.code(201).send({ ...sent, invitation })
    },
  })
  refuseOtherMethods(server, '/console/api/invitations', ['GET', 'POST'])

  server.delete('/console/api/invitations/:id', {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      const { organization, user } = request.caller
      await begin(app.db, async (tx) => {
        const invitation = await revokeInvitation(tx, app.clock.real(), { organization, id: request.params.id })
        const details = { email: invitation.email }
        await recordAudit(tx, app.clock.now(), { organization, user, action: 'revoke invitation', details })
      })
      return reply.code(204).send()
    },
  })
  refuseOtherMethods(server, '/console/api/invitations/:id', ['DELETE'])
}

/** Mails a link. Without a mail server, or when mailing fails, returns its path if `shown` allows it. */
async function deliverLink(
  app: App,
  token: string,
  send: () => Promise<void>,
  options: { shown: boolean },
): Promise<z.output<typeof LinkDelivery>> {
  const path = options.shown ? linkPath(token) : null
  if (!app.mailer) return { mailed: false, path, problem: null }
  try {
    await send()
    return { mailed: true, path: null, problem: null }
  } catch (error) {
    logEvent(app.log, 'link_mail_failed', { error })
    return { mailed: false, path, problem: 'The mail server did not accept the message.' }
  }
}

async function sendInvitation(app: App, to: string, inviter: string, token: string): Promise<void> {
  const { SERVICE_NAME } = app.config
  await app.mailer?.send({
    to,
    subject: `${inviter} invites you to ${SERVICE_NAME}`,
    text: [
      'Hello,',
      `${inviter} invites you to ${SERVICE_NAME}. Follow this link within seven days:`,
      linkUrl(app, token),
    ].join('\n\n'),
  })
}

/** @throws NotFound */
async function findMember(app: App, organization: number, user: number): Promise<Member> {
  const member = (await listMembers(app.db, organization)).find((one) => one.id === user)
  if (!member) throw new NotFound()
  return member
}
