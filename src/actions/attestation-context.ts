import type { App } from '../app.ts'
import type { AttestationContext } from '../core/attestations/attestations.ts'

const HOUR_MS = 3_600_000

/** The settings and the clock for orders that people settle, for the console and the command line. */
export function attestationContext(app: App): AttestationContext {
  const { ATTEST_AFTER_HOURS, SERVICE_NAME } = app.config
  return {
    now: app.clock.now(),
    min_age_ms: ATTEST_AFTER_HOURS * HOUR_MS,
    mail: app.mailer && {
      service_name: SERVICE_NAME,
      orders_url: `${app.address.url.replace(/\/$/, '')}/console/orders`,
    },
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
