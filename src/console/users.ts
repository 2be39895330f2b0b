import { z } from 'zod'
import { deliverInvitation, deliverLink, LinkDelivery, sendPasswordReset } from '../actions/link-delivery.ts'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { sendPasswordLinkAction } from '../core/access/actions.ts'
import { controlPermissions, permissionNames } from '../core/access/api-keys.ts'
import { Invitation, listInvitations, NewInvitation, permissionList } from '../core/access/invitations.ts'
import { getMember, listMembers, type Member, requiresSecondFactor } from '../core/access/organizations.ts'
import { listRoleSets, roleOf } from '../core/access/roles.ts'
import { hasSecondFactor } from '../core/access/second-factors.ts'
import { isSecondFactorMissing, listMemberships } from '../core/access/sessions.ts'
import { changePermissionsAction, inviteUserAction, resetSecondFactorAction } from '../core/control/change-actions.ts'
import { PendingAnswer } from '../core/control/control-change.ts'
import { id, timestamp } from '../core/fields.ts'
import { Forbidden } from '../core/refusals.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { Confirmation } from './access/confirmation.ts'
import { sessionActor } from './actor.ts'

const permission = 'manage_organization'

const MemberView = z.object({
  id,
  name: z.string(),
  email: z.string(),
  created: timestamp,
  permissions: z.array(z.string()),
  /** The role that has exactly these permissions: the code of a standard role, or the name of an own one. */
  role: z.string().nullable(),
  /** First time at which the user may approve payments; null: at once. */
  approves_from: timestamp.nullable(),
  second_factor: z.boolean(),
  /** True if the user lacks the second factor that the organization demands for the user's permissions. */
  second_factor_missing: z.boolean(),
  last_sign_in: timestamp.nullable(),
})

const InvitationView = Invitation.extend({ role: z.string().nullable() })

/** The routes for the users of an organization, their permissions, and invitations. */
export function addUsers(server: Server, app: App): void {
  addMembers(server, app)
  addPermissions(server, app)
  addPasswordReset(server, app)
  addSecondFactorReset(server, app)
  addInvitations(server, app)
}

function addMembers(server: Server, app: App): void {
  server.get('/console/api/users', {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(MemberView) }) } },
    handler: async (request) => {
      const members = await listMembers(app.db, request.caller.organization)
      return { results: await Promise.all(members.map((member) => viewMember(app, member))) }
    },
  })
}

function addPermissions(server: Server, app: App): void {
  server.patch('/console/api/users/:id', {
    config: { permission },
    schema: {
      params: idParams,
      body: z.object({ permissions: permissionList }).and(Confirmation),
      response: { 200: MemberView, 202: PendingAnswer },
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const input = { user: params.id, permissions: body.permissions }
      const actor = sessionActor(app, request)
      const result = await performAction(app, request, changePermissionsAction, { input, actor })
      if (result.is_pending) return reply.code(202).send({ pending: result.change! })
      return viewMember(app, await getMember(app.db, caller.organization, params.id))
    },
  })
}

function addPasswordReset(server: Server, app: App): void {
  server.post('/console/api/users/:id/password-reset', {
    config: { permission },
    schema: { params: idParams, response: { 200: LinkDelivery } },
    handler: async (request) => {
      const { caller } = request
      const member = await getMember(app.db, caller.organization, request.params.id)
      const secret = await reasonForSecrecy(app, caller.permissions, member)
      if (secret !== undefined && !app.mailer) throw new Forbidden(secret)
      const { token } = await performAction(app, request, sendPasswordLinkAction, {
        input: { id: member.id, first: false },
      })
      return deliverLink(app, token, () => sendPasswordReset(app, member, token), { shown: secret === undefined })
    },
  })
}

/**
 * Return the reason why only mail may carry the password link of a user: whoever sees the link can sign in as this
 * user. Undefined if a manager may see it.
 */
async function reasonForSecrecy(app: App, own: ReadonlySet<string>, member: Member): Promise<string | undefined> {
  const hint = `An operator can set the password: npx kusanya users password ${member.email}`
  if ((await listMemberships(app.db, member.id)).some((one) => one.id !== member.organization))
    return `This user also belongs to another organization, so the link may only be mailed. ${hint}`
  const guarded = member.permissions.filter((one) => controlPermissions.includes(one) || !own.has(one))
  return guarded.length === 0
    ? undefined
    : `The link opens an account that may: ${permissionNames(guarded)}. So it may only be mailed, and there is no mail server. ${hint}`
}

/**
 * Add the reset for a user who has lost the second factor. It takes a second manager, because only the password
 * remains.
 */
function addSecondFactorReset(server: Server, app: App): void {
  const url = '/console/api/users/:id/second-factor-reset'
  server.post(url, {
    config: { permission },
    schema: { params: idParams, body: Confirmation, response: { 200: MemberView, 202: PendingAnswer } },
    handler: async (request, reply) => {
      const { caller, params } = request
      const options = { input: { user: params.id }, actor: sessionActor(app, request) }
      const result = await performAction(app, request, resetSecondFactorAction, options)
      if (result.is_pending) return reply.code(202).send({ pending: result.change! })
      return viewMember(app, await getMember(app.db, caller.organization, params.id))
    },
  })
}

function addInvitations(server: Server, app: App): void {
  server.get('/console/api/invitations', {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(InvitationView) }) } },
    handler: async (request) => {
      const { organization } = request.caller
      const roles = await listRoleSets(app.db, organization)
      const invitations = await listInvitations(app.db, app.clock.real(), organization)
      return { results: invitations.map((one) => ({ ...one, role: roleOf(roles, one.permissions) })) }
    },
  })

  server.post('/console/api/invitations', {
    config: { permission },
    schema: {
      body: NewInvitation.and(Confirmation),
      response: { 201: LinkDelivery.extend({ invitation: Invitation }), 202: PendingAnswer },
    },
    handler: async (request, reply) => {
      const { email, permissions } = request.body
      const actor = sessionActor(app, request)
      const options = { input: { email, permissions }, actor }
      const { change, is_pending, link } = await performAction(app, request, inviteUserAction, options)
      if (is_pending) return reply.code(202).send({ pending: change! })
      const sent = await deliverInvitation(app, actor.name, link!)
      return reply.code(201).send({ ...sent, invitation: link!.invitation })
    },
  })
}

async function viewMember(app: App, member: Member): Promise<z.output<typeof MemberView>> {
  const { id, organization, permissions } = member
  const second_factor = await hasSecondFactor(app.db, id)
  const second_factor_required = await requiresSecondFactor(app.db, organization)
  return {
    ...member,
    role: roleOf(await listRoleSets(app.db, organization), permissions),
    second_factor,
    second_factor_missing: isSecondFactorMissing({ second_factor, second_factor_required, permissions }),
  }
}
