import type { Transporter } from 'nodemailer'
import { linesWithoutControls, withoutControls } from '../lib/text/controls.ts'
import { WrongSetting } from '../lib/wrong-setting.ts'

/** An e-mail in plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
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

/** A person waits for the answer, so a slow mail server counts as unavailable. */
const TIMEOUT_MS = 10_000

/**
 * Create the mailer of SMTP_URL; null when it is not set. @throws WrongSetting when the sender's address is missing.
 */
export function createMailer({ SMTP_URL, MAIL_FROM, SERVICE_NAME }: MailSettings): Mailer | null {
  if (SMTP_URL === undefined) return null
  if (MAIL_FROM === undefined)
    throw new WrongSetting('The setting MAIL_FROM is missing: mail through SMTP_URL needs a sender.')
  let transport: Promise<Transporter> | undefined
  return {
    async send({ to, subject, text }) {
      transport ??= openTransport(SMTP_URL)
      await (await transport).sendMail({
        from: { name: SERVICE_NAME, address: MAIL_FROM },
        // One address. A text would be read as a list of them: `x,ada@shop.example` would go to Ada.
        to: { name: '', address: to },
        // Names of customers and tenants are in both.
        subject: withoutControls(subject),
        text: linesWithoutControls(text),
      })
    },
  }
}

/** Load the mail client with the first mail: most processes send none. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
