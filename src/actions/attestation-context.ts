import type { App } from '../app.ts'
import type { AttestationContext } from '../core/manual-settlements/attestations.ts'
import { mailSettings } from '../http/change-context.ts'

const HOUR_MS = 3_600_000

/** Settings of orders that people settle. */
export function attestationSettings(app: App): Omit<AttestationContext, 'now'> {
  return {
    min_age_ms: app.config.ATTEST_AFTER_HOURS * HOUR_MS,
    mail: mailSettings(app),
    findNetwork(slug) {
      const connection = app.connections.find(slug)
      return connection && { slug, code: connection.code, name: connection.name }
    },
  }
}

/** Orders that were sent before this time and are open need a person. */
export function oldOrders(app: App): Date {
  return new Date(app.clock.now().getTime() - app.config.ATTEST_AFTER_HOURS * HOUR_MS)
}
