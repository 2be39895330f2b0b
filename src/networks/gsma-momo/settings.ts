import { z } from 'zod'
import { secretSetting, setting } from '../../drivers/settings.ts'
import { isLoopbackHost } from '../../lib/http/ip-addresses.ts'
import type { OpenedConnection } from '../contract.ts'
import { isPlaceholder, SANDBOX_WITHOUT_TOKENS } from './places.ts'

/** The words by which the standard identifies an account. */
const accountTypes = [
  'accountcategory',
  'bankaccountno',
  'accountrank',
  'identityalias',
  'iban',
  'accountid',
  'msisdn',
  'swiftbic',
  'sortcode',
  'organisationid',
  'username',
  'walletid',
  'linkref',
  'consumerno',
  'serviceprovider',
  'storeid',
  'bankname',
  'bankaccounttitle',
  'emailaddress',
  'mandatereference',
] as const

const institutionTypes = ['lei', 'swiftbic', 'organisationid'] as const

const FROM_PROVIDER = 'The provider gives it to you'

/** Value that becomes a header, so it has no line breaks and only ASCII characters. */
const headerValue = () =>
  z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]+$/, 'must have only letters, digits and signs of ASCII')
    .max(2_000)

const credentials = {
  security_level: setting(z.enum(['development', 'standard', 'enhanced']).default('standard'), {
    title: 'Security level',
    help: 'What the provider demands. development: HTTP Basic, or nothing where no key is given. standard: access tokens (OAuth 2, client credentials). enhanced: tokens, and a hash and the date of each call (X-Content-Hash, X-Date).',
  }),
  consumer_key: setting(headerValue().optional(), {
    title: 'Consumer key',
    help: `${FROM_PROVIDER} for your application, together with the secret. In GSMA's developer portal: My Apps, the application, Consumer Key.`,
    example: '59vthmq3f6i15v6jmcjskfkmh',
  }),
  consumer_secret: secretSetting(headerValue().optional(), {
    title: 'Consumer secret',
    help: `${FROM_PROVIDER} for your application. In GSMA's developer portal: My Apps, the application, Consumer Secret.`,
  }),
  api_key: secretSetting(headerValue().optional(), {
    title: 'API key',
    help: "What goes into the header X-API-Key. In GSMA's developer portal: My Apps, the application, API Key. Empty: the header is not sent.",
  }),
  client_id: setting(headerValue().optional(), {
    title: 'Client identifier',
    help: 'What goes into the header X-Client-Id, where the provider wants one beside the API key. Empty: the header is not sent.',
  }),
  user_credential_1: secretSetting(headerValue().optional(), {
    title: 'User credential 1',
    help: 'The PIN or password of your own account, where the provider wants it with each order (header X-User-Credential-1).',
  }),
  user_credential_2: secretSetting(headerValue().optional(), {
    title: 'User credential 2',
    help: 'A second credential of your own account, where the provider wants two (header X-User-Credential-2).',
  }),
}

/** Settings of a merchant account at a provider. */
export const settings = z.object({
  ...credentials,
  account_type: setting(z.enum(accountTypes).default('organisationid'), {
    title: 'Your account is named by',
    help: 'By which kind of identifier the provider knows your account. Ask the provider.',
    example: 'organisationid',
  }),
  account_id: setting(z.string().trim().min(1).max(256), {
    title: 'Your account',
    help: 'The identifier of your account: customers pay to it, and payouts and refunds are taken from it.',
    example: 'kusanya-demo',
  }),
  phone_format: setting(z.enum(['plus', 'digits']).default('plus'), {
    title: 'Phone numbers',
    help: 'plus: +256772123456. digits: 256772123456. The standard allows both, and some providers take only one.',
  }),
  refund_operation: setting(z.enum(['reversal', 'adjustment']).default('reversal'), {
    title: 'Refunds are',
    help: 'reversal: the payment is reversed; many providers do that only with whole payments. adjustment: a new transaction to the customer, of any part.',
  }),
  responses: setting(z.boolean().default(true), {
    title: 'Lost answers can be found',
    help: 'Whether the provider has /responses/{clientCorrelationId} and refuses a correlation id that was used before. Ask before you go live. Switched off, an order whose answer was lost is never sent again, and waits for a person.',
  }),
  completed_words: setting(z.string().trim().max(200).optional(), {
    title: 'Words for completed',
    help: 'The transactionStatus of a transaction is free text. Words of your provider, separated by commas, that mean the same as completed. Empty: none.',
    example: 'successful, settled',
  }),
  callbacks: setting(z.boolean().default(true), {
    title: 'Ask for callbacks',
    help: 'Payments are seen sooner with them. Switched off, no call has the header X-Callback-URL, and Kusanya only asks.',
  }),
  holder_names: setting(z.boolean().default(true), {
    title: 'Ask for names of account holders',
    help: 'Some providers do not give names to partners. Then switch this off; whether there is an account is still asked.',
  }),
  institution_type: setting(z.enum(institutionTypes).optional(), {
    title: 'Account holding institution: identified by',
    help: 'Only for a hub that reaches several providers: how the provider is identified in the header X-Account-Holding-Institution-Identifier-Type.',
  }),
  institution_id: setting(headerValue().optional(), {
    title: 'Account holding institution',
    help: 'Only for a hub: the identifier of the provider that holds the accounts (header X-Account-Holding-Institution-Identifier).',
  }),
})

export type GsmaSettings = z.output<typeof settings>
export type GsmaConnection = OpenedConnection<GsmaSettings>

/** Find faults in the settings, by setting name. See `checkSettings` of the contract. */
export function checkSettings(connection: GsmaConnection, callback_url: string): Record<string, string> {
  const { settings: given, environment, hosts } = connection
  const faults: Record<string, string> = {}
  const has_tokens = given.security_level !== 'development'
  for (const name of ['consumer_key', 'consumer_secret'] as const)
    if (has_tokens && !given[name]) faults[name] = `is missing: the security level ${given.security_level} needs it`
  if (!has_tokens && Boolean(given.consumer_key) !== Boolean(given.consumer_secret))
    faults.consumer_secret = 'must be given together with consumer_key, or not at all'
  if (given.consumer_key?.includes(':')) faults.consumer_key = 'must have no colon'
  if (Boolean(given.institution_type) !== Boolean(given.institution_id))
    faults.institution_id = 'must be given together with institution_type, or not at all'
  if (environment === SANDBOX_WITHOUT_TOKENS && has_tokens)
    faults.security_level = 'must be development in this environment'
  if (environment === 'sandbox' && !has_tokens)
    faults.security_level = `must be standard or enhanced in this environment; without tokens it is ${SANDBOX_WITHOUT_TOKENS}`
  const missing = ['api', ...(has_tokens ? ['token'] : [])].filter((name) => isPlaceholder(hosts[name]))
  if (missing.length > 0)
    faults.hosts = `are not those of your provider. The operator gives them at the command line: ${missing.map((name) => `--host ${name}=https://…`).join(' ')}`
  const address_fault = given.callbacks && callbackFault(hosts.api, callback_url)
  if (address_fault) faults.callbacks = address_fault
  return faults
}

/** Return the reason why a provider cannot call this address. A simulated one runs on this machine, and can. */
function callbackFault(api: string | undefined, callback_url: string): string | undefined {
  const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (api !== undefined && URL.canParse(api) && isLoopbackHost(hostOf(api))) return undefined
  if (!URL.canParse(callback_url)) return 'cannot be used, because the public address of this installation is not set'
  if (isLoopbackHost(hostOf(callback_url)))
    return `cannot be used: the provider cannot reach ${hostOf(callback_url)}. Set PUBLIC_URL, or switch callbacks off`
  return undefined
}
