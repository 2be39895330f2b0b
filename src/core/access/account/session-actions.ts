import { z } from 'zod'
import type { Tx } from '../../../db/client.ts'
import { type ActionContext, type ActionEntry, action, userOf } from '../action.ts'
import { entriesOfFailure, type FailedSignIn, failedConfirmation } from '../failed-sign-ins.ts'
import { createPasswordReset, type OneTimeLink, redeemLink } from '../invitations.ts'
import { forgetBrowsers, rememberBrowser } from '../known-browsers.ts'
import { findUser, recordSignIn } from '../organizations.ts'
import {
  type ChallengePurpose,
  keepChallenge,
  type PasskeyUse,
  recordPasskeyUse,
  refusedPasskey,
  takeChallenge,
} from '../passkeys.ts'
import { acceptCode, SECOND_FACTOR_PURPOSE } from '../second-factors.ts'
import { endSession, endSessions, findSession, type Session, startSession, switchOrganization } from '../sessions.ts'
import { passwordSubject, secondFactorSubject } from '../sign-in-attempts.ts'

/* Actions by which people sign in and out, and prove who they are. */

/** Properties of actions of anyone without an entry in the audit log. */
const silent = { permission: 'anyone', audit: () => undefined } as const

const LINKS_PER_MINUTE = 20

/** Browser in which a person signs in. */
export interface Browser {
  user_agent: string
  /** The value of the cookie by which it is known; empty if it has none. */
  cookie: string
  /** The session that it has had. */
  former: number | undefined
}

/** Proof of a second step: a code, or the use of a passkey, whose answer the door has checked. */
type SecondStep = { code: string } | { passkey: PasskeyUse }

/** Check of a proof before the transaction. The door knows how the person brings it. @throws Invalid */
const proof = <Proof>() => z.custom<() => Promise<Proof>>()

/** Start a session for a user who proves a password. It is complete, and recorded, without a second factor. */
export const signInAction = action({
  permission: 'anyone',
  name: 'sign in',
  throttle: {
    name: 'sign in',
    per_minute: 60,
    attempts: {
      subject: ({ email }) => passwordSubject(email),
      email: ({ email }) => email,
      failed: async (tx, context, { email }, failure) =>
        failedSignIn(tx, context, { ...failure, user: (await findUser(tx, email))?.id, step: 'password' }),
    },
  },
  input: z.object({
    email: z.string(),
    prove: proof<{ id: number; second_factor: boolean }>(),
    browser: z.custom<Browser>(),
  }),
  check: (_, { prove }) => prove(),
  run: (tx, context, { browser }, { id: user, second_factor }) =>
    openSession(tx, context, { user, complete: !second_factor, browser }),
  audit: (opened) => entryOfSession(opened),
})

/** Complete the session of a user who proves a second step. */
export const completeSignInAction = action({
  permission: 'anyone',
  name: 'complete sign-in',
  throttle: {
    name: 'second factor',
    attempts: {
      subject: ({ session }) => secondFactorSubject(session.user),
      email: ({ session }) => session.email,
      failed: (tx, context, { session, step }, failure) =>
        failedSignIn(tx, context, { ...failure, user: session.user, step }),
    },
  },
  input: z.object({
    session: z.custom<Session>(),
    step: z.enum(['code', 'passkey']),
    prove: proof<SecondStep>(),
    browser: z.custom<Browser>(),
  }),
  check: (_, { prove }) => prove(),
  async run(tx, context, { session: { user }, browser }, step) {
    const second_factor = await acceptStep(tx, context, user, step)
    return openSession(tx, context, { user, complete: true, browser, second_factor })
  },
  audit: (opened) => entryOfSession(opened),
})

/**
 * Accept the proof that a signed-in user is the one who signed in. Its attempts have a count of their own, so that wrong
 * passwords at the sign-in page never prevent it.
 */
export const confirmIdentityAction = action({
  permission: 'self',
  name: 'confirm identity',
  throttle: {
    name: 'confirmation',
    attempts: {
      subject: (_, { user }) => `confirmation ${user}`,
      failed: (_, context, { step }, failure) => failedConfirmation(context, step, failure),
    },
  },
  input: z.object({
    step: z.enum(['password', 'code', 'passkey']),
    /** A password is proved by then. */
    prove: proof<SecondStep | undefined>(),
  }),
  check: (_, { prove }) => prove(),
  run: async (tx, context, _, step) => void (step && (await acceptStep(tx, context, userOf(context), step))),
  audit: () => undefined,
})

async function failedSignIn(tx: Tx, { real }: ActionContext, failure: FailedSignIn) {
  return (await entriesOfFailure(tx, real, failure)).map((entry) => ({ action: 'failed sign-in', ...entry }))
}

/** @throws Invalid */
async function acceptStep(tx: Tx, { real, service }: ActionContext, user: number, step: SecondStep) {
  if ('code' in step) {
    const sealing_keys = service.sealingKeys(SECOND_FACTOR_PURPOSE)
    return acceptCode(tx, real, { user, code: step.code, sealing_keys })
  }
  // The same passkey may have been used elsewhere meanwhile.
  if (!(await recordPasskeyUse(tx, real, step.passkey))) throw refusedPasskey()
  return 'passkey' as const
}

/** A new session, with the cookies of its browser. Only a complete one makes its browser known. */
export interface OpenedSession {
  token: string
  session: Session | null
  browser_cookie?: string
  second_factor?: string | undefined
}

/** Start a session in the place of the one that the browser has had. */
async function openSession(
  tx: Tx,
  { now, real, actor }: ActionContext,
  input: { user: number; complete: boolean; browser: Browser; second_factor?: string | undefined },
): Promise<OpenedSession> {
  const { user, complete, browser, second_factor } = input
  const { user_agent, cookie, former } = browser
  const address = actor.address ?? ''
  const token = await startSession(tx, real, { user, complete, address, user_agent })
  if (former !== undefined) await endSession(tx, former)
  const session = (await findSession(tx, real, token)) ?? null
  if (!complete) return { token, session }
  const browser_cookie = await rememberBrowser(tx, real, { user, cookie, address, user_agent })
  await recordSignIn(tx, now, user)
  return { token, session, browser_cookie, second_factor }
}

function entryOfSession({ session, second_factor }: OpenedSession): ActionEntry | undefined {
  if (!session?.complete) return undefined
  const { organization, user } = session
  return { action: 'sign in', organization, user, details: second_factor ? { second_factor } : {} }
}

/** Result of the use of a one-time link. */
interface UsedLink {
  link: OneTimeLink
  user: number
  email: string
  browser_cookie?: string
  opened?: OpenedSession
}

/** Use the one-time link of an invitation or of a password reset. A user whom it makes is signed in. */
export const useLinkAction = action({
  permission: 'anyone',
  name: 'use link',
  throttle: { name: 'link', per_minute: LINKS_PER_MINUTE },
  input: z.object({
    token: z.string(),
    name: z.string().optional(),
    /** Check the link, and hash the password, which takes a tenth of a second. */
    prepare: proof<string | undefined>(),
    approver_wait_ms: z.number(),
    browser: z.custom<Browser>(),
  }),
  check: (_, { prepare }) => prepare(),
  async run(tx, context, { browser, ...given }, password_hash): Promise<UsedLink> {
    const { link, user } = await redeemLink(tx, context, { ...given, password_hash })
    const used = { link, user: user.id, email: user.email }
    if (link.purpose === 'password_reset') {
      await endSessions(tx, user.id)
      await forgetBrowsers(tx, user.id)
      // The person can sign in here next, also while strangers try passwords from many addresses.
      const known = { user: user.id, address: context.actor.address ?? '', ...browser }
      return { ...used, browser_cookie: await rememberBrowser(tx, context.real, known) }
    }
    // The link proves no more than the mailbox: a user who exists signs in with password and second factor.
    if (link.known) return used
    return { ...used, opened: await openSession(tx, context, { user: user.id, complete: true, browser }) }
  },
  audit({ link: { purpose, organization }, user, opened }) {
    const action = purpose === 'invitation' ? 'accept invitation' : 'reset password'
    return [{ action, organization, user }, (opened && entryOfSession(opened)) ?? []].flat()
  },
})

/**
 * Make the link with which a user who has forgotten the password chooses another.
 * @returns undefined for an unknown e-mail
 */
export const forgetPasswordAction = action({
  ...silent,
  name: 'forget password',
  throttle: {
    name: 'password reset',
    per_minute: LINKS_PER_MINUTE,
    attempts: { subject: ({ email }) => `password reset ${email}`, email: ({ email }) => email, is_kept: true },
  },
  input: z.object({ email: z.string().trim().toLowerCase() }),
  async run(tx, { real }, { email }) {
    const user = await findUser(tx, email)
    return user && { user, token: await createPasswordReset(tx, real, { user, author: null }) }
  },
})

export const signOutAction = action({
  ...silent,
  name: 'sign out',
  input: z.object({ session: z.int() }),
  run: (tx, _, { session }) => endSession(tx, session),
})

export const switchOrganizationAction = action({
  ...silent,
  name: 'switch organization',
  input: z.object({ session: z.custom<Session>(), organization: z.int() }),
  run: (tx, _, { session, organization }) => switchOrganization(tx, session, organization),
})

const challenged = z.object({ session: z.int(), purpose: z.custom<ChallengePurpose>() })

/** Keep the challenge that a passkey of a session answers. */
export const keepChallengeAction = action({
  ...silent,
  name: 'keep passkey challenge',
  input: challenged.extend({ challenge: z.custom<Buffer>() }),
  run: (tx, { real }, given) => keepChallenge(tx, real, given),
})

/** Take the challenge of a session, so that nothing can use it again. */
export const takeChallengeAction = action({
  ...silent,
  name: 'take passkey challenge',
  input: challenged,
  run: (tx, { real }, given) => takeChallenge(tx, real, given),
})
