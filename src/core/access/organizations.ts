import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { isEmail } from '../../lib/text/email.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'
import { allPermissions, announceAccessChange, type Permission } from './api-keys.ts'
import { NO_PLACE, type Place } from './places.ts'

const organizationTable = table('organizations', {
  id: column.id(),
  name: column.text(),
  service_user: column.bigint(),
  /** True if users need a second factor for everything that moves money or manages the organization. */
  second_factor_required: column.boolean().default(false),
  /** True if customers get the tokens of prepaid purchases in an SMS, unless the purchase says otherwise. */
  send_bill_tokens: column.boolean().default(false),
  time_zone: column.text().default('UTC').given(),
  country: column.text().nullable(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
})
export type Organization = Row<typeof organizationTable>

const userTable = table('users', {
  id: column.id(),
  kind: column.text<'person' | 'system'>(),
  name: column.text(),
  email: column.text().nullable(),
  created: column.timestamptz(),
  password_hash: column.text().later(),
  language: column.text().later(),
  /** Time of the user's last sign-in to the console, in any organization; null if not recorded. */
  last_sign_in: column.timestamptz().later(),
  totp_secret: column.text().later(),
  totp_confirmed: column.timestamptz().later(),
  totp_step: column.bigint().later(),
})
const shownUser = userTable.pick('id', 'name', 'email', 'created')

/** A person. Only system users have no e-mail address. */
export interface User extends Row<typeof shownUser> {
  email: string
}

const membershipTable = table('memberships', {
  organization: column.bigint().key(),
  user: column.bigint().key(),
  permissions: column.texts<Permission>(),
  created: column.timestamptz(),
  /** Time from which the user may approve payments; null: at once. */
  approves_from: column.timestamptz().nullable(),
  approvals_mailed_at: column.timestamptz().later(),
})
export type Member = User &
  Pick<Row<typeof userTable>, 'last_sign_in'> &
  Pick<Row<typeof membershipTable>, 'organization' | 'permissions' | 'approves_from'>

/** Creates an organization with its system user, who is the author of the service's own actions. @throws Invalid */
export async function createOrganization(
  tx: Tx,
  now: Date,
  name: string,
  place: Place = NO_PLACE,
): Promise<Organization> {
  if (name.trim() === '') throw new Invalid({ name: [getMessage('fields.not_blank')] })
  const created = truncateToSecond(now)
  const [system_user] = await tx<{ id: number }[]>`
    ${insert(userTable, [{ name: `${name} (system)` }], { kind: 'system', email: null, created })} returning id`
  const given = { name, service_user: system_user!.id, created, modified: created }
  const [row] = await tx<Organization[]>`
    ${insert(organizationTable, [place], given)} returning ${organizationTable.columns}`
  const membership = { organization: row!.id, user: system_user!.id, approves_from: null }
  await tx`${insert(membershipTable, [membership], { permissions: allPermissions, created })}`
  return row!
}

/** Renames an organization. New SMS messages to customers contain the new name. @throws Invalid */
export async function renameOrganization(tx: Tx, now: Date, organization: number, name: string): Promise<void> {
  if (name.trim() === '') throw new Invalid({ name: [getMessage('fields.not_blank')] })
  await tx`update organizations set name = ${name.trim()}, modified = ${truncateToSecond(now)} where id = ${organization}`
}

/** Switches the SMS with the tokens of prepaid purchases on or off. */
export async function setSendBillTokens(tx: Tx, now: Date, organization: number, send: boolean): Promise<void> {
  await tx`
    update organizations set send_bill_tokens = ${send}, modified = ${truncateToSecond(now)} where id = ${organization}`
}

/** True if this is the only organization here. Then its managers also manage the service. */
export async function isOnlyOrganization(db: Reader, organization: number): Promise<boolean> {
  const others = await db`select 1 from organizations where id <> ${organization} limit 1`
  return others.length === 0
}

/**
 * Allow an operator's action to a user only when there is one organization, because its managers then operate the
 * service. @throws Forbidden
 */
export async function requireSingleOrganization(db: Reader, organization: number): Promise<void> {
  if (!(await isOnlyOrganization(db, organization))) throw new Forbidden(getMessage('fees.operator_only'))
}

/** True if organizations share this installation, so that its managers do not operate it. */
export async function hasSeveralOrganizations(db: Reader): Promise<boolean> {
  const found = await db`select 1 from organizations limit 2`
  return found.length > 1
}

/** Lists all organizations, oldest first. */
export async function listOrganizations(db: Reader): Promise<Organization[]> {
  return [...(await db<Organization[]>`select ${organizationTable.columns} from organizations order by id`)]
}

/** Reads one organization. @throws NotFound */
export async function getOrganization(db: Reader, organization: number): Promise<Organization> {
  const [row] = await db<Organization[]>`
    select ${organizationTable.columns} from organizations where id = ${organization}`
  if (!row) throw new NotFound(getMessage('access.no_organization_with', { organization }))
  return row
}

/** Creates a person who can sign in. `setPassword` sets the password. @throws Invalid if the e-mail is in use. */
export async function createUser(tx: Tx, now: Date, input: { name: string; email: string }): Promise<User> {
  const email = input.email.trim().toLowerCase()
  if (!isEmail(email)) throw new Invalid({ email: [getMessage('fields.email')] })
  const [row] = await tx<User[]>`
    ${insert(userTable, [input], { kind: 'person', email, created: truncateToSecond(now) })}
    on conflict (email) do nothing returning ${shownUser.columns}`
  if (!row) throw new Invalid({ email: [getMessage('access.email_taken')] })
  return row
}

/** Records that a person has signed in to the console. */
export async function recordSignIn(tx: Tx, now: Date, user: number): Promise<void> {
  await tx`update users set last_sign_in = ${truncateToSecond(now)} where id = ${user}`
}

/** Stores a password hash from `lib/secrets.ts`. */
export async function setPassword(tx: Tx, user: number, password_hash: string): Promise<void> {
  await tx`update users set password_hash = ${password_hash} where id = ${user}`
}

interface NewMembership {
  organization: number
  user: number
  permissions: readonly Permission[]
  /** Wait of a new approver before the first approval, in milliseconds. Default: none. */
  approver_wait_ms?: number
}

/**
 * Makes a user a member of an organization with exactly these permissions, or replaces the permissions. A user who gets
 * the permission to approve payments waits; one who has it already does not wait again.
 */
export async function setMembership(tx: Tx, now: Date, input: NewMembership): Promise<void> {
  const { permissions, approver_wait_ms = 0 } = input
  const waits = approver_wait_ms > 0 && permissions.includes('approve_payments')
  const approves_from = waits ? new Date(truncateToSecond(now).getTime() + approver_wait_ms) : null
  await tx`
    ${insert(membershipTable, [input], { created: truncateToSecond(now), approves_from })}
    on conflict (organization, "user") do update set permissions = excluded.permissions,
      approves_from = case
        when 'approve_payments' = any(memberships.permissions) and 'approve_payments' = any(excluded.permissions)
        then memberships.approves_from else excluded.approves_from end`
  await announceAccessChange(tx)
}

/** Lists the people of an organization, without its system user. */
export async function listMembers(db: Reader, organization: number): Promise<Member[]> {
  const rows = await db<Member[]>`
    select u.id, u.name, u.email, u.created, u.last_sign_in, m.organization, m.permissions, m.approves_from
    from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and u.kind = 'person' order by u.id`
  return [...rows]
}

/** Finds a person of an organization. @throws NotFound */
export async function getMember(db: Reader, organization: number, user: number): Promise<Member> {
  const member = (await listMembers(db, organization)).find((one) => one.id === user)
  if (!member) throw new NotFound()
  return member
}

/** True if users of an organization need a second factor for everything that moves money or manages it. */
export async function requiresSecondFactor(db: Reader, organization: number): Promise<boolean> {
  const [row] = await db`select 1 from organizations where id = ${organization} and second_factor_required`
  return row !== undefined
}

/** Finds the person with this e-mail address. */
export async function findUser(db: Reader, email: string): Promise<User | undefined> {
  const [row] = await db<User[]>`
    select ${shownUser.columns} from users where email = ${email.trim().toLowerCase()} and kind = 'person'`
  return row
}

/** Get the person with this e-mail address. @throws NotFound */
export async function getPerson(db: Reader, email: string): Promise<User> {
  const user = await findUser(db, email)
  if (!user) throw new NotFound(getMessage('users.no_address', { email }))
  return user
}

/**
 * Decides between 403 and 404, only here: an object of another organization is forbidden, a missing object is not found.
 * @throws NotFound, Forbidden
 */
export function requireOwned<T extends { organization: number }>(organization: number, object: T | undefined): T {
  if (!object) throw new NotFound()
  if (object.organization !== organization) throw new Forbidden()
  return object
}
