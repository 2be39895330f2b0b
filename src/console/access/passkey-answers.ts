import { z } from 'zod'
import type { App } from '../../app.ts'
import {
  type ChallengePurpose,
  checkAssertion,
  keepChallenge,
  type PasskeyAssertion,
  type RelyingParty,
  recordPasskeyUse,
  relyingPartyOf,
  requestOptions,
  takeChallenge,
} from '../../core/access/passkeys.ts'
import type { Session } from '../../core/access/sessions.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin, type Tx } from '../../db/client.ts'
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
  await begin(app.db, (tx) => keepChallenge(tx, app.clock.real(), { session: session.id, purpose, challenge }))
  return { ...options }
}

/**
 * Check the answer of a browser that has used a passkey. The challenge is spent whatever the result.
 * @returns a function that records the use, for the transaction of the permitted action; it throws Invalid if the same
 * passkey was used elsewhere meanwhile
 * @throws Invalid
 */
export async function acceptPasskey(
  app: App,
  session: Session,
  purpose: ChallengePurpose,
  answer: PasskeyAssertion,
): Promise<(tx: Tx) => Promise<void>> {
  const party = requireRelyingParty(app)
  const challenge = await spendChallenge(app, session, purpose)
  const use = await checkAssertion(app.db, party, { user: session.user, challenge, answer })
  if (!use) throw refusedPasskey()
  return async (tx) => {
    if (!(await recordPasskeyUse(tx, app.clock.real(), use))) throw refusedPasskey()
  }
}

/** Take the challenge of a session, in its own transaction. @throws Invalid if there is none or it has expired */
export async function spendChallenge(app: App, session: Session, purpose: ChallengePurpose): Promise<Buffer> {
  const challenge = await begin(app.db, (tx) => takeChallenge(tx, app.clock.real(), { session: session.id, purpose }))
  if (!challenge) throw new Invalid({ non_field_errors: [getMessage('access.late_passkey')] })
  return challenge
}

/** The reason is not given: it would help only those who try to forge an answer. */
export function refusedPasskey(): Invalid {
  return new Invalid({ non_field_errors: [getMessage('access.refused_passkey')] })
}
