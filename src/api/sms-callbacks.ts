import type { App } from '../app.ts'
import type { SmsConnection } from '../connections/connection.ts'
import { storeIncomingSms, storeSmsReports } from '../connections/sms-reports.ts'
import { readCallback } from '../connections/tools/call-driver.ts'
import type { CallbackReply } from '../drivers/contract.ts'
import type { RawCallback } from '../drivers/raw-callback.ts'
import { logEvent } from '../lib/log-events.ts'
import type { SmsCallback } from '../senders/contract.ts'
import { checkCoding, NO_REPLY } from './raw-callbacks.ts'

const NOT_IN_SERVICE: CallbackReply = { status: 503, content_type: 'text/plain', body: '' }
const REFUSED: CallbackReply = { status: 403, content_type: 'text/plain', body: '' }

/**
 * Receive a callback of an SMS provider: reports, or inbound SMS. Only verified content is stored, by its signature or
 * by the secret in its address. It is on disk before the provider gets its answer, so that a repeating provider loses
 * nothing.
 */
export async function receiveSmsCallback(
  app: App,
  connection: SmsConnection,
  callback: RawCallback,
): Promise<CallbackReply> {
  checkCoding(callback)
  const { slug, operations } = connection
  const refuse = (message: string) => logEvent(app.log, 'sms_callback_refused', { connection: slug, message })
  if (connection.state === 'draft') {
    // A provider repeats a refused callback. Nobody has confirmed the settings that would decide its truth.
    refuse('The connection is not in service.')
    return NOT_IN_SERVICE
  }
  const read = readSmsCallback(connection, callback)
  if (read.subject === 'unrecognized' || !read.verified) {
    refuse(read.subject === 'unrecognized' ? read.message : 'It is not verified.')
    // A provider would repeat an unreadable callback for days; a forged one only gets a refusal.
    return read.verified ? (operations.callbackReply?.(callback) ?? NO_REPLY) : REFUSED
  }
  if (read.subject === 'reports') await storeSmsReports(app, slug, read.reports)
  else await storeIncomingSms(app, connection, read.messages)
  return operations.callbackReply?.(callback) ?? NO_REPLY
}

/** Drivers do not throw. If one does, its callback is not understood. */
function readSmsCallback(connection: SmsConnection, callback: RawCallback): SmsCallback {
  if (!connection.operations.readCallback)
    return { subject: 'unrecognized', message: 'This provider sends no callbacks.' }
  try {
    return readCallback(connection, callback)
  } catch (error) {
    return { subject: 'unrecognized', message: error instanceof Error ? error.message : String(error) }
  }
}
