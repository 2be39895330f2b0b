import { z } from 'zod'
import { secretSetting, setting } from '../../drivers/settings.ts'
import type { OpenedConnection } from '../contract.ts'
import { SIMULATED, targetEnvironmentNames } from './places.ts'

const PORTAL = 'in your profile at momodeveloper.mtn.com for the sandbox and at momoapi.mtn.com for production'
const PARTNER_PORTAL = 'in the partner portal that MTN opens for you at go-live'

const key = () => z.string().trim().min(1).max(200)
const apiUser = () =>
  z
    .string()
    .trim()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID')

/**
 * Settings of a merchant account at MTN MoMo. Each product has a subscription key; leave out products that you do not
 * use.
 */
export const settings = z.object({
  target_environment: setting(z.enum(targetEnvironmentNames), {
    title: 'Target environment',
    help: 'The country whose wallets this account uses, as MTN names it: sandbox for the sandbox, mtnuganda for Uganda.',
    example: 'mtnuganda',
  }),
  collection_subscription_key: secretSetting(key().optional(), {
    title: 'Collections: subscription key',
    help: `The primary or secondary key of the product Collections, ${PORTAL}. Without it the connection collects nothing.`,
  }),
  collection_api_user: setting(apiUser().optional(), {
    title: 'Collections: API user',
    help: `A UUID, ${PARTNER_PORTAL}. In the sandbox it is made by a command: connections test with --provision.`,
    example: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  }),
  collection_api_key: secretSetting(key().optional(), {
    title: 'Collections: API key',
    help: 'The key of this API user. MTN shows it once, when it is made.',
  }),
  disbursement_subscription_key: secretSetting(key().optional(), {
    title: 'Disbursements: subscription key',
    help: `The key of the product Disbursements, ${PORTAL}. Without it the connection pays nothing out and refunds nothing.`,
  }),
  disbursement_api_user: setting(apiUser().optional(), {
    title: 'Disbursements: API user',
    help: `A UUID, ${PARTNER_PORTAL}. Empty: the API user of Collections serves both products, as in the sandbox.`,
    example: '5c3a7d1e-8f4b-4b6f-9a51-0d6f2c9d8e11',
  }),
  disbursement_api_key: secretSetting(key().optional(), {
    title: 'Disbursements: API key',
    help: 'The key of this API user. Empty: that of Collections.',
  }),
  payout_operation: setting(z.enum(['transfer', 'deposit']).default('transfer'), {
    title: 'Payouts are',
    help: 'What your contract with MTN allows. Most have transfer; deposit is for accounts of agents.',
  }),
  callbacks: setting(z.boolean().default(true), {
    title: 'Ask for callbacks',
    help: 'Payments are seen sooner with them. MTN refuses every order if the host of our address is not registered as the callback host of the API user; without callbacks Kusanya only asks.',
  }),
  holder_names: setting(z.boolean().default(true), {
    title: 'Ask for names of account holders',
    help: 'Some countries do not give names to partners. Then switch this off; whether an account is active is still asked.',
  }),
  delivery_message: setting(z.string().trim().max(160).optional(), {
    title: 'Message after a payment',
    help: 'A text that MTN sends to the payer when a payment has arrived. Letters, digits, blanks and -_., only. Empty: none.',
    example: 'Thank you. Your order is on its way.',
  }),
})

export type Settings = z.output<typeof settings>
export type MtnConnection = OpenedConnection<Settings>

export type ProductName = 'collection' | 'disbursement'

/** MTN product with its credentials. */
export interface Product {
  name: ProductName
  title: string
  subscription_key: string
  api_user: string
  api_key: string
  /** The settings that the credentials come from, for messages. */
  sources: { api_user: string; api_key: string }
}

/** The product Collections, where it is set up completely. */
export function collectionOf(given: Settings): Product | undefined {
  const { collection_subscription_key: subscription_key, collection_api_user, collection_api_key } = given
  if (!subscription_key || !collection_api_user || !collection_api_key) return undefined
  return {
    name: 'collection',
    title: 'Collections',
    subscription_key,
    api_user: collection_api_user.toLowerCase(),
    api_key: collection_api_key,
    sources: { api_user: 'collection_api_user', api_key: 'collection_api_key' },
  }
}

/** The product Disbursements, where it is set up completely. */
export function disbursementOf(given: Settings): Product | undefined {
  const own = Boolean(given.disbursement_api_user || given.disbursement_api_key)
  const api_user = own ? given.disbursement_api_user : given.collection_api_user
  const api_key = own ? given.disbursement_api_key : given.collection_api_key
  if (!given.disbursement_subscription_key || !api_user || !api_key) return undefined
  const from = own ? 'disbursement' : 'collection'
  return {
    name: 'disbursement',
    title: 'Disbursements',
    subscription_key: given.disbursement_subscription_key,
    api_user: api_user.toLowerCase(),
    api_key,
    sources: { api_user: `${from}_api_user`, api_key: `${from}_api_key` },
  }
}

/** The products that are set up. */
export function productsOf(given: Settings): Product[] {
  return [collectionOf(given), disbursementOf(given)].filter((product) => product !== undefined)
}

/** Find faults in the settings, by setting name. See `checkSettings` of the contract. */
export function checkSettings(connection: MtnConnection, callback_url: string): Record<string, string> {
  const faults = { ...productFaults(connection.settings) }
  const is_sandbox = connection.settings.target_environment === 'sandbox'
  if (connection.environment === 'sandbox' && !is_sandbox)
    faults.target_environment = 'must be sandbox, because this connection is to the sandbox of MTN'
  if (connection.environment === 'production' && is_sandbox)
    faults.target_environment = 'must be that of a country, because this connection is to the real network'
  const address_fault = connection.settings.callbacks && callbackFault(connection.environment, callback_url)
  if (address_fault) faults.callbacks = address_fault
  return faults
}

function productFaults(given: Settings): Record<string, string> {
  if (!given.collection_subscription_key && !given.disbursement_subscription_key)
    return { collection_subscription_key: 'is missing, and so is that of Disbursements: one of them is needed' }
  const faults: Record<string, string> = {}
  if (given.collection_subscription_key)
    for (const name of ['collection_api_user', 'collection_api_key'] as const)
      if (!given[name]) faults[name] = 'is missing'
  if (given.disbursement_subscription_key && !disbursementOf(given))
    for (const name of ['disbursement_api_user', 'disbursement_api_key'] as const)
      if (!given[name]) faults[name] = 'is missing'
  return faults
}

/**
 * Return the reason why MTN cannot call this address. It takes host names only, and in production only https on port
 * 443.
 */
function callbackFault(environment: string, callback_url: string): string | undefined {
  if (environment === SIMULATED) return undefined
  const url = URL.canParse(callback_url) ? new URL(callback_url) : undefined
  if (!url) return 'cannot be used, because the public address of this installation is not set'
  const { protocol, port, hostname } = url
  if (/^[\d.]+$|^\[/.test(hostname) || !hostname.includes('.'))
    return `cannot be used: MTN needs a host name on the internet, and ours is ${hostname}`
  if (environment === 'production' && (protocol !== 'https:' || port !== ''))
    return `cannot be used: MTN calls only https on port 443, and our address begins with ${protocol}//${url.host}`
  return undefined
}
