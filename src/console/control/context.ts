import type { App } from '../../app.ts'
import type { ChangeContext } from '../../core/control/changes.ts'

const HOUR_MS = 3_600_000

/** The settings and clocks of a change of who may move money and how much, for the console and the command line. */
export function changeContext(app: App): ChangeContext {
  const { APPROVER_WAIT_HOURS, PENDING_CHANGE_HOURS, SERVICE_NAME } = app.config
  return {
    now: app.clock.now(),
    real: app.clock.real(),
    approver_wait_ms: APPROVER_WAIT_HOURS * HOUR_MS,
    pending_ms: PENDING_CHANGE_HOURS * HOUR_MS,
    mail: app.mailer && {
      service_name: SERVICE_NAME,
      changes_url: `${app.address.url.replace(/\/$/, '')}/console/changes`,
    },
  }
}
