import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { api } from './api.ts'
import { t } from './texts/index.ts'

/** Reason why this page cannot use passkeys, with a working address if there is one; undefined if it can. */
export interface PasskeyObstacle {
  text: string
  address?: string
}

/** @param origin the origin at which the service accepts passkeys; null if there is none */
export function passkeyObstacle(origin: string | null): PasskeyObstacle | undefined {
  if (origin === null) return { text: t('access.passkey.needs_https') }
  if (origin !== location.origin) return { text: t('access.passkey.works_at'), address: origin + location.pathname }
  return browserSupportsWebAuthn() ? undefined : { text: t('access.passkey.not_supported') }
}

/** Make a passkey on this device or on a security key. @throws Error with a text for the person */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  return explained(() => startRegistration({ optionsJSON: options }))
}

/**
 * Let the person use a passkey.
 * @param path the route that gives the options
 * @throws ApiError, Error with a text for the person
 */
export async function askPasskey(path: string) {
  const options = await api.post<PublicKeyCredentialRequestOptionsJSON>(path)
  return explained(() => startAuthentication({ optionsJSON: options }))
}

/** The texts of browsers are for programmers. */
async function explained<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    const code = error instanceof WebAuthnError ? error.code : undefined
    if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error(t('access.passkey.already_added'), { cause: error })
    throw new Error(t('access.passkey.not_used'), { cause: error })
  }
}
