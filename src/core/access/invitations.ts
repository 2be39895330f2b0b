import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { cellMark } from '../../lib/text/cells.ts'
import { isEmail } from '../../lib/text/email.ts'
import { choiceError, errorMessage, fieldMessages, id, requiredText, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { type Permission, permissions } from './api-keys.ts'
import { createUser, findUser, setMembership, setPassword, type User } from './organizations.ts'

const INVITATION_VALID_MS = 7 * 24 * 60 * 60 * 1_000
const RESET_VALID_MS = 60 * 60 * 1_000

/** The permissions of a user or an invited person. */
export const permissionList = z
  .array(
    z.enum(Object.keys(permissions) as [Permission, ...Permission[]], { error: choiceError(Object.keys(permissions)) }),
    {
      error: errorMessage(getMessage('access.no_permissions')),
    },
  )
  .transform((list) => [...new Set(list)])

/** An e-mail address in a body. */
export const email = requiredText(254).refine((text) => isEmail(text.trim()), fieldMessages.email)

/** The body that creates an invitation. */
export const NewInvitation = z.object({ email, permissions: permissionList })

/** An invitation that is not accepted yet. */
export const Invitation = z.object({
  id,
  email: z.string(),
  permissions: z.array(z.string()),
  /** Null: an operator. */
  author: id.nullable(),
  created: timestamp,
  expires: timestamp,
})
export type Invitation = z.output<typeof Invitation>

const linkTable = table('one_time_links', {
  id: column.id(),
  hash: column.bytea(),
  purpose: column.text<'invitation' | 'password_reset'>(),
  email: column.text(),
  organization: column.bigint().nullable(),
  permissions: column.texts<Permission>().nullable(),
  author: column.bigint().nullable(),
  created: column.timestamptz(),
  expires: column.timestamptz(),
  used: column.timestamptz().later(),
})
const invited = linkTable.pick('id', 'email', 'permissions', 'author', 'created', 'expires')

/** A link that works once: an invitation or a password reset. */
export interface OneTimeLink
  extends Pick<Row<typeof linkTable>, 'id' | 'purpose' | 'email' | 'organization' | 'permissions'> {
  organization_name: string | null
  /** True if an account with this e-mail already exists. */
  known: boolean
}

/**
 * Invites a person to an organization, with or without an account here. An earlier invitation to the same address becomes
 * invalid. @returns the invitation and the secret part of the link, shown only once. @throws Invalid if the person is
 * already a user of the organization.
 */
export async function createInvitation(
  tx: Tx,
  now: Date,
  input: { organization: number; author: number | null; email: string; permissions: Permission[] },
): Promise<{ invitation: Invitation; token: string }> {
  const address = input.email.trim().toLowerCase()
  await requireNoPermissions(tx, input.organization, address)
  await tx`
    update one_time_links set used = ${now}
    where organization = ${input.organization} and email = ${address} and purpose = 'invitation' and used is null`
  const token = generateToken(tx.cell)
  const [invitation] = await tx<Invitation[]>`
    ${insert(linkTable, [input], {
      hash: hashToken(token),
      purpose: 'invitation',
      email: address,
      created: now,
      expires: new Date(now.getTime() + INVITATION_VALID_MS),
    })}
    returning ${invited.columns}`
  return { invitation: invitation!, token }
}

/**
 * SQL: condition that a link `l` still has what it rests on. An invitation lapses when its author no longer manages the
 * organization, or lacks one of its permissions. Null: an operator, or a link that gives no permission.
 */
const isGranted = sql`(l.author is null or l.purpose <> 'invitation' or exists (
  select from memberships m where m.organization = l.organization and m."user" = l.author
    and 'manage_organization' = any(m.permissions) and l.permissions <@ (m.permissions || '{manage_integrations}'::text[])))`

/** Lists the open invitations of an organization, newest first. */
export async function listInvitations(db: Reader, now: Date, organization: number): Promise<Invitation[]> {
  const rows = await db<Invitation[]>`
    select ${invited.columns} from one_time_links l
    where organization = ${organization} and purpose = 'invitation' and used is null and expires > ${now} and ${isGranted}
    order by id desc limit 1000`
  return [...rows]
}

/** Revokes an invitation. @throws NotFound */
export async function revokeInvitation(
  tx: Tx,
  now: Date,
  input: { organization: number; id: number },
): Promise<Invitation> {
  const [row] = await tx<Invitation[]>`
    update one_time_links set used = ${now}
    where id = ${input.id} and organization = ${input.organization} and purpose = 'invitation' and used is null
    returning ${invited.columns}`
  if (!row) throw new NotFound()
  return row
}

/**
 * Creates a link to set a new password. Earlier links become invalid. `first` for a user who has never had a password: as an invitation,
 * it is valid for a week. @returns the secret part of the link.
 */
export async function createPasswordReset(
  tx: Tx,
  now: Date,
  input: { user: User; author: number | null; first?: boolean },
): Promise<string> {
  const { email: address } = input.user
  const valid_ms = input.first ? INVITATION_VALID_MS : RESET_VALID_MS
  await tx`
    update one_time_links set used = ${now} where email = ${address} and purpose = 'password_reset' and used is null`
  const token = generateToken(tx.cell)
  await tx`
    ${insert(linkTable, [{ email: address, author: input.author }], {
      hash: hashToken(token),
      purpose: 'password_reset',
      organization: null,
      permissions: null,
      created: now,
      expires: new Date(now.getTime() + valid_ms),
    })}`
  return token
}

/** Finds a link that is still valid. @throws NotFound */
export async function findLink(db: Reader, now: Date, token: string): Promise<OneTimeLink> {
  const [row] = await db<OneTimeLink[]>`
    select l.id, l.purpose, l.email, l.organization, o.name as organization_name, l.permissions,
      exists (select 1 from users u where u.email = l.email) as known
    from one_time_links l left join organizations o on o.id = l.organization
    where l.hash = ${hashToken(token)} and l.used is null and l.expires > ${now} and ${isGranted}`
  if (!row) throw new NotFound(getMessage('access.used_link'))
  return row
}

/**
 * Uses a link, once. An invitation makes the user a member; a new user needs `name` and `password_hash`. A password reset
 * sets the password. @throws NotFound, Invalid
 */
export async function redeemLink(
  tx: Tx,
  times: { now: Date; real: Date },
  input: { token: string; name?: string; password_hash?: string; approver_wait_ms?: number },
): Promise<{ link: OneTimeLink; user: User }> {
  const link = await findLink(tx, times.real, input.token)
  const [used] = await tx`
    update one_time_links set used = ${times.real} where id = ${link.id} and used is null returning id`
  if (!used) throw new NotFound(getMessage('access.used_link'))
  const user = (await findUser(tx, link.email)) ?? (await createInvitedUser(tx, times.now, link, input.name))
  if (!link.known || link.purpose === 'password_reset') {
    if (!input.password_hash) throw new Invalid({ password: [fieldMessages.required] })
    await setPassword(tx, user.id, input.password_hash)
  }
  if (link.organization !== null) {
    await requireNoPermissions(tx, link.organization, user.email)
    await setMembership(tx, times.now, {
      organization: link.organization,
      user: user.id,
      permissions: link.permissions ?? [],
      approver_wait_ms: input.approver_wait_ms,
    })
  }
  return { link, user }
}

/** An invitation must not replace the permissions of a user. @throws Invalid if the person has permissions already */
export async function requireNoPermissions(db: Reader, organization: number, address: string): Promise<void> {
  const [member] = await db`
    select 1 from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and u.email = ${address} and m.permissions <> '{}'`
  if (member) throw new Invalid({ email: [getMessage('access.already_user')] })
}

async function createInvitedUser(tx: Tx, now: Date, link: OneTimeLink, name: string | undefined): Promise<User> {
  if (link.purpose !== 'invitation') throw new NotFound()
  if (!name?.trim()) throw new Invalid({ name: [fieldMessages.required] })
  return createUser(tx, now, { name: name.trim(), email: link.email })
}

function generateToken(cell: number): string {
  return cellMark(cell) + randomBytes(32).toString('base64url')
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
