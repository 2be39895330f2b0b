import { z } from 'zod'
import { type ActionEntry, action } from '../action.ts'
import { revokeKeysOfUser } from '../api-keys.ts'
import { forgetBrowsers } from '../known-browsers.ts'
import { getPerson, setPassword, type User } from '../organizations.ts'
import { endSessions, listMemberships } from '../sessions.ts'
import { clearAttemptsOf } from '../sign-in-attempts.ts'
import { entryOfKey } from './key-entries.ts'

/* Accounts of users as the operator repairs them. Each organization of the user sees it in its audit log. */

/** Set the password of a user, whose sessions end. `end_keys`: the API keys end as well, in all organizations. */
export const setPasswordAction = action({
  name: 'set password',
  object_type: 'user',
  permission: 'operator',
  input: z.object({ email: z.string(), password_hash: z.string(), end_keys: z.boolean().default(false) }),
  async run(tx, { now }, { email, password_hash, end_keys }) {
    const user = await getPerson(tx, email)
    await setPassword(tx, user.id, password_hash)
    await endSessions(tx, user.id)
    await forgetBrowsers(tx, user.id)
    await clearAttemptsOf(tx, user)
    const organizations = await listMemberships(tx, user.id)
    return { user, organizations, keys: end_keys ? await revokeKeysOfUser(tx, now, user.id) : [] }
  },
  audit: ({ user, organizations, keys }) => [...entriesOf(user, organizations), ...keys.map(entryOfKey)],
})

/** Let a user sign in at once after too many wrong passwords or codes. */
export const unlockSignInAction = action({
  name: 'unlock sign-in',
  object_type: 'user',
  permission: 'operator',
  input: z.object({ email: z.string() }),
  async run(tx, _, { email }) {
    const user = await getPerson(tx, email)
    await clearAttemptsOf(tx, user)
    return { user, organizations: await listMemberships(tx, user.id) }
  },
  audit: ({ user, organizations }) => entriesOf(user, organizations),
  cli: {
    path: 'users unlock',
    description: 'let a user sign in at once after too many wrong passwords or codes',
    typed: { email: ['<email>', ''] },
    text: ({ user }) => `${user.email} can sign in at once.`,
    view: null,
  },
})

function entriesOf({ id: object, email }: User, organizations: readonly { id: number }[]): ActionEntry[] {
  return organizations.map(({ id: organization }) => ({ object, organization, details: { email } }))
}
