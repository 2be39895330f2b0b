import type { ChangeContext } from '../core/approvals/changes/changes.ts'
import type { MailSettings } from '../core/approvals/notices.ts'

const HOUR_MS = 3_600_000

/** Parts of the service that a change needs. */
interface Service {
  config: { APPROVER_WAIT_HOURS: number; PENDING_CHANGE_HOURS: number; SERVICE_NAME: string }
  clock: { now(): Date; real(): Date }
  address: { url: string }
  /** Null without a mail server. */
  mailer: object | null
}

/** The settings of mails about proposals that wait for another person; null without a mail server. */
export function mailSettings({ config, address, mailer }: Service): MailSettings | null {
  return mailer && { service_name: config.SERVICE_NAME, console_url: `${address.url.replace(/\/$/, '')}/console` }
}

/** The settings and clocks of a change of who may move money and how much, for the console and the command line. */
export function changeContext(app: Service): ChangeContext {
  const { APPROVER_WAIT_HOURS, PENDING_CHANGE_HOURS } = app.config
  return {
    now: app.clock.now(),
    real: app.clock.real(),
    base_url: app.address.url,
    approver_wait_ms: APPROVER_WAIT_HOURS * HOUR_MS,
    pending_ms: PENDING_CHANGE_HOURS * HOUR_MS,
    mail: mailSettings(app),
  }
}
