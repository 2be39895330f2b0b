import { type SettingField, settingFields } from '../../../drivers/settings.ts'
import type { AnyNetworkDriver, NetworkOperations, OpenedConnection, OpeningTools } from '../../../networks/contract.ts'

/** Something that a network can do, in words. */
export type Ability = (typeof WORDS)[keyof typeof WORDS]

const WORDS = {
  charge: 'collect',
  registerExpectedPayment: 'expect payments',
  payout: 'pay out',
  refund: 'refund',
  accountHolder: 'look up holders',
  transaction: 'look up money',
  balance: 'balance',
  statement: 'statement',
  readValidation: 'ask before payments',
  setUp: 'register addresses',
} as const satisfies Partial<Record<keyof NetworkOperations, string>>

/**
 * Return the operations of a driver whose connection has all settings. The driver is opened with invented ones, which
 * calls nothing. An empty list: it could not be opened this way.
 */
export function abilitiesOf(driver: AnyNetworkDriver): Ability[] {
  const operations = open(driver)
  if (!operations) return []
  return Object.entries(WORDS).flatMap(([name, word]) => (operations[name as keyof typeof WORDS] ? [word] : []))
}

function open(driver: AnyNetworkDriver): NetworkOperations | undefined {
  const invented = Object.fromEntries(settingFields(driver).map((field) => [field.name, inventValue(field)]))
  const [[environment, { hosts }] = ['', { hosts: {} }]] = Object.entries(driver.environments)
  const settings = driver.settings.safeParse(invented).data ?? invented
  const connection: OpenedConnection = { slug: 'none', environment, hosts, settings }
  try {
    return driver.open(connection as OpenedConnection<never>, TOOLS)
  } catch {
    return undefined
  }
}

function inventValue({ kind, example, choices, ...field }: SettingField): unknown {
  if (kind === 'yes-no') return true
  if (kind === 'number') return Number(field.default ?? example ?? 1)
  return example ?? field.default ?? choices?.[0] ?? 'x'.repeat(32)
}

const unknown = { outcome: 'unknown', message: 'Nothing is called.' } as const

/** Tools that call nothing. */
const TOOLS: OpeningTools = {
  openSocket: async () => Promise.reject(new Error(unknown.message)),
  tokens: { get: async () => unknown, refuse: () => {} },
  now: () => new Date(),
  callbackUrl: () => 'https://gateway.example/none',
  alarm: () => {},
}
