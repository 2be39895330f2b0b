import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig, secretSettingNames, WrongSetting } from '../src/config.ts'

describe('the settings', () => {
  it('have defaults that are enough for a first start', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      SERVICE_NAME: 'Kusanya',
      TRUST_PROXY: 'off',
      MODE: 'sandbox',
      READS_PER_MINUTE: 30,
      WRITES_PER_MINUTE: 3000,
      COLLECTION_CURRENCIES: ['BXC', 'UGX', 'KES'],
      LOG_LEVEL: 'info',
      EVENT_RETENTION_DAYS: 30,
      WEBHOOK_ALLOWED_NETWORKS: '',
      EXTRA_EVENT_TYPES: false,
    })
  })

  it('make a new approver wait a day in live mode, and not in the sandbox', () => {
    const live = { MODE: 'live', SECRET_KEY: 'x'.repeat(32) }
    expect(readConfig({}).APPROVER_WAIT_HOURS).toBe(0)
    expect(readConfig(live).APPROVER_WAIT_HOURS).toBe(24)
    expect(readConfig({ ...live, APPROVER_WAIT_HOURS: '0' }).APPROVER_WAIT_HOURS).toBe(0)
    expect(readConfig({ APPROVER_WAIT_HOURS: '48' }).APPROVER_WAIT_HOURS).toBe(48)
  })

  it('count as not set when they are empty', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', MODE: '' })).toEqual(readConfig({}))
  })

  it('ignore other environment variables', () => {
    expect(readConfig({ PATH: '/usr/bin', HOME: '/root' })).toEqual(readConfig({}))
  })

  it.each<[string, string, unknown]>([
    ['PORT', '0', 0],
    ['DATABASE_URL', 'postgresql://u:p@db:5432/pay', 'postgresql://u:p@db:5432/pay'],
    ['COLLECTION_CURRENCIES', 'UGX,KES', ['UGX', 'KES']],
    ['EXTRA_EVENT_TYPES', 'ON', true],
    ['EXTRA_EVENT_TYPES', '0', false],
    ['TRUST_PROXY', '2', '2'],
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.0.1', '10.0.0.0/8, 192.168.0.1'],
    ['METRICS_ADDRESS', '127.0.0.1:9400', '127.0.0.1:9400'],
    ['OTEL_SDK_DISABLED', 'true', true],
    ['OTEL_TRACES_SAMPLER_ARG', '0.05', 0.05],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b, x-key = c%3Dd%20e', { a: 'b', 'x-key': 'c=d e' }],
  ])('accept %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject({ [name]: expected })
  })

  it.each([
    ['PORT', '80x', 'The setting PORT=80x is wrong: it must be a whole number.'],
    ['PORT', '70000', 'The setting PORT=70000 is wrong: it must be from 0 to 65535.'],
    ['PORT', '-1', 'The setting PORT=-1 is wrong: it must be a whole number.'],
    ['MODE', 'production', 'The setting MODE=production is wrong: it must be sandbox or live.'],
    [
      'PUBLIC_URL',
      'pay.example.com',
      'The setting PUBLIC_URL=pay.example.com is wrong: it must look like https://pay.example.com.',
    ],
    ['LOG_LEVEL', 'loud', 'The setting LOG_LEVEL=loud is wrong: it must be a log level such as info.'],
    ['EVENT_RETENTION_DAYS', '29', 'The setting EVENT_RETENTION_DAYS=29 is wrong: it must be from 30 to 36500.'],
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'grpc',
      'The setting OTEL_EXPORTER_OTLP_PROTOCOL=grpc is wrong: it must be http/protobuf, the only one that Kusanya speaks.',
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'secret',
      'The setting OTEL_EXPORTER_OTLP_HEADERS is wrong: it must be names and values with commas, such as authorization=Basic%20YWJj.',
    ],
    [
      'OTEL_TRACES_SAMPLER_ARG',
      '5',
      'The setting OTEL_TRACES_SAMPLER_ARG=5 is wrong: it must be a share from 0 to 1, such as 0.1.',
    ],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'collector:4317',
      'The setting OTEL_EXPORTER_OTLP_ENDPOINT=collector:4317 is wrong: it must look like http://collector:4318.',
    ],
    ['READS_PER_MINUTE', '0', 'The setting READS_PER_MINUTE=0 is wrong: it must be from 1 to 1000000000.'],
    [
      'SERVICE_NAME',
      'x'.repeat(41),
      `The setting SERVICE_NAME=${'x'.repeat(41)} is wrong: it must have at most 40 characters.`,
    ],
    [
      'EXTRA_EVENT_TYPES',
      'constructor',
      'The setting EXTRA_EVENT_TYPES=constructor is wrong: it must be one of 0, 1, on, off, true, false.',
    ],
    [
      'TRUST_PROXY',
      'nginx',
      'The setting TRUST_PROXY=nginx is wrong: it must be on, off, a number of proxies, or their addresses with commas.',
    ],
    [
      'COLLECTION_CURRENCIES',
      'ugx',
      'The setting COLLECTION_CURRENCIES=ugx is wrong: it must be currency codes with commas, such as UGX,KES.',
    ],
    [
      'WEBHOOK_ALLOWED_NETWORKS',
      '10.0.0.0/33',
      'The setting WEBHOOK_ALLOWED_NETWORKS=10.0.0.0/33 is wrong: it must be networks with commas, such as 10.0.0.0/8,192.0.2.7.',
    ],
  ])('refuse %s=%s with one line that names it', (name, value, line) => {
    expect(() => readConfig({ [name]: value })).toThrow(new WrongSetting(line))
  })

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/pay'],
    ['SECRET_KEY', 'hunter2'],
    ['SANDBOX_API_KEY', 'hunter2'],
    ['SANDBOX_PASSWORD', 'hunter2'],
    ['REDIS_URL', 'http://:hunter2@redis'],
    ['RATES_URL', 'rates?app_id=hunter2'],
    ['SECRET_KEY_PREVIOUS', 'hunter2'],
    ['SMS_HEADERS', 'apiKey: hunter2'],
    ['SMTP_URL', 'http://hunter2'],
    ['DATABASE_LISTEN_URL', 'mysql://root:hunter2@db/pay'],
    ['DATABASE_READ_URL', 'mysql://root:hunter2@db/pay'],
  ])('never show secret values: %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(`^The setting ${name} is wrong: it must (?!.*hunter2)`),
    )
  })

  it('require a secret key in live mode', () => {
    expect(() => readConfig({ MODE: 'live' })).toThrow(/^The setting SECRET_KEY is missing: .*\.$/)
    expect(readConfig({ MODE: 'live', SECRET_KEY: 'x'.repeat(32) }).MODE).toBe('live')
  })
})

it('the address for the owner of the tables needs one for the service, and is never shown', () => {
  const MIGRATION_DATABASE_URL = 'postgres://owner:hunter2@db/pay'
  expect(() => readConfig({ MIGRATION_DATABASE_URL })).toThrow('MIGRATION_DATABASE_URL needs DATABASE_URL')
  const config = readConfig({ MIGRATION_DATABASE_URL, DATABASE_URL: 'postgres://service:hunter2@db/pay' })
  expect(config).toMatchObject({ MIGRATION_DATABASE_URL })
  expect(() => readConfig({ MIGRATION_DATABASE_URL: 'mysql://owner:hunter2@db/pay' })).toThrow(/^(?!.*hunter2)/)
})

it("the address of a replica requires the primary's", () => {
  const DATABASE_READ_URL = 'postgres://service:hunter2@replica/pay'
  expect(() => readConfig({ DATABASE_READ_URL })).toThrow('DATABASE_READ_URL needs DATABASE_URL')
  expect(readConfig({ DATABASE_READ_URL, DATABASE_URL: 'postgres://service:hunter2@db/pay' })).toMatchObject({
    DATABASE_READ_URL,
    DATABASE_READ_WAIT_MS: 50,
  })
})

it('the previous secret key needs another one that takes its place', () => {
  const [one, two] = ['x'.repeat(32), 'y'.repeat(32)]
  expect(readConfig({ SECRET_KEY: two, SECRET_KEY_PREVIOUS: one })).toMatchObject({ SECRET_KEY_PREVIOUS: one })
  expect(() => readConfig({ SECRET_KEY_PREVIOUS: one })).toThrow('SECRET_KEY_PREVIOUS needs SECRET_KEY')
  expect(() => readConfig({ SECRET_KEY: one, SECRET_KEY_PREVIOUS: one })).toThrow('is the same key as SECRET_KEY')
})

describe('a secret setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const write = (contents: string | Uint8Array) => {
    const file = join(folder, 'secret')
    writeFileSync(file, contents)
    return file
  }

  it.each(secretSettingNames)('can be given: %s', (name) => {
    const values: Record<string, string> = {
      SMTP_URL: 'smtp://mail',
      REDIS_URL: 'redis://r',
      SMS_HEADERS: '{"a":"b"}',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
    }
    const value =
      values[name] ??
      (name.startsWith('SMS') ? 'https://sms' : name.endsWith('_URL') ? 'postgres://db/pay' : 'x'.repeat(32))
    const given = name === 'RATES_URL' ? 'https://rates' : value
    const needed = {
      SECRET_KEY_PREVIOUS: { SECRET_KEY: 'y'.repeat(32) },
      MIGRATION_DATABASE_URL: { DATABASE_URL: 'postgres://db/pay' },
      DATABASE_READ_URL: { DATABASE_URL: 'postgres://db/pay' },
    }
    const others = needed[name as keyof typeof needed] ?? {}
    const from_file = readConfig({ [`${name}_FILE`]: write(`${given}\n`), ...others })
    expect(from_file).toEqual(readConfig({ [name]: given, ...others }))
    expect(from_file[name as keyof typeof from_file]).toBeTruthy()
  })

  it('is the text of the file without one line end', () => {
    const read = (text: string) => readConfig({ SANDBOX_PASSWORD_FILE: write(text) }).SANDBOX_PASSWORD
    expect(read('correct horse')).toBe('correct horse')
    expect(read('correct horse\r\n')).toBe('correct horse')
    expect(read(' correct horse \n\n')).toBe(' correct horse \n')
  })

  it.each<[string, string | Uint8Array]>([
    ['the file is empty', ''],
    ['the file is empty', '\n'],
    ['the file is not a text in UTF-8', new Uint8Array([0xff, 0xfe, 0x41, 0])],
    ['the file is not a text in UTF-8', `${'x'.repeat(40)}\0`],
    ['the file has more than 64 kB', 'x'.repeat(70_000)],
    ['it must have at least 32 characters', 'hunter2'],
  ])('is refused with its name: %s', (reason, contents) => {
    const file = write(contents)
    const error = new WrongSetting(`The setting SECRET_KEY_FILE=${file} is wrong: ${reason}.`)
    expect(() => readConfig({ SECRET_KEY_FILE: file })).toThrow(error)
  })

  it('is refused if the file is missing, a folder, or beside the value', () => {
    expect(() => readConfig({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow(
      `SECRET_KEY_FILE=${join(folder, 'none')} is wrong: there is no such file.`,
    )
    expect(() => readConfig({ SECRET_KEY_FILE: folder })).toThrow('this is a folder')
    const both = { SECRET_KEY_FILE: write('x'.repeat(32)), SECRET_KEY: 'y'.repeat(32) }
    expect(() => readConfig(both)).toThrow('Set either SECRET_KEY or SECRET_KEY_FILE, and not both.')
    expect(readConfig({ ...both, SECRET_KEY: '' }).SECRET_KEY).toBe('x'.repeat(32))
  })
})
