import { receiveIncomingSms } from '../core/sms/consents.ts'
import { applyEarlyReports, applySmsReports } from '../core/sms/reports.ts'
import { readOpenSessions } from '../core/sms/sessions.ts'
import { begin, type Database } from '../db/client.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import type { IncomingSms, SmsReport } from '../senders/contract.ts'
import { describeSmsConnections, listSmsConnections, type SmsParts } from './sms.ts'

/** Parts of the App that store data from SMS providers. */
interface ReportParts extends SmsParts {
  db: Database
  clock: { now(): Date; real(): Date }
  log: EventLog
  wake(): void
}

/** Store verified reports of a connection and their consequences, such as the second route of an SMS. */
export async function storeSmsReports(
  app: ReportParts,
  connection: string,
  reports: readonly SmsReport[],
): Promise<void> {
  if (reports.length === 0) return
  const now = app.clock.now()
  const open = await readOpenSessions(app.db, app.clock.real())
  const connections = describeSmsConnections(listSmsConnections(app), open)
  const { early, unknown } = await begin(app.db, (tx) => applySmsReports(tx, now, connection, reports, connections))
  if (unknown > 0) logEvent(app.log, 'sms_reports_unknown', { connection, count: unknown })
  if (early.length > 0) {
    // The answer to the send call may have been stored in between.
    const ids = early.map((remote_id) => ({ connection, remote_id }))
    await begin(app.db, (tx) => applyEarlyReports(tx, now, ids, connections))
  }
  app.wake()
}

/** Store inbound SMS, and obey their keywords. */
export async function storeIncomingSms(
  app: ReportParts,
  connection: { slug: string; organization: number | null },
  messages: readonly IncomingSms[],
): Promise<void> {
  if (messages.length === 0) return
  await begin(app.db, (tx) => receiveIncomingSms(tx, app.clock.now(), connection, messages))
  app.wake()
}
