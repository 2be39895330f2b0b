import { z } from 'zod'
import { runAction, stranger } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { keepChallengeAction, takeChallengeAction } from '../../core/access/account/session-actions.ts'
import {
  type ChallengePurpose,
  checkAssertion,
  type PasskeyAssertion,
  type PasskeyUse,
  type RelyingParty,
  refusedPasskey,
  relyingPartyOf,
  requestOptions,
} from '../../core/access/passkeys.ts'
import type { Session } from '../../core/access/sessions.ts'
import { Invalid } from '../../core/refusals.ts'
import { getMessage } from '../../lib/messages/message.ts'

/** The options for the browser, as the library makes them. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })

/** The relying party of this installation. @throws Invalid if passkeys cannot work at its address */
export function requireRelyingParty(app: App): RelyingParty {
  const party = relyingPartyOf(app.address.url)
  if (!party) throw new Invalid({ non_field_errors: [getMessage('access.passkeys_need_https')] })
  return party
}

/** The options with which a browser uses a passkey of the user of this session. @throws Invalid */
export async function openPasskeyOptions(app: App, session: Session, purpose: ChallengePurpose) {
  const { challenge, options } = await requestOptions(app.db, requireRelyingParty(app), session.user)
  if (!options.allowCredentials?.length) throw new Invalid({ non_field_errors: [getMessage('access.no_passkey')] })
  await runAction(app, stranger(''), keepChallengeAction, { session: session.id, purpose, challenge })
  return { ...options }
}

/**
 * Check the answer of a browser that has used a passkey. The challenge is spent whatever the result.
 * @returns the use, for the action that it permits @throws Invalid
 */
export async function acceptPasskey(
  app: App,
  session: Session,
  purpose: ChallengePurpose,
  answer: PasskeyAssertion,
): Promise<PasskeyUse> {
  const party = requireRelyingParty(app)
  const challenge = await spendChallenge(app, session, purpose)
  const use = await checkAssertion(app.db, party, { user: session.user, challenge, answer })
  if (!use) throw refusedPasskey()
  return use
}

/** Take the challenge of a session, in its own transaction. @throws Invalid if there is none or it has expired */
export async function spendChallenge(app: App, session: Session, purpose: ChallengePurpose): Promise<Buffer> {
  const challenge = await runAction(app, stranger(''), takeChallengeAction, { session: session.id, purpose })
  if (!challenge) throw new Invalid({ non_field_errors: [getMessage('access.late_passkey')] })
  return challenge
}
