import type { Tx } from '../db/client.ts'
import type { LogEventFields, LogEventName } from '../lib/log-events.ts'

/*
 * Facts: changes of collection requests by a transaction. Core notes them at the place of the change. They are logged,
 * and become spans, once the transaction is committed. So no line and no span speaks of something that was rolled back.
 */

/** The log events that are facts. */
export type FactName = Extract<
  LogEventName,
  | 'request_created'
  | 'order_created'
  | 'order_answered'
  | 'payment_recorded'
  | 'request_changed'
  | 'event_recorded'
  | 'sms_queued'
>

/** Change by a transaction. */
export interface Fact<Name extends FactName = FactName> {
  name: Name
  fields: LogEventFields<Name>
  /** The context that a new request was stored with. */
  traceparent?: string | null
}

/**
 * Notes a fact for the log and the traces. It does nothing while neither wants it.
 * @param traceparent the context that a new request is stored with
 */
export function noteFact<Name extends FactName>(
  tx: Tx,
  name: Name,
  fields: LogEventFields<Name>,
  traceparent?: string | null,
): void {
  tx.facts?.add({ name, fields, ...(traceparent !== undefined && { traceparent }) } satisfies Fact<Name>)
}

/** Returns the requests of payments that this transaction has recorded, by connection and id at the network. */
export function requestsOfPayments(tx: Tx): (connection: string, remote_id: string) => number | null {
  const recorded = (tx.facts?.noted ?? []).flatMap(({ fact }) => {
    const { name, fields } = fact as Fact
    return name === 'payment_recorded' ? [fields as LogEventFields<'payment_recorded'>] : []
  })
  return (connection, remote_id) =>
    recorded.find((one) => one.connection === connection && one.remote_id === remote_id)?.collection_request ?? null
}
