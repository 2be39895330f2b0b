import type { FastifyRequest } from 'fastify'
import type { MailSettings } from '../core/approvals/notices.ts'
import { type ChangeContext, type ChangeResult, requestChange } from '../core/control/changes.ts'
import type { ControlRequest } from '../core/control/kinds.ts'
import type { Tx } from '../db/client.ts'
import { requestActor } from './audit.ts'

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

/**
 * Make a change for the caller of a request, or ask a second manager for it; the change records itself. @throws as
 * requestChange
 */
export async function changeForCaller(
  tx: Tx,
  app: Service,
  request: FastifyRequest,
  change: ControlRequest,
): Promise<ChangeResult> {
  const result = await requestChange(tx, changeContext(app), requestActor(request), change)
  request.audited = true
  return result
}
