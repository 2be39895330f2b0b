import type { Reader } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Query } from '../../db/unit-of-work.ts'
import { Invalid } from '../refusals.ts'

/*
 * Only a connection in service brings money into the books. The rows decide, not the memory of a process: it may not
 * know yet that a connection was paused, or has other settings (docs/decisions/0073).
 */

/** A connection that is not in service has reported money that no order of ours asked for. The money is not booked. */
export class NotInService extends Invalid {
  constructor(connection: string) {
    super({ connection: [`The connection ${connection} is not in service, so what it reports is not booked.`] })
  }
}

/** A process has verified a report by settings that the connection does not have any more. It must be read again. */
export class SettingsChanged extends Error {
  constructor(connection: string) {
    super(`The settings of ${connection} were changed. What was reported is read again.`)
  }
}

/** Connection, and the version of the settings by which its report was verified. */
interface KnownConnection {
  slug: string
  version?: number | undefined
}

/** State stored in the row of a connection; null without a row, as for built-in connections. */
export interface ServiceState {
  state: string | null
  version: number | null
}

/**
 * Requires that money of a connection may enter the books. A paused connection answers for the orders that were sent
 * over it while it was in service.
 * @param answers_order true if the report is about an order of ours at this connection
 * @throws NotInService, SettingsChanged
 */
export function requireService({ slug, version }: KnownConnection, stored: ServiceState, answers_order: boolean): void {
  if (stored.state === null) return
  if (version !== undefined && version !== stored.version) throw new SettingsChanged(slug)
  if (stored.state !== 'active' && !(stored.state === 'paused' && answers_order)) throw new NotInService(slug)
}

/**
 * Requires that answers to orders were verified by the present settings of their connections.
 * @throws SettingsChanged
 */
async function requirePresentSettings(db: Reader, connections: readonly KnownConnection[]): Promise<void> {
  const named = connections.filter(({ version }) => version !== undefined)
  if (named.length === 0) return
  const [changed] = await db<{ slug: string }[]>`
    select c.slug from ${rows(named, { slug: 'text', version: 'integer' }).as('n')}
    join connections c on c.slug = n.slug and c.version <> n.version limit 1`
  if (changed) throw new SettingsChanged(changed.slug)
}

/** Connections with the settings by which an answer was verified. @throws SettingsChanged */
export const presentSettings: Query<KnownConnection, KnownConnection> = {
  async read(tx, connections) {
    await requirePresentSettings(tx, connections)
    return new Map(connections.map((connection) => [connection, connection]))
  },
}
