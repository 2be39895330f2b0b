import { SETTINGS_SMS } from '../core/connections/connections.ts'
import { isBuiltIn } from '../core/connections/sandbox-networks.ts'
import { type FieldErrors, Invalid } from '../core/refusals.ts'
import type { AnyDriver, Environment, OpenedConnection } from '../drivers/contract.ts'
import { type SettingField, settingFields } from '../drivers/settings.ts'
import { forbiddenWords } from '../lib/http/forbidden-words.ts'
import { isLoopbackHost } from '../lib/http/ip-addresses.ts'
import { getMessage } from '../lib/messages/message.ts'
import { withoutTrailing } from '../lib/text/trailing.ts'

/** A merchant account as a person describes it, before anything of it is checked. */
export interface ProposedConnection {
  slug: string
  /** The code of the driver. */
  driver: string
  environment: string
  /** Base URLs by the driver's names, in place of the environment's. */
  hosts: Record<string, string>
  /** Settings by name, including secrets. Numbers and yes or no may be texts. */
  values: Record<string, unknown>
}

/** A merchant account whose settings are valid. */
interface CheckedConnection {
  driver: AnyDriver
  hosts: Record<string, string>
  settings: Record<string, unknown>
  secrets: Record<string, unknown>
}

/** Facts about the installation that limit the settings. */
export interface CheckContext {
  drivers: readonly AnyDriver[]
  mode: 'sandbox' | 'live'
  /** The address at which the network will report, for the checks of the driver. */
  callback_url: string
}

/** Check a connection, everything at once. @throws Invalid with a message for each field and setting that is wrong */
export function checkConnection(proposed: ProposedConnection, context: CheckContext): CheckedConnection {
  const errors: FieldErrors = { ...slugErrors(proposed.slug) }
  const driver = context.drivers.find(({ code }) => code === proposed.driver)
  if (!driver) {
    const known = context.drivers.map(({ code }) => code).join(', ')
    throw new Invalid({ ...errors, driver: [getMessage('connections.driver', { driver: proposed.driver, known })] })
  }
  const environment = Object.hasOwn(driver.environments, proposed.environment)
    ? driver.environments[proposed.environment]
    : undefined
  if (!environment)
    errors.environment = [
      getMessage('connections.environments', { name: driver.name, list: Object.keys(driver.environments).join(', ') }),
    ]
  else if (context.mode === 'live' && !environment.live)
    errors.environment = [
      getMessage('connections.moves_no_real', { environment: environment.title, network: driver.name }),
    ]
  const hosts = environment ? checkHosts(proposed.hosts, environment, errors) : {}
  const checked = checkValues(driver, proposed.values)
  Object.assign(errors, checked.errors)
  if (environment && Object.keys(errors).length === 0) {
    const { slug } = proposed
    const settings = { ...checked.settings, ...checked.secrets }
    const opened = { slug, environment: proposed.environment, hosts: { ...environment.hosts, ...hosts }, settings }
    Object.assign(errors, driverErrors(driver, opened, context.callback_url))
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return { driver, hosts, settings: checked.settings, secrets: checked.secrets }
}

function slugErrors(slug: string): FieldErrors {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 40) return { slug: [getMessage('connections.slug')] }
  if (isBuiltIn(slug)) return { slug: [getMessage('connections.name_simulated_network')] }
  if (slug === SETTINGS_SMS) return { slug: [getMessage('connections.name_sms_provider')] }
  // Networks refuse callback addresses with some words, and the slug is a part of the address.
  const [word] = forbiddenWords(slug)
  return word === undefined ? {} : { slug: [getMessage('connections.slug_part_callback', { word })] }
}

function driverErrors(driver: AnyDriver, opened: OpenedConnection, callback_url: string): FieldErrors {
  const messages = driver.checkSettings?.(opened as OpenedConnection<never>, callback_url) ?? {}
  return Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, [message]]))
}

/** @returns the hosts in the form in which drivers use them: without a slash at the end */
function checkHosts(
  given: Record<string, string>,
  environment: Environment,
  errors: FieldErrors,
): Record<string, string> {
  const faults: string[] = []
  const hosts = Object.entries(given).map(([name, text]) => {
    if (!Object.hasOwn(environment.hosts, name))
      faults.push(getMessage('connections.host', { name, list: Object.keys(environment.hosts).join(', ') }))
    const url = URL.canParse(text) ? new URL(text) : undefined
    const [secure, open] = /^s?smpp:/.test(environment.hosts[name] ?? '') ? ['ssmpp:', 'smpp:'] : ['https:', 'http:']
    const is_local = url?.protocol === open && isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ''))
    if (!url || (url.protocol !== secure && !is_local))
      faults.push(getMessage('connections.address_begin_only', { name, secure, open }))
    else if (url.username || url.password || url.search || url.hash)
      faults.push(getMessage('connections.address_user_query', { name }))
    return [name, withoutTrailing(text, '/')]
  })
  if (faults.length > 0) errors.hosts = faults
  return Object.fromEntries(hosts)
}

/** Check all settings against the schema of the driver. */
function checkValues(driver: AnyDriver, given: Record<string, unknown>) {
  const fields = settingFields(driver)
  const errors: FieldErrors = {}
  for (const name of Object.keys(given))
    if (!fields.some((field) => field.name === name))
      errors[name] = [
        getMessage('connections.such_setting', {
          name: driver.name,
          list: fields.map((field) => field.name).join(', '),
        }),
      ]
  const values = Object.fromEntries(
    fields.flatMap((field) => {
      const value = readValue(field, given[field.name])
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
  const parsed = driver.settings.safeParse(values)
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = fields.find(({ name }) => name === path[0])
    const name = field?.name ?? 'settings'
    errors[name] = [field && values[name] === undefined ? describeMissing(field) : hideValue(message, values[name])]
  }
  const isSecret = new Set(fields.flatMap(({ name, secret }) => (secret ? [name] : [])))
  const entries = Object.entries(parsed.data ?? {}).filter(([, value]) => value !== undefined)
  return {
    errors,
    settings: Object.fromEntries(entries.filter(([name]) => !isSecret.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecret.has(name))),
  }
}

/** The value that a setting means. Command lines and forms have texts only; an empty one is no value. */
function readValue({ kind }: SettingField, given: unknown): unknown {
  if (given === null || given === undefined || given === '') return undefined
  if (typeof given !== 'string') return given
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(given.trim())) return Number(given)
  if (kind === 'yes-no' && /^(yes|true|on|1)$/i.test(given)) return true
  if (kind === 'yes-no' && /^(no|false|off|0)$/i.test(given)) return false
  return kind === 'long-text' ? given : given.trim()
}

function describeMissing({ title, help }: SettingField): string {
  return `${title} is missing. ${help}`
}

/** Hide the given value in a message: it may be a secret, or a secret in the wrong place. */
function hideValue(message: string, value: unknown): string {
  return typeof value === 'string' && value.length > 3 ? message.replaceAll(value, '…') : message
}
