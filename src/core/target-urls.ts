import { isPublicAddress, isWithin, parseRanges } from '../lib/http/ip-addresses.ts'

/** The settings that say where notifications may go. */
export interface TargetSettings {
  MODE: 'sandbox' | 'live'
  WEBHOOK_ALLOWED_NETWORKS: string
}

/**
 * What is wrong with a webhook's target, or undefined. It must be an https URL without credentials; a path is not needed
 * (interface 4.2, interface-gaps: Webhooks). Where its host leads is another question, asked at every attempt.
 */
export function targetUrlError(target: string): string | undefined {
  if (!URL.canParse(target) || /[\s\p{Cc}]/u.test(target)) return 'Enter a valid URL.'
  if (!/^https:\/\//i.test(target)) return 'Enter a URL that begins with https://.'
  const url = new URL(target)
  if (url.username !== '' || url.password !== '') return 'Enter a URL without a user name and password.'
  return undefined
}

/** Whether a certificate must be good: always, but for sandbox targets that say `?skip-cert-verify`. */
export function mustVerifyCertificate(settings: TargetSettings, target: URL): boolean {
  return settings.MODE === 'live' || !target.searchParams.has('skip-cert-verify')
}

/**
 * Which addresses notifications may be sent to: public ones and the business's own networks. Without this rule anybody
 * who may make a webhook could make this service knock on what is meant to be reached from within only. In the sandbox
 * receivers run on developers' own machines, so everything is allowed.
 */
export function createAddressCheck(settings: TargetSettings): (address: string) => boolean {
  if (settings.MODE === 'sandbox') return () => true
  const own = parseRanges(settings.WEBHOOK_ALLOWED_NETWORKS) ?? []
  return (address) => isPublicAddress(address) || isWithin(address, own)
}
