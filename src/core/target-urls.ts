import { isLoopbackHost, isPublicAddress, isWithin, parseRanges } from '../lib/http/ip-addresses.ts'
import { createHttpClient } from '../lib/http/outgoing-http.ts'
import { getMessage } from '../lib/messages/message.ts'
import { Invalid } from './refusals.ts'

/** The settings that limit where notifications may be sent. */
export interface TargetSettings {
  MODE: 'sandbox' | 'live'
  /** The address that the service listens on. */
  HOST: string
  WEBHOOK_ALLOWED_NETWORKS: string
}

/**
 * Returns the reason why a webhook's target is invalid, or undefined. It must be an https URL without credentials; a
 * path is not needed (interface 4.2, interface-gaps: Webhooks). The address of its host is checked at every attempt,
 * not here.
 */
export function targetUrlError(target: string): string | undefined {
  if (!URL.canParse(target) || /[\s\p{Cc}]/u.test(target)) return getMessage('fields.url')
  if (!/^https:\/\//i.test(target)) return getMessage('fields.https_url')
  const url = new URL(target)
  if (url.username !== '' || url.password !== '') return getMessage('fields.url_without_user')
  return undefined
}

/** True if a valid certificate is required: always, except for sandbox targets with `?skip-cert-verify`. */
export function mustVerifyCertificate(settings: Pick<TargetSettings, 'MODE'>, target: URL): boolean {
  return settings.MODE === 'live' || !target.searchParams.has('skip-cert-verify')
}

/**
 * True if notifications may go to any address: in a sandbox that only its own machine can reach, where developers run
 * their receivers. A sandbox that others can reach is a way into its network, like a live service.
 */
function allowsEveryTarget({ MODE, HOST }: Pick<TargetSettings, 'MODE' | 'HOST'>): boolean {
  return MODE === 'sandbox' && isLoopbackHost(HOST)
}

/**
 * The check of the addresses that notifications may be sent to: public ones and the networks of the business. Without it,
 * a user who can create a webhook could send requests from this service to internal systems.
 */
export function createAddressCheck(settings: TargetSettings): (address: string) => boolean {
  if (allowsEveryTarget(settings)) return () => true
  const own = parseRanges(settings.WEBHOOK_ALLOWED_NETWORKS) ?? []
  return (address) => isPublicAddress(address) || isWithin(address, own)
}

/**
 * Makes the check of the host of a target: it must have an address that the service may call, so that a person learns of a wrong
 * target at once. Each delivery checks again, because DNS records can change. The check throws Invalid.
 */
export function createHostCheck(settings: TargetSettings): (target: string) => Promise<void> {
  const http = createHttpClient({ allowsAddress: createAddressCheck(settings), timeout_ms: 0 })
  return async (target) => {
    if (allowsEveryTarget(settings)) return
    if (await http.checkHost(new URL(target).hostname)) return
    throw new Invalid({ target: [getMessage('fields.public_url')] })
  }
}
