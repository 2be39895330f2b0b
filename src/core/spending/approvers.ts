import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { formatTimestamp } from '../../lib/time.ts'
import type { Permission } from '../access/api-keys.ts'
import { requiresSecondFactor } from '../access/organizations.ts'
import { hasSecondFactor } from '../access/second-factors.ts'
import { Forbidden } from '../refusals.ts'

/* Approvers of outgoing money, for payments and bills alike. */

/** A user of an organization. */
interface Member {
  organization: number
  user: number
}

/**
 * Requires that a member has one of these permissions, and the second factor that the organization demands.
 * @throws Forbidden
 */
export async function requireMoneyPermission(
  tx: Tx,
  { organization, user }: Member,
  permissions: readonly Permission[],
): Promise<void> {
  const [member] = await tx`
    select 1 from memberships where organization = ${organization} and "user" = ${user}
      and permissions && ${permissions}::text[]`
  if (!member) throw new Forbidden()
  if ((await requiresSecondFactor(tx, organization)) && !(await hasSecondFactor(tx, user)))
    throw new Forbidden(getMessage('payments.approver_without_factor'))
}

/** A new approver waits, so that others can notice the new permission. @throws Forbidden that says until when */
export async function requireWaitIsOver(tx: Tx, now: Date, { organization, user }: Member): Promise<void> {
  const [member] = await tx<{ approves_from: Date | null }[]>`
    select approves_from from memberships where organization = ${organization} and "user" = ${user}`
  const from = member?.approves_from
  if (from && from > now) throw new Forbidden(getMessage('payments.new_approver', { time: formatTimestamp(from) }))
}

/** Requires that a member manages the organization. @throws Forbidden */
export async function requireManager(tx: Tx, { organization, user }: Member): Promise<void> {
  const [member] = await tx`
    select 1 from memberships where organization = ${organization} and "user" = ${user}
      and 'manage_organization' = any(permissions)`
  if (!member) throw new Forbidden()
}

/** Return true if the organization has another person than this user with a permission: a second person. */
export async function hasOther(
  db: Reader,
  organization: number,
  user: number,
  permission: Permission,
): Promise<boolean> {
  const [other] = await db`
    select 1 from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and m."user" <> ${user} and u.kind = 'person'
      and ${permission} = any(m.permissions) limit 1`
  return other !== undefined
}
