import { z } from 'zod'
import { parseRanges } from './lib/http/ip-addresses.ts'
import { readSecretFile } from './lib/secret-file.ts'
import { cellOfKey, MAX_CELL } from './lib/text/cells.ts'
import { TIME_LIMITS } from './lib/time-limits.ts'
import { samplers } from './lib/tracing/settings.ts'
import { WrongSetting } from './lib/wrong-setting.ts'

export { WrongSetting }

const wordSetting = (values: Record<string, boolean>) =>
  z
    .string()
    .toLowerCase()
    .refine((value) => Object.hasOwn(values, value), { error: `must be one of ${Object.keys(values).join(', ')}` })
    .transform((value) => values[value]!)

const onOffSetting = wordSetting({ on: true, off: false, true: true, false: false, '1': true, '0': false })
const integerSetting = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)

/** A JSON object of texts, such as HTTP headers. */
const stringMapSetting = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text))
  } catch {
    context.addIssue('must be a JSON object of texts, such as {"authorization":"Bearer …"}')
    return z.NEVER
  }
})

/** The addresses of the cells by their numbers, with which they ask each other. */
const cellsSetting = stringMapSetting.refine(
  (cells) =>
    Object.entries(cells).every(
      ([cell, url]) =>
        /^(0|[1-9]\d{0,2})$/.test(cell) &&
        Number(cell) <= MAX_CELL &&
        z.url({ protocol: /^https?$/ }).safeParse(url).success,
    ),
  'must be addresses by numbers of cells, such as {"0":"http://cell0:3000","1":"http://cell1:3000"}',
)

/**
 * Allowed values of `sslmode` in an address, as in PostgreSQL's own programs. `prefer` and `allow` are missing: they do
 * not protect from an attacker between the service and the database.
 */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

const databaseUrlSetting = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/name' })
  .refine((url) => TLS_MODES.includes(new URL(url).searchParams.get('sslmode') ?? 'disable'), {
    error: `may have as sslmode ${TLS_MODES.join(', ')}`,
  })

/** Target of traces. Names and formats come from the OpenTelemetry specification. */
const collectorSetting = z.url({ protocol: /^https?$/, error: 'must look like http://collector:4318' })
const otlpProtocolSetting = z.enum(['http/protobuf'], {
  error: 'must be http/protobuf, the only one that Kusanya speaks',
})

/** Headers as the specification writes them: `name=value`, with commas, and percent-encoded. */
const otlpHeadersSetting = z.string().transform((text, context): Record<string, string> => {
  try {
    return Object.fromEntries(
      text.split(',').map((pair) => {
        const [name = '', ...value] = pair.split('=')
        if (value.length === 0 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim())) throw new SyntaxError('not a header')
        return [name.trim(), decodeURIComponent(value.join('=').trim())]
      }),
    )
  } catch {
    context.addIssue('must be names and values with commas, such as authorization=Basic%20YWJj')
    return z.NEVER
  }
})

/** Connections per process that DATABASE_CONNECTIONS does not count: one for LISTEN, one for polling due work. */
export const CONNECTIONS_BESIDE_POOL = 2

/** Settings with formats and defaults, named like the environment variables. */
const Settings = z.object({
  CELL: integerSetting(0, MAX_CELL).default(0),
  CELLS: cellsSetting.default({}),
  CELLS_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  PORT: integerSetting(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: databaseUrlSetting.optional(),
  MIGRATION_DATABASE_URL: databaseUrlSetting.optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must look like redis://user:password@host:6379/0' }).optional(),
  DATABASE_CONNECTIONS: integerSetting(2, 1_000).default(16),
  DATABASE_STATEMENT_SECONDS: integerSetting(0, 86_400).default(TIME_LIMITS.statement),
  DATABASE_LOCK_SECONDS: integerSetting(0, 86_400).default(TIME_LIMITS.lock),
  DATABASE_IDLE_SECONDS: integerSetting(0, 86_400).default(TIME_LIMITS.idle_transaction),
  DATABASE_POOLER: onOffSetting.default(false),
  DATABASE_LISTEN_URL: databaseUrlSetting.optional(),
  DATABASE_READ_URL: databaseUrlSetting.optional(),
  DATABASE_READ_WAIT_MS: integerSetting(0, 10_000).default(50),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must look like https://pay.example.com' }).optional(),
  SERVICE_NAME: z.string().max(40, 'must have at most 40 characters').default('Kusanya'),
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxySetting, 'must be on, off, a number of proxies, or their addresses with commas')
    .default('off'),
  MODE: z.enum(['sandbox', 'live'], { error: 'must be sandbox or live' }).default('sandbox'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  READS_PER_MINUTE: integerSetting(1, 1_000_000_000).default(30),
  WRITES_PER_MINUTE: integerSetting(1, 1_000_000_000).default(3000),
  ORGANIZATION_READS_PER_MINUTE: integerSetting(1, 1_000_000_000).optional(),
  ORGANIZATION_WRITES_PER_MINUTE: integerSetting(1, 1_000_000_000).optional(),
  KEYS_PER_ORGANIZATION: integerSetting(1, 10_000).default(50),
  COLLECTION_CURRENCIES: z
    .string()
    .regex(/^[A-Z]{3}(,[A-Z]{3})*$/, 'must be currency codes with commas, such as UGX,KES')
    .transform((list) => list.split(','))
    .default(['BXC', 'UGX', 'KES']),
  SANDBOX_API_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  SANDBOX_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  RATES_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SMS_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SMS_METHOD: z.enum(['POST', 'PUT', 'GET'], { error: 'must be POST, PUT or GET' }).default('POST'),
  SMS_HEADERS: stringMapSetting.default({}),
  SMS_BODY: z.string().optional(),
  SMS_REPORTS: stringMapSetting.default({}),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must look like smtps://user:password@mail.example.com:465' })
    .optional(),
  MAIL_FROM: z.email({ error: 'must be an e-mail address' }).optional(),
  BILLER: z.enum(['sandbox', 'upstream'], { error: 'must be sandbox or upstream' }).optional(),
  UPSTREAM_URL: z.url({ protocol: /^https?$/, error: 'must look like https://pay.example.com/api/gateway' }).optional(),
  UPSTREAM_KEY: z.string().optional(),
  UPSTREAM_AGENT_ID: z.string().max(40, 'must have at most 40 characters').default('207'),
  BILL_WAIT_SECONDS: integerSetting(1, 300).default(25),
  REMINDERS_PER_REQUEST: integerSetting(0, 100).default(3),
  REMINDER_INTERVAL_MINUTES: integerSetting(1, 10_080).default(10),
  REMINDER_QUIET_HOURS: z
    .string()
    .regex(/^(none|([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d)$/, 'must be hours such as 21:00-07:00, or none')
    .refine((hours) => hours.slice(0, 5) !== hours.slice(6), 'must end at another time than they begin')
    .default('21:00-07:00'),
  BILL_FLOAT_HOURS: integerSetting(1, 8_760).default(24),
  BILL_PRICE_RISE_PERCENT: integerSetting(0, 1_000).default(5),
  CONSOLE: onOffSetting.default(true),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: 'must be a log level such as info' })
    .default('info'),
  EVENT_RETENTION_DAYS: integerSetting(30, 36_500).default(30),
  CALLBACK_RETENTION_DAYS: integerSetting(7, 36_500).default(90),
  REQUEST_RETENTION_DAYS: integerSetting(90, 36_500).default(3_653),
  ORDER_RETENTION_DAYS: integerSetting(90, 36_500).default(3_653),
  SMS_RETENTION_DAYS: integerSetting(90, 36_500).default(731),
  AUDIT_RETENTION_DAYS: integerSetting(366, 36_500).default(3_653),
  ARCHIVE_DIR: z.string().optional(),
  UNVERIFIED_CALLBACKS_PER_HOUR: integerSetting(1, 1_000_000_000).default(10_000),
  UNVERIFIED_CALLBACKS_PER_SENDER: integerSetting(1, 1_000_000_000).default(1_000),
  UNVERIFIED_CALLBACK_KB_PER_HOUR: integerSetting(1, 1_000_000_000).default(10_240),
  UNVERIFIED_CALLBACK_KB_PER_SENDER: integerSetting(1, 1_000_000_000).default(1_024),
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .refine((list) => parseRanges(list) !== undefined, 'must be networks with commas, such as 10.0.0.0/8,192.0.2.7')
    .default(''),
  EXTRA_EVENT_TYPES: onOffSetting.default(false),
  METRICS_ADDRESS: z
    .string()
    .regex(/^[^\s]+:\d+$/, 'must look like 127.0.0.1:9400')
    .optional(),
  METRICS_INTERVAL_SECONDS: integerSetting(0, 300).default(10),
  FLOAT_TOLERANCE_PERCENT: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, 'must be a percentage below 100, such as 0.5')
    .transform(Number)
    .default(1),
  BATCH_MOST: integerSetting(1, 1_000).default(128),
  APPROVER_WAIT_HOURS: integerSetting(0, 8_760).optional(),
  PENDING_CHANGE_HOURS: integerSetting(1, 8_760).default(72),
  APPROVAL_MAIL_MINUTES: integerSetting(1, 10_080).default(15),
  ATTEST_AFTER_HOURS: integerSetting(1, 8_760).default(24),
  OTEL_SDK_DISABLED: wordSetting({ true: true, false: false }).default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorSetting.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorSetting.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocolSetting.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocolSetting.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeadersSetting.default({}),
  OTEL_SERVICE_NAME: z.string().default('kusanya'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, { error: `must be one of ${samplers.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a share from 0 to 1, such as 0.1')
    .transform(Number)
    .default(1),
})

function isTrustProxySetting(text: string): boolean {
  return /^(on|off|true|false|\d{1,3})$/.test(text) || parseRanges(text) !== undefined
}

/** The settings whose values may not appear on a screen or in a log. A file may hold each of them: `SECRET_KEY_FILE`. */
export const secretSettingNames: readonly string[] = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'CELLS_SECRET',
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'SMTP_URL',
  'UPSTREAM_KEY',
  'SMS_URL',
  'SMS_HEADERS',
  'SMS_BODY',
  'RATES_URL',
  'SANDBOX_API_KEY',
  'SANDBOX_PASSWORD',
  'OTEL_EXPORTER_OTLP_HEADERS',
] satisfies (keyof typeof Settings.shape)[]

/** The names of all settings, with those that name files. */
export const settingNames = [...Object.keys(Settings.shape), ...secretSettingNames.map(fileSettingName)]

/** Default of a setting as its format has it; undefined where it has none. */
export function defaultOf(name: keyof typeof Settings.shape): unknown {
  return Settings.shape[name].safeParse(undefined).data
}

/** The setting that names a file with the value of another setting. */
export function fileSettingName(name: string): string {
  return `${name}_FILE`
}

/** The settings of this process: checked, complete and typed. */
export type Config = z.output<typeof Settings> & { APPROVER_WAIT_HOURS: number }

/** The sandbox has no wait, so that people can try out an approval within a minute. */
const APPROVER_WAIT_HOURS = { sandbox: 0, live: 24 }

/**
 * Read the settings, and the files that hold secret ones. An empty value counts as not set.
 * @throws WrongSetting that names the first wrong setting.
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const given = withSecretFiles(Object.fromEntries(set))
  const result = Settings.safeParse(given)
  if (!result.success) {
    const issue = result.error.issues[0]!
    const name = String(issue.path[0])
    throw new WrongSetting(`The setting ${describeSetting(name, given)} is wrong: it ${issue.message}.`)
  }
  const { MODE } = result.data
  const config = { ...result.data, APPROVER_WAIT_HOURS: result.data.APPROVER_WAIT_HOURS ?? APPROVER_WAIT_HOURS[MODE] }
  requireTogether(config)
  return config
}

/** Put the contents of the files that hold secret settings among the settings. @throws WrongSetting */
function withSecretFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read: Record<string, string> = {}
  for (const name of secretSettingNames) {
    const file = given[fileSettingName(name)]
    if (file === undefined) continue
    if (given[name] !== undefined)
      throw new WrongSetting(`Set either ${name} or ${fileSettingName(name)}, and not both.`)
    read[name] = readSecretFile(fileSettingName(name), file)
  }
  return { ...given, ...read }
}

/** A setting as an error shows it: with its value or its file, unless the value is secret. */
function describeSetting(name: string, given: Record<string, string | undefined>): string {
  const file_setting = fileSettingName(name)
  if (!secretSettingNames.includes(name)) return `${name}=${given[name]}`
  return given[file_setting] === undefined ? name : `${file_setting}=${given[file_setting]}`
}

/** Check dependencies between settings. @throws WrongSetting */
function requireTogether(config: Config): void {
  if (config.SANDBOX_API_KEY && (cellOfKey(config.SANDBOX_API_KEY) ?? config.CELL) !== config.CELL)
    throw new WrongSetting(
      `The setting SANDBOX_API_KEY is wrong: this key belongs to another cell than ${config.CELL}.`,
    )
  if (Object.keys(config.CELLS).length > 0 && !(config.CELLS_SECRET && Object.hasOwn(config.CELLS, config.CELL)))
    throw new WrongSetting('CELLS needs CELLS_SECRET, and the address of this CELL among the others.')
  if (config.MIGRATION_DATABASE_URL && !config.DATABASE_URL)
    throw new WrongSetting('MIGRATION_DATABASE_URL needs DATABASE_URL, the address for the role of the service.')
  if (config.DATABASE_READ_URL && !config.DATABASE_URL)
    throw new WrongSetting('DATABASE_READ_URL needs DATABASE_URL, the address of the primary.')
  if (config.DATABASE_POOLER && !(config.DATABASE_URL && config.DATABASE_LISTEN_URL))
    throw new WrongSetting(
      'DATABASE_POOLER=on needs DATABASE_URL, the address of the pooler, and DATABASE_LISTEN_URL, that of PostgreSQL itself.',
    )
  if (config.MODE === 'live' && !config.SECRET_KEY)
    throw new WrongSetting(
      'The setting SECRET_KEY is missing: live mode encrypts secrets with it (at least 32 random characters).',
    )
  if (config.SECRET_KEY_PREVIOUS && !config.SECRET_KEY)
    throw new WrongSetting('SECRET_KEY_PREVIOUS needs SECRET_KEY, the key that takes its place.')
  if (config.SECRET_KEY_PREVIOUS && config.SECRET_KEY_PREVIOUS === config.SECRET_KEY)
    throw new WrongSetting(
      'SECRET_KEY_PREVIOUS is the same key as SECRET_KEY. Set SECRET_KEY to the new key, or remove SECRET_KEY_PREVIOUS.',
    )
}
