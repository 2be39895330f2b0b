import { z } from 'zod'
import { longText, secretSetting, setting } from '../../drivers/settings.ts'
import { forbiddenWords } from '../../lib/http/forbidden-words.ts'
import { isPublicAddress, parseRanges } from '../../lib/http/ip-addresses.ts'
import type { DriverTools, OpenedConnection, OpeningTools } from '../contract.ts'
import { encryptWithRsa, readRsaPublicKey } from '../shared/rsa.ts'

/** The addresses from which Safaricom calls, as its documentation lists them. */
const SAFARICOM_ADDRESSES = [
  '196.201.214.200',
  '196.201.214.206',
  '196.201.214.207',
  '196.201.214.208',
  '196.201.213.114',
  '196.201.213.44',
  '196.201.212.127',
  '196.201.212.138',
  '196.201.212.129',
  '196.201.212.136',
  '196.201.212.74',
  '196.201.212.69',
]

const shortCode = () => z.string().regex(/^\d{5,7}$/, 'must be 5 to 7 digits')
const word = () => z.string().trim().min(1)

export const darajaSettings = z.object({
  consumer_key: secretSetting(word(), {
    title: 'Consumer key',
    help: 'Daraja portal, My Apps, your app. The sandbox and production have different ones.',
  }),
  consumer_secret: secretSetting(word(), {
    title: 'Consumer secret',
    help: 'Daraja portal, My Apps, beside the consumer key.',
  }),
  short_code: setting(shortCode(), {
    title: 'Short code',
    help: 'Your pay bill number. For a till: the store number (head office), to which the passkey belongs.',
    example: '174379',
  }),
  kind: setting(z.enum(['paybill', 'till']).default('paybill'), {
    title: 'Kind of short code',
    help: 'A pay bill, or a till of Buy Goods.',
  }),
  till: setting(
    z
      .string()
      .regex(/^\d{5,8}$/, 'must be 5 to 8 digits')
      .optional(),
    { title: 'Till number', help: 'For a till: the number to which customers pay.', example: '5123456' },
  ),
  passkey: secretSetting(word().optional(), {
    title: 'Passkey',
    help: 'Safaricom sends it by mail when M-Pesa Express goes live. Without it customers cannot be prompted.',
  }),
  payout_short_code: setting(shortCode().optional(), {
    title: 'Short code for payouts',
    help: 'The B2C (bulk payment) short code whose utility account pays. A pay bill number cannot pay out.',
    example: '600996',
  }),
  initiator: setting(word().optional(), {
    title: 'Initiator name',
    help: 'The API operator that the business manager has made in the M-Pesa organization portal. Needed for payouts, refunds, balance and questions.',
    example: 'apioperator',
  }),
  initiator_password: secretSetting(word().optional(), {
    title: 'Initiator password',
    help: 'The password of that API operator, in plain text. Of special characters Safaricom takes only # & % $.',
  }),
  certificate: setting(longText().optional(), {
    title: 'Certificate',
    help: 'The public certificate with which the password is encrypted: Daraja portal, Docs, Getting Started. The sandbox and production have different ones. Its expiry date does not matter.',
  }),
  payout_command: setting(z.enum(['BusinessPayment', 'SalaryPayment', 'PromotionPayment']).default('BusinessPayment'), {
    title: 'Kind of payouts',
    help: 'The product that your B2C contract names.',
  }),
  c2b_version: setting(z.enum(['v2', 'v1']).default('v2'), {
    title: 'Version of the C2B registration',
    help: 'v2 masks phone numbers in confirmations. Only short codes registered with v1 stay with v1.',
  }),
  unanswered_validation: setting(z.enum(['Completed', 'Cancelled']).default('Completed'), {
    title: 'When we do not answer a validation',
    help: 'What Safaricom does with a payment if our validation address does not answer within 8 seconds.',
  }),
  pull_transactions: setting(z.boolean().default(false), {
    title: 'Pull Transactions is on',
    help: 'Safaricom has switched on Pull Transactions for the short code. It is how payments without a prompt are read back, and how missed confirmations are found.',
  }),
  nominated_number: setting(
    z
      .string()
      .regex(/^254[17]\d{8}$/, 'must be digits such as 254722000000')
      .optional(),
    {
      title: 'Nominated number',
      help: 'The Safaricom phone number that Pull Transactions is registered with.',
      example: '254722000000',
    },
  ),
  trust_confirmations: setting(z.boolean().default(false), {
    title: 'Credit confirmations without reading them back',
    help: 'Only for short codes without Pull Transactions: a confirmation counts when it comes to its secret address from an address of Safaricom. Nothing else proves it.',
  }),
  sender_addresses: setting(
    z
      .string()
      .refine((text) => text.trim() === 'any' || (parseRanges(text)?.length ?? 0) > 0, {
        message: 'must be IP addresses with commas between them, or any',
      })
      .default(SAFARICOM_ADDRESSES.join(', ')),
    {
      title: 'Addresses of Safaricom',
      help: 'The IP addresses from which callbacks come. `any` where they cannot be seen; then fewer callbacks count by themselves.',
    },
  ),
})

export type DarajaSettings = z.output<typeof darajaSettings>
export type DarajaConnection = OpenedConnection<DarajaSettings>

/** Open connection, as reading a callback needs it. */
export interface Opened {
  connection: DarajaConnection
  tools: OpeningTools
}

/** Open connection, and the tools of one call. */
export interface Session extends Opened {
  tools: DriverTools
}

/** The number to which customers pay, by which a payment finds its account: the till, or the pay bill. */
export function receivingNumber({ kind, till, short_code }: DarajaSettings): string {
  return kind === 'till' ? (till ?? short_code) : short_code
}

/** Credentials for calls in the name of an API operator. */
export interface Initiator {
  name: string
  /** The initiator's password for one call, encrypted. Undefined when the certificate or the password cannot be used. */
  credential(): string | undefined
}

/** The initiator of a connection; undefined when its settings have none. */
export function initiatorOf({ settings }: DarajaConnection): Initiator | undefined {
  const { initiator, initiator_password, certificate } = settings
  if (!initiator || !initiator_password || !certificate) return undefined
  const key = readRsaPublicKey(certificate)
  return { name: initiator, credential: () => key && encryptWithRsa(key, initiator_password) }
}

/** Find faults in the settings beyond their form, by setting name. `callback_url`: our own public address. */
export function checkDarajaSettings(connection: DarajaConnection, callback_url: string): Record<string, string> {
  const { settings, environment } = connection
  const { initiator, initiator_password, certificate } = settings
  const wrong: Record<string, string> = {}
  const address_fault = callbackAddressFault(callback_url, environment === 'production')
  if (address_fault) wrong.callback_url = address_fault
  const named = { initiator, initiator_password, certificate }
  const missing = Object.entries(named).filter(([, value]) => !value)
  if (missing.length > 0 && (missing.length < 3 || settings.payout_short_code))
    for (const [name] of missing)
      wrong[name] = 'is needed: payouts, refunds and questions need the initiator, its password and the certificate.'
  if (certificate) {
    const key = readRsaPublicKey(certificate)
    if (!key) wrong.certificate = 'is no certificate or public RSA key in PEM (-----BEGIN CERTIFICATE-----).'
    else if (initiator_password && !encryptWithRsa(key, initiator_password))
      wrong.initiator_password = 'is too long for the certificate.'
  }
  if (settings.kind === 'till' && !settings.till) wrong.till = 'is needed for a till: customers pay to it.'
  if (settings.pull_transactions && !settings.nominated_number)
    wrong.nominated_number = 'is needed to register Pull Transactions.'
  if (settings.trust_confirmations && settings.sender_addresses.trim() === 'any')
    wrong.trust_confirmations = 'needs the addresses of Safaricom: an address that is not checked proves nothing.'
  return wrong
}

/** Return the reason why Daraja would refuse to report to this address; undefined if it would not. */
export function callbackAddressFault(callback_url: string, production: boolean): string | undefined {
  const [word] = forbiddenWords(callback_url)
  if (word) return `Daraja refuses addresses that contain "${word}": choose a slug, or a PUBLIC_URL, without this word.`
  const { protocol, hostname } = new URL(callback_url)
  if (!production) return undefined
  if (protocol !== 'https:') return 'Daraja reports only to https addresses in production: set PUBLIC_URL to one.'
  const tunnel = TUNNELS.find((name) => hostname.includes(name))
  if (tunnel) return `Daraja blocks public tunnels such as ${tunnel}: use a domain of your own.`
  const is_address = /^[\d.]+$|:/.test(hostname)
  if (hostname === 'localhost' || (is_address && !isPublicAddress(hostname.replace(/[[\]]/g, ''))))
    return 'Daraja cannot reach this address: PUBLIC_URL must be one of the public internet.'
  return undefined
}

const TUNNELS = ['ngrok', 'requestbin', 'mockbin', 'localtunnel', 'loca.lt', 'trycloudflare', 'serveo', 'webhook.site']
