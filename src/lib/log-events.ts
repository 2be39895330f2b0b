import { type Logger, stdSerializers } from 'pino'
import { currentTraceId } from './tracing/tracing.ts'

/** The levels that our events use. */
type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** The part of a logger that `logEvent` needs. */
export type EventLog = Pick<Logger, LogLevel>

interface LogEvent<Fields> {
  level: LogLevel
  message: string
  /** Never set: it only carries the type of the fields. */
  fields?: Fields
}

/** Collection request that a line speaks of; null for none or an unknown one. */
interface OfRequest {
  collection_request: number | null
}

/** An error of any kind, as it was caught. */
interface WithError {
  error: unknown
}

/** Call to a partner, with its name and duration. */
interface PartnerCall extends WithError {
  call: string
  duration_ms: number
}

/**
 * HTTP call to a network. `outcome` is the class of its status, or `no_answer`. Addresses and contents are not logged.
 */
interface NetworkCallFields extends OfRequest {
  connection: string
  verb: string
  outcome: string
  status: number | null
  duration_ms: number
  reference: string | null
}

/** The disk with the data, and its room in bytes. */
interface DiskFields {
  folder: string
  free_bytes: number
  total_bytes: number
}

/** The request of a caller, without its query and its body. */
interface RequestFields {
  request_id: string
  method: string
  path: string
  /** The collection request that it has made, or that its path names. */
  collection_request?: number | undefined
}

/**
 * Every event that the service logs. The names are for alerts and searches, so they stay the same when a message changes.
 * `log/event-texts.ts` explains each of them to operators.
 */
export const logEvents = {
  service_ready: define<{ address: string | null; jobs: boolean; version: string; notices: string[] }>(
    'info',
    'service ready',
  ),
  go_live_open: define<{ open: readonly string[] }>(
    'warn',
    'live mode is not ready; npx kusanya connections checklist shows what to do',
  ),
  service_stopping: define<{ signal: string }>('info', 'service stopping'),
  service_stopped: define<object>('info', 'service stopped'),
  process_crashed: define<WithError>('fatal', 'process crashed'),
  process_restarted: define<{ pid: number | undefined; exit_code: number | null; signal: string | null }>(
    'warn',
    'process ended unexpectedly and is restarted',
  ),

  request_answered: define<RequestFields & { status: number; duration_ms: number }>('info', 'request answered'),
  request_failed: define<RequestFields & WithError>('error', 'request failed'),

  database_unavailable: define<(RequestFields | { job: string }) & WithError>('error', 'database unavailable'),
  database_restarted: define<object>('warn', 'PostgreSQL died and was restarted'),
  database_restart_failed: define<WithError>('error', 'PostgreSQL died and could not be restarted; trying again'),
  migration_waiting: define<{ migration: string; waited_s: number; sessions: string[] }>(
    'warn',
    'a migration waits for a lock on a table and tries again',
  ),
  database_newer: define<{ migrations: string[] }>(
    'warn',
    'a later version has migrated the database; this version continues with it',
  ),
  disk_full: define<{ folder: string | null; free_bytes: number | null } & Partial<WithError>>(
    'error',
    'disk full; nothing can be stored',
  ),
  disk_space_critical: define<DiskFields>('error', 'disk almost full'),
  disk_space_low: define<DiskFields>('warn', 'disk space low'),
  disk_space_restored: define<DiskFields>('info', 'enough disk space again'),
  redis_unavailable: define<WithError>('warn', 'Redis unavailable; each process counts requests by itself'),
  redis_restored: define<object>('info', 'Redis available again'),

  replica_unavailable: define<{ reason: string } & Partial<WithError>>(
    'warn',
    'replica cannot be read; the primary does its reads',
  ),
  replica_restored: define<object>('info', 'replica can be read again'),

  request_created: define<OfRequest & { organization: number; request_id: string | null }>(
    'debug',
    'collection request stored',
  ),
  request_changed: define<OfRequest & { from: string; to: string; collection: number | null }>(
    'debug',
    'collection request changed its status',
  ),
  order_created: define<OfRequest & { order: string; connection: string; attempt: number }>(
    'debug',
    'order to a network stored',
  ),
  order_answered: define<OfRequest & { order: string; connection: string; outcome: string; state: string }>(
    'debug',
    'answer about an order stored',
  ),
  payment_recorded: define<
    OfRequest & { connection: string; remote_id: string; collection: number | null; result: string }
  >('debug', 'report of a payment stored'),
  callback_stored: define<{ callback: number; connection: string; verified: boolean; request_id?: string | undefined }>(
    'debug',
    'callback stored, to be processed',
  ),
  callback_processed: define<
    OfRequest & { callback: number; connection: string; state: string; request_id?: string | undefined }
  >('debug', 'callback processed'),
  event_recorded: define<OfRequest & { event_id: number; type: string }>('debug', 'event recorded'),
  sms_queued: define<OfRequest & { sms: number; purpose: string }>('debug', 'SMS put into the outbox'),
  sms_called: define<OfRequest & { sms: number; connection: string; outcome: string; duration_ms: number }>(
    'debug',
    'SMS provider called',
  ),
  webhook_called: define<
    OfRequest & {
      webhook: number
      event_id: number
      attempt: number
      status: number | null
      failure: string | null
      duration_ms: number
    }
  >('debug', 'webhook called'),

  job_failed: define<{ job: string } & WithError>('error', 'job failed'),
  batch_failed: define<{ size: number } & WithError>('warn', 'batch failed and is applied in parts'),
  network_call_failed: define<
    Partial<OfRequest> & {
      network: string
      connection: string
      reference?: string
      contact?: number
      purchase?: number
      sms?: number
    } & PartnerCall
  >('error', 'network call failed'),
  order_not_settled: define<OfRequest & { order: string; connection: string } & WithError>(
    'error',
    'answer about an order could not be stored',
  ),
  order_needs_person: define<OfRequest & { order: string; connection: string; reason: string }>(
    'warn',
    'order needs a person',
  ),
  connection_not_opened: define<{ connection: string } & WithError>('error', 'connection cannot be opened'),
  network_called: define<NetworkCallFields>('debug', 'network called'),
  network_not_answered: define<NetworkCallFields & { reason: string }>('warn', 'network did not answer the call'),
  network_alarm: define<{ connection: string; alarm: string }>('error', 'connection needs the operator'),
  connection_degraded: define<{ connection: string; calls: number; unanswered: number }>(
    'warn',
    'connection degraded; its network does not answer',
  ),
  questions_postponed: define<{ connection: string; seconds: number }>(
    'info',
    'callbacks arrive after the status queries, so new orders are queried later for a minute',
  ),
  connection_recovered: define<{ connection: string; degraded_s: number }>('info', 'connection healthy again'),
  callback_failed: define<Partial<OfRequest> & { callback: number; network: string } & WithError>(
    'error',
    'callback could not be processed',
  ),
  float_drifted: define<{ connection: string; currency: string; balance: string; booked: string; drift: string }>(
    'error',
    'balance at the network and float of the books differ',
  ),
  float_low: define<{ connection: string; currency: string; balance: string; warn_below: string }>(
    'warn',
    'balance at the network is low',
  ),
  payment_unassigned: define<{
    connection: string
    remote_id: string
    receiver: string
    currency: string
    amount: string
  }>('warn', 'money arrived for a receiver or currency without an account'),
  payment_assigned: define<{ connection: string; remote_id: string; receiver: string }>(
    'info',
    'unassigned money assigned to the account of its receiver',
  ),
  vend_result_failed: define<{ purchase: number } & WithError>('error', 'vend result could not be recorded'),
  vend_succeeded_late: define<{ purchase: number }>('error', 'biller sold a purchase that was recorded as failed'),
  bill_catalogue_not_read: define<{ connection: string; message: string }>(
    'warn',
    'catalogue of a bill provider could not be read',
  ),
  bill_differences_found: define<{ connection: string; differences: number }>(
    'info',
    'catalogue of a bill provider differs from the offers',
  ),
  bill_offer_off_sale: define<{ connection: string; offer: number; service_type: string }>(
    'warn',
    'bill offer taken off sale; its price has risen',
  ),
  bill_float_short: define<{ connection: string; currency: string; balance: string; hours_left: number }>(
    'warn',
    'float at a bill provider will be empty soon',
  ),
  payment_link_refused: define<{ link: number } & WithError>(
    'error',
    'a payment link cannot take payments: its wallet or its networks refuse every request',
  ),
  payout_succeeded_late: define<{ payment: number; recipient: number; booked: boolean }>(
    'error',
    'network sent a payout that it had reported as failed',
  ),
  sms_session_failed: define<{ connection: string } & WithError>('error', 'session of an SMS connection failed'),
  sms_reports_unknown: define<{ connection: string; count: number }>('info', 'SMS provider reported on unknown SMS'),
  sms_callback_refused: define<{ connection: string; message: string }>(
    'warn',
    'callback of an SMS provider not understood or not verified',
  ),
  webhook_delivery_failed: define<OfRequest & { webhook: number; events: number[] } & WithError>(
    'error',
    'webhook delivery failed',
  ),
  acceptance_check_failed: define<{ organization: number; acceptance_check: number } & WithError>(
    'error',
    'acceptance check failed',
  ),
  traces_not_exported: define<{ spans: number } & WithError>('warn', 'traces could not be sent to their collector'),
  exchange_rates_updated: define<{ currencies: readonly string[] }>('info', 'exchange rates updated'),
  simulator_failed: define<{ job: string } & WithError>('error', 'simulator failed'),

  consistency_check_failed: define<{ finding: string }>('error', 'data inconsistent'),
  audit_head_noted: define<{ position: number; digest: string }>('info', 'head of the audit log noted'),
  paid_request_matched: define<OfRequest>('warn', 'open request matched to its money'),
  link_mail_failed: define<WithError>('warn', 'mail with a link failed'),
  mail_send_failed: define<{ mail: number; attempts: number } & WithError>('warn', 'mail failed'),
  password_reset_mail_failed: define<WithError>('error', 'password reset mail failed'),
  console_built: define<{ duration_ms: number }>('info', 'console built'),
  console_build_failed: define<WithError>('error', 'console build failed'),
  docs_built: define<{ duration_ms: number }>('info', 'documentation built'),
  docs_build_failed: define<WithError>('error', 'documentation build failed'),
}

export type LogEventName = keyof typeof logEvents
export type LogEventFields<Name extends LogEventName> = NonNullable<(typeof logEvents)[Name]['fields']>

/**
 * Writes one log line: the message and the level of this event, its name as `event`, and the fields. An `error` becomes
 * its type, message, code and stack. While traces are on, a line of code that belongs to a trace has its `trace_id`. The only
 * way to log in src; test/tidy.test.ts refuses others.
 */
export function logEvent<Name extends LogEventName>(
  log: EventLog,
  name: Name,
  fields: LogEventFields<Name> & { trace_id?: string | undefined },
): void {
  const { level, message } = logEvents[name]
  const trace_id = fields.trace_id ?? currentTraceId()
  log[level]({ event: name, ...describeError(fields), ...(trace_id !== undefined && { trace_id }) }, message)
}

function define<Fields extends object>(level: LogLevel, message: string): LogEvent<Fields> {
  return { level, message }
}

function describeError(fields: object): object {
  if (!('error' in fields)) return fields
  const { error } = fields
  return { ...fields, error: error instanceof Error ? stdSerializers.err(error) : error }
}
