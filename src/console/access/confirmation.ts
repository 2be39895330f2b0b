import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { PasskeyAssertion } from '../../core/access/passkeys.ts'
import { requirePassword } from '../../core/access/passwords.ts'
import { acceptCode, SECOND_FACTOR_PURPOSE } from '../../core/access/second-factors.ts'
import { fieldMessages } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { requireSession } from '../guard.ts'
import { countOwnAttempt, recordOwnFailure } from './attempts.ts'
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

/**
 * Check that the user of a request is the one who signed in. It has its own counter, so that wrong passwords at the
 * sign-in page never prevent it. @throws Throttled, Invalid
 */
export async function confirmIdentity(
  app: App,
  request: FastifyRequest,
  { password, code, passkey }: Confirmation,
  name = 'password',
): Promise<void> {
  const session = requireSession(request)
  const { user } = session
  const attempt = await countOwnAttempt(app, request, `confirmation ${user}`)
  const step = passkey ? 'passkey' : code === undefined ? 'password' : 'code'
  try {
    if (password !== undefined) await requirePassword(app.db, user, password, name)
    const record = passkey && (await acceptPasskey(app, session, 'confirm', passkey))
    const sealing_keys = app.sealingKeys(SECOND_FACTOR_PURPOSE)
    await begin(app.db, async (tx) => {
      await record?.(tx)
      if (code !== undefined) await acceptCode(tx, app.clock.real(), { user, code, sealing_keys })
      await attempt.clear(tx)
    })
  } catch (error) {
    if (error instanceof Invalid) await recordOwnFailure(app, request, attempt, step)
    throw error
  }
}
