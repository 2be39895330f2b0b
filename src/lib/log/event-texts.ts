import type { LogEventName } from '../log-events.ts'

/** Description of an event for operators, in Markdown. Its links begin at docs/operating. */
interface LogEventText {
  /** Occasion, with its fields. */
  when: string
  what_to_do: string
}

/** Advice of events that only tell. */
export const NOTHING_TO_DO = 'Nothing'

const text = (when: string, what_to_do = NOTHING_TO_DO): LogEventText => ({ when, what_to_do })
const REPORT = 'Report the bug'

/** Description of each event. An event without one does not compile. `npx kusanya describe log` and the site show them. */
export const logEventTexts: Readonly<Record<LogEventName, LogEventText>> = {
  service_ready: text(
    'A live installation has started; with `address`, `version` and `notices`',
    'Read `notices` once',
  ),
  go_live_open: text(
    'At the start in live mode: what is missing, by its names on the [checklist](../connections.md#the-checklist)',
    'Do what the checklist says',
  ),
  service_stopping: text('SIGINT or SIGTERM (`signal`) asked the service to stop'),
  service_stopped: text('The service has stopped in good order'),
  process_crashed: text(
    'A bug ended this process; the work that it had claimed continues in another process, or after the restart',
    'Restart the service if it does not restart by itself, and report the bug',
  ),
  process_restarted: text(
    'A process of `serve --processes` ended by itself (`pid`, `exit_code`, `signal`)',
    'Look for `process_crashed` before it; with the signal SIGKILL, check the memory of the machine',
  ),
  request_answered: text(
    'Every request, with `request_id`, `method`, `path`, `status` and `duration_ms`, and with `collection_request` where it made one or its path names one',
  ),
  request_failed: text('A bug: the caller got 500 with this `request_id`', 'Report the bug; the caller may try again'),
  database_unavailable: text(
    'A request (`request_id`, answered with 503) or a job (`job`, tried again) could not reach the database',
    'Check PostgreSQL, its connections, its disk and the network. The service recovers by itself',
  ),
  database_restarted: text(
    'The PostgreSQL that comes with the service had ended',
    'Check memory and disk; `server.log` in the folder of the database says why',
  ),
  database_restart_failed: text(
    'As before, and new starts fail; they are tried every second and logged once a minute',
    'Read `error`; often the disk is full',
  ),
  migration_waiting: text(
    '`migration`, how long it has waited (`waited_s`), and the long transactions that hold locks (`sessions`). Writers go on meanwhile; after ten minutes the migration gives up',
    'Let the transaction end, or end it with `pg_terminate_backend`',
  ),
  database_newer: text(
    'At a start during an upgrade, or after going back. `migrations` are those that this version does not know; none of them removes what it uses',
    'Finish the upgrade, or [go back](upgrade.md#going-back) on purpose',
  ),
  disk_full: text(
    'Writes are refused; at most one line a minute, with the folder of the data (`folder`; null for a PostgreSQL of your own) and `free_bytes`',
    'Make room on this disk. The service continues by itself',
  ),
  disk_space_critical: text(
    'Less than 2 % of the disk are free, with `folder`, `free_bytes` and `total_bytes`',
    'Make room at once',
  ),
  disk_space_low: text('Less than 10 % are free', 'Make room, or give it a larger disk'),
  disk_space_restored: text('More than 10 % are free again'),
  redis_unavailable: text(
    'Redis does not answer. Meanwhile limits hold per process and not over all of them',
    'Check Redis and `REDIS_URL`',
  ),
  redis_restored: text('Redis answers again'),
  replica_unavailable: text(
    'The replica of `DATABASE_READ_URL` is away, behind for longer than ten seconds, or the wrong server; `reason` is explained under [replicas](replicas.md#when-a-replica-cannot-be-read). Callers notice nothing',
    'Look at the replica',
  ),
  replica_restored: text('Pages and exports are read from the replica again'),
  request_created: text(
    'A request (`collection_request`) was stored for `organization`; `request_id` is the HTTP request, null for those that the service makes by itself',
  ),
  request_changed: text('`from` one status `to` another; `collection` is the money that fulfilled it'),
  order_created: text(
    'The order with the reference `order` will be sent over `connection`, for the attempt with this number',
  ),
  order_answered: text('What the network said (`outcome`), and the `state` of the order now'),
  payment_recorded: text(
    'A network has reported the money `remote_id`. `result` is `recorded`, `known`, `reversed` or `unassigned`; `collection` is its place in the books',
  ),
  callback_stored: text(
    'A callback of `connection` was stored under the number `callback`; `verified` says whether it is signed',
    'Nothing; `callback_processed` follows',
  ),
  callback_processed: text(
    'Its `state` now: `settled`, `waiting` for another try, `ignored` or `failed`',
    'Nothing; `callbacks show` shows it',
  ),
  event_recorded: text('An event about a request (`event_id`, `type`) is in the feed, and its webhooks will be called'),
  sms_queued: text('The SMS with the number `sms` will be sent; `purpose` says why'),
  sms_called: text('An SMS was sent, or its provider was asked about it: `outcome` and `duration_ms`'),
  webhook_called: text(
    'One attempt for the event `event_id`, with `status`, `failure` and `duration_ms`',
    'Nothing; `webhooks deliveries` shows more',
  ),
  job_failed: text('A bug in the job named in `job`. The rows concerned are tried again when their lease ends', REPORT),
  batch_failed: text(
    'One transaction for `size` answers or requests failed, and each half of them gets a transaction of its own, and so on, until the faulty ones are alone. Items that fail again are reported by their job or request',
    'If it repeats, report the bug',
  ),
  network_call_failed: text(
    'A bug in the driver of `network`, called for `connection`. The order (`reference`), `purchase` or `sms` counts as unknown: an SMS is tried again, all else is checked later',
    'Report the bug; look at the requests, payments and purchases that stay open. `sms list --state failed` shows what was not sent',
  ),
  order_not_settled: text(
    'A bug, or data that the database refuses: what the network said about `order` is not stored. It is asked again when the lease of the order ends',
    'Report the bug; `npx kusanya orders list` shows the order',
  ),
  order_needs_person: text(
    'The network cannot state the end of `order`; `reason` says why. It is neither sent again nor forgotten',
    "Find the order by its reference in the network's portal or statement; `npx kusanya requests show` tells what is known",
  ),
  connection_not_opened: text(
    'This version has no driver for it, or its settings are not valid. It gets no orders, and its orders are not asked about',
    'Correct its settings, or go back to the version that has the driver',
  ),
  network_called: text(
    'Every HTTP call to a network that was answered, with `connection`, `verb` (what the call does), `outcome` (`2xx`, `3xx`, `4xx`, and `5xx` where the driver understood the answer), `status`, `duration_ms` and the `reference` of the order. Addresses, headers and contents are not logged',
    'Nothing; `LOG_LEVEL=debug` shows them',
  ),
  network_not_answered: text(
    'As before, for a call without a complete answer (`no_answer`) or with a 5xx that says nothing about the order; `reason` says why. Its order counts as unknown and is asked about',
    'If it repeats, look whether the network is down, or the way to it',
  ),
  network_alarm: text(
    'Something that only you can repair, such as a refused credential; `alarm` says what. Each message is logged at most once an hour by each process, and at most a hundred messages an hour',
    'Do what `alarm` says',
  ),
  connection_degraded: text(
    'More than half of the calls of a minute (`calls`, `unanswered`) had no answer. From now on one call is sent every five seconds',
    'Look whether the network is down. The service goes on by itself',
  ),
  questions_postponed: text(
    'The service is late, for example after a pause of its machine. Until its callbacks come in time again, the `connection` is asked about a new charge after `seconds` seconds at the earliest, so a lost callback is found later. Payouts and refunds keep their waits',
    'If it comes often, the machine is too small for the load ([work is late](incidents.md#work-is-late))',
  ),
  connection_recovered: text('The network has answered again, after `degraded_s` seconds'),
  callback_failed: text(
    'A signed callback cannot be read or applied, or a bug in the connector; `callback` is its id. It is stored',
    '`callbacks show` and then `callbacks process` or `callbacks dismiss` ([callbacks](callbacks.md))',
  ),
  float_drifted: text(
    'The network of `connection` has stated a `balance` outside of what the books allow, twice in a row; `drift` says by how much',
    '`reconcile --connection …` finds the difference; `connections adjust` enters what moved outside of Kusanya ([float](../connections.md#float))',
  ),
  float_low: text(
    'The `balance` is below the threshold of `connections threshold`',
    'Put money into the merchant account before payouts fail',
  ),
  payment_unassigned: text(
    'A network has reported money to `receiver` in `currency`, and no account has both. It is kept, in no books',
    'Assign it ([money without an account](unmatched-money.md#money-without-an-account))',
  ),
  payment_assigned: text('Its receiver has an account now'),
  vend_result_failed: text(
    'A bug after a biller answered. The purchase is checked again',
    'Report the bug; `bills show` shows the purchase',
  ),
  vend_succeeded_late: text(
    'The organization has its money back and the customer has the goods; or another provider was tried meanwhile, and the purchase asks for a person',
    'Settle it with the organization or with the biller',
  ),
  bill_catalogue_not_read: text(
    'The provider of `connection` did not answer; it is asked again in an hour',
    'Nothing, unless it goes on: `connections test`',
  ),
  bill_differences_found: text(
    'The provider of `connection` sells something else, or at other prices',
    '`bills differences list --state waiting`',
  ),
  bill_offer_off_sale: text(
    'The price of `offer` has risen by more than `BILL_PRICE_RISE_PERCENT`',
    'Approve the difference, or reject it and buy elsewhere',
  ),
  bill_float_short: text(
    'The `balance` lasts for `hours_left` hours at the pace of the last day',
    'Put money into the account at the provider',
  ),
  payment_link_refused: text(
    'A customer filled in the page of `link` correctly, and the request was refused as `error` says: the wallet has no funds or is not active. The customer was told to come later',
    'Fund or activate the wallet, or close the link (`links close`)',
  ),
  payout_succeeded_late: text(
    'The money of `recipient` of `payment` had gone back to the account, and was taken from it again (`booked`). If `booked` is false the amount is not the one that was ordered, and nothing was taken',
    'Look into it with the organization, then `payments review`',
  ),
  sms_session_failed: text(
    'The session of `connection` could not be opened or closed properly. Its SMS take other routes',
    '`connections test`; if the settings are right, report the bug',
  ),
  sms_reports_unknown: text(
    'The reports named references that `connection` does not have (`count`), such as those of another installation',
    'Nothing; if it happens often, compare the callback address at the provider',
  ),
  sms_callback_refused: text(
    'A callback of `connection` was refused or not understood; `message` says why. Nothing was stored',
    'Compare the callback address and the secret with those at the provider',
  ),
  webhook_delivery_failed: text(
    'The service could not send or record deliveries of `webhook` (the ids are in `events`; one line for each collection request). A receiver that refuses or does not answer is not logged; `webhooks deliveries` shows it',
    'The deliveries are sent again. If the line repeats, look at `secrets status`: this process may lack a key. Otherwise report the bug',
  ),
  acceptance_check_failed: text(
    'A bug while an organization was asked about unrequested money. It is asked again',
    REPORT,
  ),
  traces_not_exported: text(
    'The collector of [traces](tracing.md) refuses or does not answer; at most one line a minute, with how many `spans` were lost since the last one',
    'Check the collector and `OTEL_EXPORTER_OTLP_ENDPOINT`. Nothing else is concerned',
  ),
  exchange_rates_updated: text('New USD rates came from `RATES_URL` (`currencies`)'),
  simulator_failed: text('A bug in the simulated network of the sandbox', REPORT),
  consistency_check_failed: text(
    'The nightly check found something wrong; `finding` says what',
    'Run `npx kusanya doctor` and report the finding',
  ),
  audit_head_noted: text(
    'Every night: the place (`position`) and the `digest` of the newest entry',
    'Keep the log where nobody can change it; `audit verify --head` compares',
  ),
  paid_request_matched: text(
    'A request was open although its order was paid, and is matched now (`collection_request`)',
  ),
  link_mail_failed: text(
    'The mail server did not take an invitation or a password link. The console said so to the person who asked for it',
    'Check `SMTP_URL` and `MAIL_FROM`',
  ),
  mail_send_failed: text(
    'The mail server did not take a mail that tells of a change or has a receipt (`mail`). It is tried six times within two days (`attempts`). While the server says that it is busy (4xx), nothing is sent for a minute and no attempt counts; an address that it does not know (5.1.x) is not tried again',
    'Check `SMTP_URL` and `MAIL_FROM`',
  ),
  password_reset_mail_failed: text(
    'As before, for a forgotten password; the person sees no error',
    'Check `SMTP_URL` and `MAIL_FROM`; `users password` sets a new password',
  ),
  console_built: text('The pages of the console were built at the first start'),
  console_build_failed: text(
    'The pages of the console could not be built; the API works',
    'Read `error`, then restart',
  ),
  docs_built: text('The documentation at `/docs` was built at the first start'),
  docs_build_failed: text(
    'The documentation could not be built; everything else works, also `/docs/reference`',
    'Read `error`, then run `npm run docs`',
  ),
}
