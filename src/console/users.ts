import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deliverInvitation, deliverLink, LinkDelivery, sendPasswordReset } from '../actions/link-delivery.ts'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { sendPasswordLinkAction } from '../core/access/actions.ts'
import { controlPermissions, permissionNames } from '../core/access/api-keys.ts'
import { Invitation, listInvitations, NewInvitation, permissionList } from '../core/access/invitations.ts'
import { getMember, listMembers, type Member, requiresSecondFactor } from '../core/access/organizations.ts'
import { listRoleSets, roleOf } from '../core/access/roles.ts'
import { hasSecondFactor } from '../core/access/second-factors.ts'
import { isSecondFactorMissing, listMemberships } from '../core/access/sessions.ts'
import {
  changePermissionsAction,
  inviteUserAction,
  resetSecondFactorAction,
} from '../core/approvals/changes/actions.ts'
import { id, timestamp } from '../core/fields.ts'
import { Forbidden } from '../core/refusals.ts'
import type { Server } from '../http/server.ts'
import { addAction } from './actor.ts'
import { requireSession } from './guard.ts'

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
  addInvitations(server, app)
}

function addMembers(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/users',
    permission,
    answer: z.object({ results: z.array(MemberView) }),
    source: 'statements',
    async read(db, { organization }) {
      const members = await listMembers(db, organization)
      return { results: await Promise.all(members.map((member) => viewMember(app, member))) }
    },
  })
}

type OfMember = FastifyRequest & { params: { id: number } }

function addPermissions(server: Server, app: App): void {
  const read = async ({ caller, params }: OfMember) =>
    viewMember(app, await getMember(app.db, caller.organization, params.id))
  addAction(server, app, changePermissionsAction, {
    method: 'PATCH',
    url: '/console/api/users/:id',
    body: z.object({ permissions: permissionList }),
    answer: MemberView,
    input: ({ params, body }) => ({ user: params.id, permissions: body.permissions }),
    view: (_, request) => read(request),
  })
  // For a user who has lost the second factor. It takes a second manager, because only the password remains.
  addAction(server, app, resetSecondFactorAction, {
    method: 'POST',
    url: '/console/api/users/:id/second-factor-reset',
    answer: MemberView,
    input: ({ params }) => ({ user: params.id }),
    view: (_, request) => read(request),
  })
}

function addPasswordReset(server: Server, app: App): void {
  const readMember = ({ caller, params }: OfMember) => getMember(app.db, caller.organization, params.id)
  addAction(server, app, sendPasswordLinkAction, {
    method: 'POST',
    url: '/console/api/users/:id/password-reset',
    answer: LinkDelivery,
    async input(request) {
      const member = await readMember(request)
      const secret = await reasonForSecrecy(app, request.caller.permissions, member)
      if (secret !== undefined && !app.mailer) throw new Forbidden(secret)
      return { id: member.id, first: false }
    },
    async view({ token }, request) {
      const member = await readMember(request)
      const shown = (await reasonForSecrecy(app, request.caller.permissions, member)) === undefined
      return deliverLink(app, token, () => sendPasswordReset(app, member, token), { shown })
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

function addInvitations(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/invitations',
    permission,
    answer: z.object({ results: z.array(InvitationView) }),
    source: 'statements',
    async read(db, { organization }) {
      const roles = await listRoleSets(db, organization)
      const invitations = await listInvitations(db, app.clock.real(), organization)
      return { results: invitations.map((one) => ({ ...one, role: roleOf(roles, one.permissions) })) }
    },
  })

  addAction(server, app, inviteUserAction, {
    method: 'POST',
    url: '/console/api/invitations',
    body: NewInvitation,
    answer: LinkDelivery.extend({ invitation: Invitation }),
    status: 201,
    input: ({ body: { email, permissions } }) => ({ email, permissions }),
    async view({ link }, request) {
      const sent = await deliverInvitation(app, requireSession(request).name, link!)
      return { ...sent, invitation: link!.invitation }
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
