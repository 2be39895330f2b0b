import type { Connection } from '../../connections/connection.ts'
import { readCallback } from '../../connections/tools/call-driver.ts'
import type { CallbackRow } from '../../core/connections/callbacks.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ParsedCallback } from '../../networks/callbacks.ts'

/** A verified callback without a content that we know. */
export class UnreadableCallback extends Error {}

/** A stored callback that was read. Without a connection its network is no longer configured. */
export interface ReadCallback {
  row: CallbackRow
  connection?: Connection
  callback?: ReturnType<typeof parseCallback>
}

/** Reads a stored callback of this connection, if it is still there and has callbacks. */
export function readRow(connection: Connection | undefined, row: CallbackRow): ReadCallback {
  if (!connection?.operations.readCallback) return { row }
  return { row, connection, callback: parseCallback(connection, row) }
}

/**
 * Reads a stored callback. Of an unverified one, the subject was stored. The rest of it may be cut off, and only its
 * ids are used.
 */
function parseCallback(connection: Connection, row: CallbackRow): ParsedCallback | { subject?: never; error: unknown } {
  const { subject, reference } = row
  const read = readAgain(connection, row)
  if (subject === 'transaction') {
    const typed = 'remote_id' in read && read.remote_id === reference ? read.account_number : undefined
    const account_number = typed === undefined ? {} : { account_number: typed }
    return { subject, remote_id: reference!, verified: false, receipt: null, ...account_number }
  }
  if (subject === 'order') {
    if ('order' in read && read.has_ids && 'reference' in read.order && read.order.reference === reference)
      return { ...read, verified: false }
    const answer = { outcome: 'unknown', message: getMessage('callbacks.callback_not_signed') } as const
    return { subject, order: { reference: reference! }, verified: false, answer }
  }
  return read
}

function readAgain(connection: Connection, row: CallbackRow): ParsedCallback | { subject?: never; error: unknown } {
  try {
    return readCallback(connection, toRawCallback(row))
  } catch (error) {
    return { error }
  }
}

/** Returns the callback as it came, in its stored length. */
function toRawCallback({ headers, body, bytes, method, path, query, address }: CallbackRow): RawCallback {
  return { method: method ?? 'POST', path: path ?? '', query: query ?? '', headers, body, bytes, address }
}
