import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { NetworkOperations } from '../../networks/contract.ts'
import type { Connection } from '../connection.ts'

/** Subject of a call to a network, for the log. */
export interface NetworkCall {
  call: keyof NetworkOperations
  /** The reference of the order or payout. */
  reference?: string
  /** The network's id of the transaction. */
  remote_id?: string
  contact?: number
  collection_request?: number | null
}

/**
 * Call a network. Connectors do not throw, so an error is a bug: it is logged and the answer counts as unknown. The
 * other orders of the batch are processed as usual, and this one is checked later.
 */
export async function callNetwork<Answer>(
  app: { log: EventLog },
  connection: Connection,
  about: NetworkCall,
  call: () => Promise<Answer>,
): Promise<Answer | { outcome: 'unknown'; message: string }> {
  const started = performance.now()
  try {
    return await call()
  } catch (error) {
    const duration_ms = Math.round(performance.now() - started)
    logEvent(app.log, 'network_call_failed', {
      network: connection.code,
      connection: connection.slug,
      ...about,
      duration_ms,
      error,
    })
    return { outcome: 'unknown', message: getMessage('networks.connector_failed') }
  }
}
