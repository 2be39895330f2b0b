import { allPermissions } from '../../core/access/api-keys.ts'
import { createPasswordReset } from '../../core/access/invitations.ts'
import {
  createOrganization,
  createUser,
  type Organization,
  setMembership,
  type User,
} from '../../core/access/organizations.ts'
import type { Tx } from '../../db/client.ts'

/** An organization that is to be made, with the person who may do everything there. */
export interface OwnedOrganization {
  name: string
  owner: { name: string; email: string }
}

/**
 * Creates an organization with its owner, who may do everything.
 * @param known a user who becomes the owner instead of a new one
 * @throws Invalid also if there is a user with the e-mail address of a new owner
 */
export async function createOwnedOrganization(
  tx: Tx,
  now: Date,
  input: OwnedOrganization,
  known?: User,
): Promise<{ organization: Organization; owner: User }> {
  const organization = await createOrganization(tx, now, input.name)
  const owner = known ?? (await createUser(tx, now, input.owner))
  await setMembership(tx, now, { organization: organization.id, user: owner.id, permissions: allPermissions })
  return { organization, owner }
}

/**
 * Creates the link with which the first manager chooses a password. It works once, for a week; earlier ones become invalid.
 * @param real the time of the real clock
 * @returns the secret part of the link
 */
export function createFirstLink(tx: Tx, real: Date, user: User): Promise<string> {
  return createPasswordReset(tx, real, { user, author: null, first: true })
}
