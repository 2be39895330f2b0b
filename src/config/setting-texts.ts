import type { Config } from '../config.ts'

/** The groups of settings, in the order of the page of settings, with their headings. */
export const settingGroups = {
  service: 'The service',
  database: 'Database',
  secrets: 'Secrets',
  limits: 'Limits of the API',
  control: 'Control of payments',
  requests: 'Collection requests',
  callbacks: 'Callbacks of networks',
  retention: 'Retention',
  messages: 'Mail and SMS',
  bills: 'Bills',
  observation: 'Log and metrics',
  traces: 'Traces',
} as const

/** Description of a setting, in Markdown. Its links begin at docs/operating. */
export interface SettingText {
  group: keyof typeof settingGroups
  text: string
  /** The default in words, where the format of the setting does not have it. */
  default?: string
}

const about =
  (group: SettingText['group']) =>
  (text: string, default_text?: string): SettingText => ({
    group,
    text,
    ...(default_text !== undefined && { default: default_text }),
  })

const service = about('service')
const database = about('database')
const secrets = about('secrets')
const limits = about('limits')
const control = about('control')
const requests = about('requests')
const callbacks = about('callbacks')
const retention = about('retention')
const messages = about('messages')
const bills = about('bills')
const observation = about('observation')
const traces = about('traces')

/** Description of each setting. A setting without one does not compile. `npx kusanya describe settings` and the site show them. */
export const settingTexts: Readonly<Record<keyof Config, SettingText>> = {
  MODE: service('`sandbox` or `live`. Live mode needs `SECRET_KEY`, and starts without any connection, too'),
  CELL: service(
    'Number of this [cell](../scale.md#cells): its ids and codes differ from those of others. It never changes: a database remembers it',
  ),
  CELLS: service(
    'Addresses of all [cells](../scale.md#cells) by their numbers, as they reach each other: `{"0":"http://cell0:3000","1":"http://cell1:3000"}`. People then sign in at any cell',
  ),
  CELLS_SECRET: secrets(
    'Same in all [cells](../scale.md#cells); signs the directory by which sign-in finds the cell of an account',
  ),
  HOST: service(
    'Address to listen on. On a loopback address the sandbox sends webhooks to any address. Processes with `--no-api` need the same `HOST`',
  ),
  PORT: service('Port to listen on'),
  PUBLIC_URL: service(
    'Public address, such as `https://pay.example.com`; the base of links. With https every answer has `Strict-Transport-Security`. [Passkeys](../console.md#signing-in) belong to its host: they need https, and stop working when the host changes',
  ),
  TRUST_PROXY: service(
    'Proxies whose forwarded headers are trusted: `on`, `off`, a number of hops, or their addresses with commas. Set it behind a proxy, because wrong passwords are counted by address',
  ),
  SERVICE_NAME: service('Name of the service; the end of every SMS'),
  CONSOLE: service(
    'Whether the [console](../console.md) is served at `/console`; without it a start builds no pages of the documentation either',
  ),
  SANDBOX_API_KEY: service('API key of the demo organization', 'generated'),
  SANDBOX_PASSWORD: service("Password of the demo organization's owner", 'generated'),
  COLLECTION_CURRENCIES: service('Currencies of collection requests. BXC exists in the sandbox only'),
  RATES_URL: service('JSON address with units per US dollar by currency code, read twice a day'),
  EXTRA_EVENT_TYPES: service(
    'Offers webhooks more event types than the four of the interface: `billpayment.status.changed`, `collection.reversed`, [`contact.credit_changed`](../matching.md#the-account-of-a-customer), and those of [invoices](../invoices.md#events)',
  ),
  WEBHOOK_ALLOWED_NETWORKS: service(
    'Private networks that webhooks may be sent to, such as `10.0.0.0/8`. A sandbox on a loopback address needs none',
  ),
  BATCH_MOST: service('Maximum number of writes that share a commit; 1: every write has its own'),

  DATABASE_URL: database(
    'Your own PostgreSQL, version 18 or later. `sslmode` may be `disable`, `require`, `verify-ca` or `verify-full`, with `sslrootcert=/path/ca.pem`; `connect_timeout` is in seconds (3)',
    'the embedded PostgreSQL',
  ),
  MIGRATION_DATABASE_URL: database(
    'The same database as the owner of its tables, without a pooler between ([two roles](database.md#two-roles))',
  ),
  DATABASE_CONNECTIONS: database(
    'Maximum number of connections in the pool of one process, which opens two more: one for notifications, one that looks for due work',
  ),
  DATABASE_STATEMENT_SECONDS: database(
    'PostgreSQL ends a statement that runs longer; 0: never. Long maintenance work is exempt',
  ),
  DATABASE_LOCK_SECONDS: database(
    'PostgreSQL ends a statement that waits longer for a row of another transaction; 0: never',
  ),
  DATABASE_IDLE_SECONDS: database('PostgreSQL ends a transaction that stands still for longer; 0: never'),
  DATABASE_POOLER: database(
    '`on` if `DATABASE_URL` is a connection pooler in transaction mode ([poolers](database.md#connection-poolers))',
  ),
  DATABASE_LISTEN_URL: database('Address of PostgreSQL itself, for notifications; required with a pooler'),
  DATABASE_READ_URL: database(
    'A replica, or a load balancer before several, for pages and exports ([replicas](replicas.md))',
  ),
  DATABASE_READ_WAIT_MS: database(
    'How long a read waits for a replica that is behind, before it runs on the primary; at most 10000',
  ),
  DATA_DIR: database("The embedded PostgreSQL, the sandbox's secret key and the demo API key"),
  REDIS_URL: database(
    'Redis that counts requests over several machines; each installation needs a database number of its own, such as `redis://host/3`. The processes of one `serve --processes` share their counts without it',
  ),

  SECRET_KEY: secrets(
    'At least 32 random characters, which encrypt secrets. Required in live mode. Keep it as safe as the database ([the secret key](secret-key.md))',
    'generated in the sandbox',
  ),
  SECRET_KEY_PREVIOUS: secrets(
    'The earlier key while `SECRET_KEY` [changes](secret-key.md#changing-it): it decrypts and does not encrypt',
  ),

  READS_PER_MINUTE: limits('Reads of an API key, unless the key has limits of its own'),
  WRITES_PER_MINUTE: limits('Writes of an API key, unless the key has limits of its own'),
  ORGANIZATION_READS_PER_MINUTE: limits(
    'Reads of all keys of an organization together. A key with a higher limit of its own counts alone',
    'ten times `READS_PER_MINUTE`',
  ),
  ORGANIZATION_WRITES_PER_MINUTE: limits('The same for writes', 'ten times `WRITES_PER_MINUTE`'),
  KEYS_PER_ORGANIZATION: limits('Maximum number of active API keys of an organization'),

  APPROVER_WAIT_HOURS: control(
    'How long a new approver waits before the first approval ([control](payment-control.md)); 0: not at all',
    '`0`, in live mode `24`',
  ),
  PENDING_CHANGE_HOURS: control('How long a change waits for a second manager before it is void'),
  APPROVAL_MAIL_MINUTES: control(
    'Shortest time between two mails to one approver about [payments that wait](../payments.md#approval)',
  ),
  ATTEST_AFTER_HOURS: control(
    'How long an order must be open after it was sent before people may [settle it by hand](orders-by-hand.md)',
  ),
  FLOAT_TOLERANCE_PERCENT: control(
    'How far the balance at a network may be outside of what the books allow, in percent of the float ([float](../connections.md#float))',
  ),

  REMINDERS_PER_REQUEST: requests(
    'How many [reminders](../request-actions.md#remind), and how many payment links, people may send for one request; 0: none',
  ),
  REMINDER_INTERVAL_MINUTES: requests('Shortest time between two of them'),
  REMINDER_QUIET_HOURS: requests(
    "When none is sent, on the clock of the customer's country, where `sms rules` has no quiet hours; or `none`",
  ),

  UNVERIFIED_CALLBACKS_PER_HOUR: callbacks(
    'How many callbacks without a valid signature are stored in an hour ([callbacks](callbacks.md))',
  ),
  UNVERIFIED_CALLBACK_KB_PER_HOUR: callbacks('How many kB of them'),
  UNVERIFIED_CALLBACKS_PER_SENDER: callbacks('How many of one sender'),
  UNVERIFIED_CALLBACK_KB_PER_SENDER: callbacks('How many kB of one sender'),

  EVENT_RETENTION_DAYS: retention(
    'Minimum time for events and their deliveries; at least 30 ([retention](retention.md))',
  ),
  CALLBACK_RETENTION_DAYS: retention('Minimum time for callbacks of networks after they are done; at least 7'),
  REQUEST_RETENTION_DAYS: retention(
    'Minimum time for requests in the database, before `npx kusanya archive` may take them; at least 90',
  ),
  ORDER_RETENTION_DAYS: retention('The same for the answers of networks to orders; at least 90'),
  SMS_RETENTION_DAYS: retention('The same for SMS; at least 90'),
  AUDIT_RETENTION_DAYS: retention('The same for entries of the audit log; at least 366'),
  ARCHIVE_DIR: retention('Folder of the archive', '`archive` in `DATA_DIR`'),

  SMTP_URL: messages(
    'Mail server, such as `smtps://user:password@mail.example.com:465`, for invitations, password links, notices of changes, receipts and invoices. Without it the person who asks for a link sees it',
  ),
  MAIL_FROM: messages('Address of the sender of mails'),
  SMS_URL: messages('Address of the [HTTP provider of SMS](sms.md), with placeholders'),
  SMS_METHOD: messages('`POST`, `PUT`, or `GET` for providers that take everything in the address'),
  SMS_HEADERS: messages(
    'JSON object of header names and values. The content type is JSON unless it says `application/x-www-form-urlencoded`',
  ),
  SMS_BODY: messages(
    'Body of the call, with placeholders',
    '`{"to":"{phone}","message":"{text}"}`, for forms `to={phone}&message={text}`',
  ),
  SMS_REPORTS: messages(
    'JSON object with the fields of ids, delivery reports and SMS of customers, such as `{"report_status_field":"status"}` ([fields](../sms/http.md#settings))',
  ),

  BILLER: bills(
    'The biller: `sandbox` is the simulated one, `upstream` another host ([bills](../bills.md#billers))',
    '`sandbox`, in live mode `upstream`',
  ),
  UPSTREAM_URL: bills('Bill API of the other host, such as `https://pay.example.com/api/gateway`'),
  UPSTREAM_KEY: bills('Our API key at the other host'),
  UPSTREAM_AGENT_ID: bills('Our `agentId` at the other host'),
  BILL_WAIT_SECONDS: bills(
    'How long a purchase waits for its biller before it answers 503 `BX0021`. Set it below the time limit of your proxy',
  ),
  BILL_FLOAT_HOURS: bills(
    'A float at a bill provider that does not last so long, at the pace of the last day, raises a notice ([bills](../bills.md#several-providers))',
  ),
  BILL_PRICE_RISE_PERCENT: bills(
    'An offer whose price at its provider rises by more is off sale until a person decides ([bills](../bills.md#several-providers))',
  ),

  LOG_LEVEL: observation('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent` ([log](log.md))'),
  METRICS_ADDRESS: observation(
    'Address of its own for `/metrics`, such as `127.0.0.1:9400`. Without it `/metrics` is at the address of the service, and only on a loopback `HOST` ([where they are](monitoring.md#where-they-are))',
  ),
  METRICS_INTERVAL_SECONDS: observation(
    'A process reads the [figures of the database](monitoring.md#what-reading-costs) at most once in this time; 0 to 300',
  ),

  OTEL_EXPORTER_OTLP_ENDPOINT: traces(
    'Base address of the collector, such as `http://127.0.0.1:4318`; `/v1/traces` is added. [Traces](tracing.md) are off while it and the next one are empty',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces('Whole address for traces, used as it is'),
  OTEL_EXPORTER_OTLP_HEADERS: traces(
    'Headers for the collector, such as `authorization=Basic%20YWJj`; several with commas',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: traces(
    'The only protocol that Kusanya speaks; any other stops the start',
    '`http/protobuf`',
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traces('The same for traces alone', '`http/protobuf`'),
  OTEL_SERVICE_NAME: traces('Name of the service in the trace viewer'),
  OTEL_TRACES_SAMPLER: traces(
    '`always_on`, `always_off`, `traceidratio`, `parentbased_always_on`, `parentbased_always_off` or `parentbased_traceidratio`',
  ),
  OTEL_TRACES_SAMPLER_ARG: traces('Share of traces that the ratio samplers export, from 0 to 1'),
  OTEL_TRACES_EXPORTER: traces('`none` switches traces off'),
  OTEL_SDK_DISABLED: traces('`true` switches traces off'),
}
