import { z } from 'zod'
import type { OpenedConnection } from '../../drivers/contract.ts'
import { longText, secretSetting, setting } from '../../drivers/settings.ts'

const octet = () => z.number().int().min(0).max(255)
const ascii = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/, 'must be letters, digits and signs without accents')

export const smppSettings = z.object({
  host: setting(
    z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an IP address')
      .optional(),
    {
      title: 'Host',
      help: 'The host name or IP address of the message centre (SMSC). Providers often let in only addresses that they know: give them yours.',
      example: 'smpp.provider.example',
    },
  ),
  port: setting(z.number().int().min(1).max(65_535).default(2775), {
    title: 'Port',
    help: '2775 at most providers, 3550 with TLS.',
  }),
  tls: setting(z.boolean().default(false), {
    title: 'TLS',
    help: 'Encrypts the session. Without it the password and all SMS are readable on the way: then use a VPN.',
  }),
  tls_certificate: setting(longText().optional(), {
    title: 'Certificate authority for TLS',
    help: 'The certificate (PEM) that signs the one of the provider, where it is not one that the internet trusts.',
  }),
  system_id: setting(ascii(32).min(1), {
    title: 'System id',
    help: 'The user name of the account.',
    example: 'kusanya',
  }),
  password: secretSetting(ascii(64), {
    title: 'Password',
    help: 'SMPP 3.4 allows 8 characters; some providers take more.',
  }),
  system_type: setting(ascii(12).default(''), {
    title: 'System type',
    help: 'Only where the provider asks for one.',
  }),
  service_type: setting(ascii(5).default(''), {
    title: 'Service type',
    help: 'Only where the provider asks for one.',
  }),
  default_alphabet: setting(z.enum(['gsm', 'latin-1']).default('gsm'), {
    title: 'Default alphabet',
    help: 'What the provider takes data_coding 0 for. If é or @ arrive as other letters, it is the other one.',
  }),
  long_texts: setting(z.enum(['udh', 'sar', 'payload']).default('udh'), {
    title: 'Long texts',
    help: 'udh: parts with a header, which all providers take. sar: parts with sar_* parameters. payload: the whole text in message_payload.',
  }),
  message_ids: setting(z.enum(['automatic', 'same', 'hex-then-decimal', 'decimal-then-hex']).default('automatic'), {
    title: 'Message ids',
    help: 'Some providers answer with an id in hexadecimal and report it in decimal, or the reverse. `automatic` finds out; the others say it.',
  }),
  delivery_reports: setting(z.boolean().default(true), {
    title: 'Delivery reports',
    help: 'Asks the provider for a delivery report on each SMS.',
  }),
  validity: setting(z.boolean().default(true), {
    title: 'Validity period',
    help: 'Says for how long the provider may still try. Off for providers that refuse it (ESME_RINVEXPIRY).',
  }),
  throughput: setting(z.number().min(0.1).max(1_000).default(10), {
    title: 'SMS in a second',
    help: 'The most that the contract allows. When the provider says that it is too much, fewer are sent.',
  }),
  window: setting(z.number().int().min(1).max(100).default(5), {
    title: 'Window',
    help: 'How many SMS may wait for the answer of the provider at the same time.',
  }),
  enquire_s: setting(z.number().int().min(5).max(300).default(30), {
    title: 'Enquire link',
    help: 'After how many seconds of silence the provider is asked whether it is still there.',
  }),
  source_ton: setting(octet().optional(), {
    title: 'Type of the sender (TON)',
    help: 'Only where the provider asks for another than usual: 5 for names, 1 for numbers with their country, 3 for short codes.',
  }),
  source_npi: setting(octet().optional(), {
    title: 'Numbering plan of the sender (NPI)',
    help: 'Only where the provider asks for another than usual: 1 for numbers with their country, 0 for others.',
  }),
  dest_ton: setting(octet().default(1), {
    title: 'Type of the number (TON)',
    help: '1: international.',
  }),
  dest_npi: setting(octet().default(1), {
    title: 'Numbering plan of the number (NPI)',
    help: '1: telephone.',
  }),
})

export type SmppSettings = z.output<typeof smppSettings>
export type SmppConnection = OpenedConnection<SmppSettings>

/** Address of the message centre, and the data for the bind. */
export type BindSettings = Omit<SmppSettings, 'host'> & { host: string }

/** Return the settings with the address of the environment, or else of the settings. Read at each bind. */
export function bindSettings({ settings, hosts }: Pick<SmppConnection, 'settings' | 'hosts'>): BindSettings {
  const { smsc = '' } = hosts
  if (!URL.canParse(smsc)) return { ...settings, host: settings.host ?? '' }
  const { protocol, hostname, port } = new URL(smsc)
  const tls = protocol === 'ssmpp:'
  return { ...settings, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || settings.port, tls }
}

/** Wait of the driver, in milliseconds. Tests make them short. */
export interface Waits {
  /** Time limit for a connection, and for the answer to a bind. */
  bind: number
  /** Time limit for the answer to a request. */
  response: number
  /** Wait before another attempt to connect: first and maximum. */
  reconnect: readonly [number, number]
  /** Pause after throttling by the provider: first and maximum. */
  throttle: readonly [number, number]
  /** Time for which one call of `send` continues with an SMS. */
  send: number
  /** Time for which the acknowledgement of a part waits for the others. */
  part: number
  /** After how long an SMS of a customer is taken without the parts that have not come. */
  incomplete: number
}

export const WAITS: Waits = {
  bind: 15_000,
  response: 20_000,
  reconnect: [1_000, 60_000],
  throttle: [1_000, 30_000],
  send: 30_000,
  part: 5_000,
  incomplete: 300_000,
}

/** Find faults in the settings beyond their form. */
export function checkSmppSettings({ settings, environment, hosts }: SmppConnection): Record<string, string> {
  const wrong: Record<string, string> = {}
  if (!settings.host && !hosts.smsc) wrong.host = 'is needed: the provider says it.'
  if (settings.tls_certificate && !settings.tls) wrong.tls_certificate = 'is of use only with tls.'
  if (settings.tls_certificate && !/-----BEGIN CERTIFICATE-----/.test(settings.tls_certificate))
    wrong.tls_certificate = 'is no certificate in PEM (-----BEGIN CERTIFICATE-----).'
  if (environment === 'production' && settings.password === '') wrong.password = 'is needed in production.'
  return wrong
}
