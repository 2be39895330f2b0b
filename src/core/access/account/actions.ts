import { z } from 'zod'
import { getMessage } from '../../../lib/messages/message.ts'
import { errorMessage, fieldMessages, integer } from '../../fields.ts'
import { Invalid } from '../../refusals.ts'
import { type ActionContext, action, userOf } from '../action.ts'
import { revokeKeysOfUser } from '../api-keys.ts'
import { failedConfirmation } from '../failed-sign-ins.ts'
import { forgetBrowser, forgetBrowsers } from '../known-browsers.ts'
import { setPassword } from '../organizations.ts'
import { addPasskey, type NewPasskey, PasskeyView, passkeyName, removePasskey, renamePasskey } from '../passkeys.ts'
import {
  confirmSecondFactor,
  hasSecondFactor,
  removeApp,
  replaceRecoveryCodes,
  SECOND_FACTOR_PURPOSE,
  startSecondFactorSetup,
} from '../second-factors.ts'
import { endSessions } from '../sessions.ts'
import { setLanguage, UserLanguage } from '../user-language.ts'
import { entryOfKey } from './key-entries.ts'

declare module '../action.ts' {
  interface ActionService {
    /** Name of this installation. */
    service_name: string
  }
}

/* Actions of users on their own account, which need no permission. */

const own = { permission: 'self' } as const
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** Set the language of the console, in every browser of the user. Others see nothing of it, so it is not audited. */
export const setLanguageAction = action({
  ...own,
  name: 'set language',
  input: z.object({ language: UserLanguage }),
  run: (tx, context, { language }) => setLanguage(tx, userOf(context), language),
  audit: () => undefined,
  console: { method: 'PUT', path: '/account/language' },
})

/** Change the own password. `browser`: the known browser of the user that sends it. */
export const changePasswordAction = action({
  ...own,
  name: 'change password',
  confirmed: true,
  input: z.object({ password_hash: z.string(), browser: z.int().optional() }),
  async run(tx, context, { password_hash, browser }) {
    const user = userOf(context)
    await setPassword(tx, user, password_hash)
    // Another person may know the old password, so all other sessions end and no other browser is known.
    await endSessions(tx, user, context.actor.session)
    await forgetBrowsers(tx, user, browser)
  },
  audit: () => ({}),
})

/** Start the setup of an authenticator app, which its first code ends. */
export const startAppSetupAction = action({
  ...own,
  name: 'start app setup',
  confirmed: true,
  input: z.object({}),
  async run(tx, context) {
    const user = userOf(context)
    const [row] = await tx<{ email: string }[]>`select email from users where id = ${user}`
    const { service_name: issuer } = context.service
    return startSecondFactorSetup(tx, { id: user, email: row!.email }, { issuer, sealing_keys: keysOf(context) })
  },
  audit: () => undefined,
  console: {
    method: 'POST',
    path: '/account/second-factor',
    answer: z.object({ secret: z.string(), uri: z.string() }),
  },
})

/** Put the authenticator app into use with its first code. All other sessions end. */
export const turnSecondFactorOnAction = action({
  ...own,
  name: 'turn second factor on',
  throttle: {
    name: 'app setup',
    attempts: {
      subject: (_, { user }) => `app setup ${user}`,
      failed: (_, context, __, failure) => failedConfirmation(context, 'code', failure),
    },
  },
  input: z.object({ code: z.string() }),
  async run(tx, context, { code }) {
    const user = userOf(context)
    const input = { user, code, sealing_keys: keysOf(context) }
    const recovery_codes = await confirmSecondFactor(tx, context.real, input)
    await endSessions(tx, user, context.actor.session)
    return { recovery_codes }
  },
  audit: () => ({}),
})

export const turnSecondFactorOffAction = action({
  ...own,
  name: 'turn second factor off',
  confirmed: true,
  input: z.object({}),
  run: (tx, context) => removeApp(tx, userOf(context)),
  audit: () => ({}),
  console: { method: 'DELETE', path: '/account/second-factor' },
})

export const drawRecoveryCodesAction = action({
  ...own,
  name: 'draw recovery codes',
  confirmed: true,
  input: z.object({}),
  async run(tx, context) {
    const user = userOf(context)
    if (!(await hasSecondFactor(tx, user)))
      throw new Invalid({ non_field_errors: [getMessage('access.no_second_factor')] })
    return { recovery_codes: await replaceRecoveryCodes(tx, user) }
  },
  audit: () => ({}),
  console: { method: 'POST', path: '/account/recovery-codes', answer: RecoveryCodes },
})

/** Add a passkey, whose answer the door has checked. With the first second factor all other sessions end. */
export const addPasskeyAction = action({
  ...own,
  name: 'add passkey',
  input: z.object({ name: passkeyName, passkey: z.custom<NewPasskey>() }),
  async run(tx, context, { name, passkey: made }) {
    const user = userOf(context)
    const is_first = !(await hasSecondFactor(tx, user))
    const passkey = await addPasskey(tx, context.real, { user, name, passkey: made })
    // Another person may know the password.
    if (is_first) await endSessions(tx, user, context.actor.session)
    return { passkey, recovery_codes: is_first ? await replaceRecoveryCodes(tx, user) : null }
  },
  audit: ({ passkey: { name } }) => ({ details: { name } }),
})

export const renamePasskeyAction = action({
  ...own,
  name: 'rename passkey',
  input: z.object({ id: integer(), name: passkeyName }),
  run: (tx, context, { id: passkey, name }) => renamePasskey(tx, { user: userOf(context), passkey, name }),
  audit: ({ name }) => ({ details: { name } }),
  console: { method: 'PATCH', path: '/account/passkeys/:id', answer: PasskeyView },
})

export const removePasskeyAction = action({
  ...own,
  name: 'remove passkey',
  confirmed: true,
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => removePasskey(tx, userOf(context), id),
  audit: ({ name }) => ({ details: { name } }),
  console: { method: 'DELETE', path: '/account/passkeys/:id' },
})

export const forgetBrowsersAction = action({
  ...own,
  name: 'forget browsers',
  input: z.object({}),
  run: (tx, context) => forgetBrowsers(tx, userOf(context)),
  audit: (browsers) => ({ details: { browsers } }),
  console: { method: 'DELETE', path: '/account/browsers' },
})

export const forgetBrowserAction = action({
  ...own,
  name: 'forget browser',
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => forgetBrowser(tx, userOf(context), id),
  audit: ({ user_agent, address }) => ({ action: 'forget browsers', details: { browser: user_agent, at: address } }),
  console: { method: 'DELETE', path: '/account/browsers/:id' },
})

/** End all sessions of the user, and on demand the API keys as well, in all organizations. */
export const signOutEverywhereAction = action({
  ...own,
  name: 'sign out everywhere',
  input: z.object({ end_keys: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false) }),
  async run(tx, context, { end_keys }) {
    const user = userOf(context)
    const sessions = await endSessions(tx, user)
    return { sessions, keys: end_keys ? await revokeKeysOfUser(tx, context.now, user) : [] }
  },
  audit: ({ sessions, keys }) => [...keys.map(entryOfKey), { details: { sessions, keys: keys.length } }],
})

function keysOf({ service }: ActionContext) {
  return service.sealingKeys(SECOND_FACTOR_PURPOSE)
}
