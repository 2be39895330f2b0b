import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { confirmIdentityAction } from '../../core/access/account/session-actions.ts'
import { PasskeyAssertion } from '../../core/access/passkeys.ts'
import { requirePassword } from '../../core/access/passwords.ts'
import { fieldMessages } from '../../core/fields.ts'
import { requireSession, visitor } from '../guard.ts'
import { acceptPasskey } from './passkey-answers.ts'
import { secret } from './sign-in.ts'

/** Confirmation of an action on the own account: with the password, a code or a passkey. */
export const Confirmation = z
  .object({ password: secret.optional(), code: secret.optional(), passkey: PasskeyAssertion.optional() })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    error: fieldMessages.required,
    path: ['password'],
  })
export type Confirmation = z.output<typeof Confirmation>

/** Check that the user of a request is the one who signed in. @throws Throttled, Invalid */
export async function confirmIdentity(
  app: App,
  request: FastifyRequest,
  { password, code, passkey }: Confirmation,
  name = 'password',
): Promise<void> {
  const session = requireSession(request)
  const { user, organization } = session
  const prove = async () => {
    if (password !== undefined) await requirePassword(app.db, user, password, name)
    if (passkey) return { passkey: await acceptPasskey(app, session, 'confirm', passkey) }
    return code === undefined ? undefined : { code }
  }
  const step = passkey ? 'passkey' : code === undefined ? 'password' : 'code'
  const actor = { ...visitor(app, request), user, organization }
  await runAction(app, actor, confirmIdentityAction, { step, prove })
}
