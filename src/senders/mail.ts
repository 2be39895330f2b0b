import type { Transporter } from 'nodemailer'
import { linesWithoutControls, withoutControls } from '../lib/text/controls.ts'
import { WrongSetting } from '../lib/wrong-setting.ts'

/** An e-mail in plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
  /**
   * Id of a mail of the outbox. It stays the same over all attempts, so that mail servers and programs recognize a mail that
   * comes again. Without it a person waits for the answer.
   */
  outbox_id?: string
}

/** Send e-mail to the people of organizations. */
export interface Mailer {
  /** Resolve when the mail server has accepted the message, and throw when it has not. */
  send(mail: Mail): Promise<void>
}

/** The settings of the mail server. */
export interface MailSettings {
  SMTP_URL?: string
  MAIL_FROM?: string
  SERVICE_NAME: string
}

/**
 * Longest waits for each answer of the mail server, in milliseconds. While a person waits, a slow one counts as unavailable.
 * Servers that scan a mail before they answer may have taken it by then, so a mail of the outbox waits longer.
 */
const TIMEOUTS = { person: 10_000, outbox: 100_000 }

/**
 * Create the mailer of SMTP_URL; null when it is not set. @throws WrongSetting when the sender's address is missing.
 */
export function createMailer(
  { SMTP_URL, MAIL_FROM, SERVICE_NAME }: MailSettings,
  timeouts: typeof TIMEOUTS = TIMEOUTS,
): Mailer | null {
  if (SMTP_URL === undefined) return null
  if (MAIL_FROM === undefined)
    throw new WrongSetting('The setting MAIL_FROM is missing: mail through SMTP_URL needs a sender.')
  const transports: { [kind in keyof typeof TIMEOUTS]?: Promise<Transporter> } = {}
  return {
    async send({ to, subject, text, outbox_id }) {
      const kind = outbox_id === undefined ? 'person' : 'outbox'
      transports[kind] ??= openTransport(SMTP_URL, timeouts[kind])
      await (await transports[kind]).sendMail({
        from: { name: SERVICE_NAME, address: MAIL_FROM },
        // An object is one address. Nodemailer reads a text as a list: `x,ada@shop.example` would go to Ada.
        to: { name: '', address: to },
        ...(outbox_id !== undefined && { messageId: `<${outbox_id}@${MAIL_FROM.split('@').at(-1)}>` }),
        // Names of customers and tenants are in both.
        subject: withoutControls(subject),
        text: linesWithoutControls(text),
      })
    },
  }
}

/** Load the mail client with the first mail: most processes send none. */
async function openTransport(url: string, timeout_ms: number): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/**
 * Return what an error of `send` says about later attempts. `busy`: the server takes nothing now, such as above a limit of
 * connections. `no_address`: it knows no such address (RFC 3463, 5.1.x). `unknown`: anything else.
 */
export function readMailError(error: unknown): 'busy' | 'no_address' | 'unknown' {
  const { responseCode = 0, command = '', response = '' } = error as Partial<Record<string, number | string>>
  const is_about_recipient = command === 'RCPT TO'
  if (Number(responseCode) >= 400 && Number(responseCode) < 500 && !is_about_recipient) return 'busy'
  return is_about_recipient && /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/.test(String(response)) ? 'no_address' : 'unknown'
}
