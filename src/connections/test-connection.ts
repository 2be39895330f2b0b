import type { TestResult } from '../core/connections/connections.ts'
import type { CheckResult } from '../drivers/contract.ts'
import { isLoopbackHost } from '../lib/http/ip-addresses.ts'
import { getMessage } from '../lib/messages/message.ts'
import type { NetworkTraits } from '../networks/contract.ts'
import type { ProviderConnection } from './connection.ts'
import { callDriver, type DriverCaller } from './tools/call-driver.ts'

/**
 * Try a connection without moving money: the driver's checks, and whether the network can reach us. It never throws.
 * Results contain no secrets.
 * @param options.secrets the secret settings, to keep them out of messages
 * @param options.public_url PUBLIC_URL, if it is set
 * @param options.local_url our own address, where the provider is a simulator on this machine
 */
export async function testConnection(
  caller: DriverCaller,
  connection: ProviderConnection,
  { secrets, public_url, local_url }: TestOptions,
): Promise<TestResult[]> {
  const callbacks = checkCallbackAddress(connection, public_url, local_url)
  const results = joinCallbackChecks(await tryDriver(caller, connection), callbacks)
  return results.map(({ name, outcome, message }) => ({ name, outcome, message: withoutSecrets(message, secrets) }))
}

interface TestOptions {
  secrets: Record<string, unknown>
  public_url: string | undefined
  local_url?: string | undefined
}

async function tryDriver(caller: DriverCaller, connection: ProviderConnection): Promise<CheckResult[]> {
  if (connection.operations.test) return toResults('credentials', await callDriver(caller, connection, 'test'))
  const message = getMessage('connections.offers_no_way', { name: connection.name })
  return [{ name: 'credentials', outcome: 'skipped', message }]
}

/** Register our addresses at the provider of a connection, whose driver must have `setUp`. */
export async function registerAddresses(caller: DriverCaller, connection: ProviderConnection): Promise<CheckResult[]> {
  return toResults(CALLBACK_ADDRESS, await callDriver(caller, connection, 'setUp'))
}

/** Return the results of a driver; one that is unknown if it failed. */
function toResults(name: string, answer: CheckResult[] | { outcome: 'unknown' }): CheckResult[] {
  if (Array.isArray(answer)) return answer
  return [{ name, outcome: 'unknown', message: getMessage('connections.driver_failed_bug') }]
}

const CALLBACK_ADDRESS = 'callback address'

/**
 * Join the callback checks of the driver and the service into one answer. If the address can be reached, the driver
 * knows more. If not, only faults that the driver finds count beside it.
 */
function joinCallbackChecks(driver: readonly TestResult[], service: TestResult): TestResult[] {
  const isCallback = ({ name }: TestResult) => name.startsWith(CALLBACK_ADDRESS)
  if (service.outcome === 'ok') return driver.some(isCallback) ? [...driver] : [...driver, service]
  const kept = driver.filter((result) => !isCallback(result) || result.outcome === 'failed')
  return kept.some(({ name }) => name === CALLBACK_ADDRESS) ? kept : [...kept, service]
}

/** Networks that report by callbacks need an address that they can reach. */
function checkCallbackAddress(
  { driver, environment }: ProviderConnection,
  public_url: string | undefined,
  local_url: string | undefined,
): TestResult {
  const name = CALLBACK_ADDRESS
  if (driver.traits.callbacks === 'none')
    return { name, outcome: 'skipped', message: getMessage('connections.sends_no_callbacks', { name: driver.name }) }
  const is_live = driver.environments[environment]?.live === true
  const is_public = public_url !== undefined && isPublicHttps(public_url)
  if (is_public)
    return {
      name,
      outcome: 'ok',
      message: getMessage('connections.reports', { name: driver.name, origin: new URL(public_url).origin }),
    }
  if (local_url !== undefined && !is_live)
    return {
      name,
      outcome: 'ok',
      message: getMessage('connections.simulator_machine_reports', { origin: new URL(local_url).origin }),
    }
  const advice = getMessage('connections.set_public_url_https')
  // Without callbacks the service queries the provider, which is later but not wrong.
  const { answers } = driver.traits as Partial<NetworkTraits>
  return answers === 'by-callback' && is_live
    ? { name, outcome: 'failed', message: `${driver.name} answers questions only by callbacks. ${advice}` }
    : { name, outcome: 'skipped', message: `No callback can arrive, so orders end later. ${advice}` }
}

/** Return true if an address begins with https and names a host other than this machine. */
export function isPublicHttps(address: string): boolean {
  const url = new URL(address)
  return url.protocol === 'https:' && !isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ''))
}

/** Remove secrets from a text: networks may repeat data that we sent. */
export function withoutSecrets(text: string, secrets: Record<string, unknown>): string {
  return Object.values(secrets).reduce<string>(
    (clean, secret) => (typeof secret === 'string' && secret.length > 3 ? clean.replaceAll(secret, '…') : clean),
    text,
  )
}
