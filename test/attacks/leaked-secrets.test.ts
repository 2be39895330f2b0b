import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/app.ts'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { createLogger } from '../../src/cli/service/log.ts'
import { requireSecretKey } from '../../src/cli/service/secret-key.ts'
import { type Service, startService } from '../../src/cli/service/serve.ts'
import { readConfig } from '../../src/config.ts'
import { CONNECTION_SECRETS } from '../../src/core/connections/connections.ts'
import { WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { sql } from '../../src/db/sql.ts'
import { encrypt } from '../../src/lib/secrets.ts'
import { openShell } from '../cli/shell.ts'
import { openBrowser } from '../console/browser.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { createApiClient, eventually, openDatabase } from '../test-app.ts'
import { printFigure } from './figures.ts'

/*
 * Every place that takes a secret gets one that is found again wherever it appears. Then everything that shows something is
 * asked for everything: commands, API, console, metrics, errors, events, the log at its finest level, and the tables. Partners
 * repeat in their errors what they were sent, as some do.
 */

/** Secrets by the place that they were given to. */
const secrets: Record<string, string> = {}
const mark = (place: string, prefix = 'mk') => {
  secrets[place] = `${prefix}${randomBytes(16).toString('hex')}`
  return secrets[place]
}

/** Everything that was shown, with where it was. */
const shown: { where: string; text: string }[] = []
const show = (where: string, text: string) => shown.push({ where, text })

let database: Awaited<ReturnType<typeof openDatabase>>
let data_dir: string
let partner: Server
let partner_url: string
/** The addresses at which the partner was called. */
const called: string[] = []
let receiver: Receiver
let app: App
let service: Service
let settings: Record<string, string>
let api_key: string

beforeAll(async () => {
  database = await openDatabase()
  data_dir = await mkdtemp(join(tmpdir(), 'kusanya-leaks-'))
  partner = await openPartner()
  receiver = await openReceiver(({ headers, body }, response) => {
    response.writeHead(500, { 'x-repeated': headers.authorization ?? '' }).end(JSON.stringify({ headers, body }))
  })
  partner_url = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`
  // Two secrets of the sandbox, its API key and its password, are shown at the start on purpose.
  api_key = 'the-key-that-the-welcome-prints'
  settings = {
    DATABASE_URL: database.url,
    DATA_DIR: data_dir,
    PORT: '0',
    LOG_LEVEL: 'trace',
    SECRET_KEY: mark('SECRET_KEY'),
    SECRET_KEY_PREVIOUS: mark('SECRET_KEY_PREVIOUS'),
    SANDBOX_API_KEY: api_key,
    SANDBOX_PASSWORD: mark('SANDBOX_PASSWORD'),
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    REDIS_URL: `redis://:${mark('REDIS_URL')}@127.0.0.1:1/0`,
    SMTP_URL: `smtp://shop:${mark('SMTP_URL')}@127.0.0.1:1`,
    MAIL_FROM: 'shop@shop.example',
    RATES_URL: `${partner_url}/rates?app_id=${mark('RATES_URL')}`,
    SMS_URL: `${partner_url}/sms?key=${mark('SMS_URL')}`,
    SMS_HEADERS: JSON.stringify({ 'api-key': mark('SMS_HEADERS') }),
    SMS_BODY: `{"to":"{phone}","message":"{text}","password":"${mark('SMS_BODY')}"}`,
    BILLER: 'upstream',
    BILL_WAIT_SECONDS: '1',
    UPSTREAM_URL: `${partner_url}/upstream`,
    UPSTREAM_KEY: mark('UPSTREAM_KEY'),
  }
  // The password of the database is a word of its own.
  const { password } = new URL(database.url)
  if (password.length > 8) secrets.DATABASE_URL = password
  app = await buildApp(readConfig(settings), createLogger('trace', { write: (line) => void show('log', line) }))
  await requireSecretKey(app)
  await prepareDemo(app)
  service = await startService(app, { api: true, jobs: true })
})
afterAll(async () => {
  await service?.stop()
  partner?.close()
  await receiver?.close()
  await database?.close()
  await rm(data_dir, { recursive: true, force: true })
})

/** A partner that refuses everything, and repeats what it was sent in its answer. */
async function openPartner(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    called.push(request.url!)
    const message = `Refused: ${request.url} ${JSON.stringify(request.headers)} ${body}`
    response.writeHead(request.url!.startsWith('/upstream') ? 401 : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: 'error', code: 'BX0099', message, detail: message }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Run a command, and keep what it prints unless that is meant to be secret. */
async function kusanya(args: string[], options: { input?: string; secret?: boolean } = {}) {
  const result = await openShell(settings)(args, options)
  if (!options.secret) show(`kusanya ${args.join(' ')}`, `${result.out}\n${result.err}`)
  return result
}

/** It runs some hundred commands, so it takes long on a busy machine. */
const TIMEOUT_MS = 180_000

it(
  'no secret is in anything that the service shows, logs or stores in plain text',
  async () => {
    const owner = openBrowser(service.url)
    await storeSecrets(owner)
    await makeEvents(owner)
    await storeConnections()
    await runCommands()
    await callRoutes(owner)
    for (const path of ['/metrics', '/healthz', '/readyz'])
      show(`GET ${path}`, await (await fetch(service.url + path)).text())
    await readTables()

    const lines = shown.filter(({ where }) => where === 'log').length
    expect(lines).toBeGreaterThan(50)
    const found = shown.flatMap(({ where, text }) =>
      Object.keys(secrets)
        .filter((place) => formsOf(secrets[place]!).some((form) => text.includes(form)))
        .map((place) => ({ place, where: where === 'log' ? `the log: ${text.slice(0, 300)}` : where })),
    )
    const leaked = new Set(found.map(({ place }) => place)).size
    const count = Object.keys(secrets).length
    printFigure(
      'leaked-secrets',
      `${leaked} of ${count} secrets found in ${shown.length} answers, tables and log lines`,
    )
    expect(found).toEqual([])
  },
  TIMEOUT_MS,
)

/** A secret may also be seen in base64, alone or behind a user name. */
function formsOf(secret: string): string[] {
  const encoded = ['', 'shop:'].map((prefix) =>
    Buffer.from(prefix + secret)
      .toString('base64')
      .replace(/=+$/, ''),
  )
  return [secret, ...encoded]
}

async function storeSecrets(owner: ReturnType<typeof openBrowser>): Promise<void> {
  await owner.signIn('owner@demo.example', settings.SANDBOX_PASSWORD!)
  secrets['the session'] = [...owner.cookies.values()][0]!
  const created = await kusanya(['keys', 'create', '--name', 'till', '--json'], { secret: true })
  const { key, id } = JSON.parse(created.out)
  expect(key).toMatch(/^ksy_/)
  secrets['an API key'] = key

  const password = mark('a password')
  await kusanya(['users', 'create', '--name', 'Grace', '--email', 'grace@shop.example', '--permissions', 'all'])
  expect(await kusanya(['users', 'password', 'grace@shop.example'], { input: `${password}\n` })).toMatchObject({
    code: 0,
  })

  const grace = openBrowser(service.url)
  await grace.signIn('grace@shop.example', password)
  const { secret } = (await grace.post('/account/second-factor', { password })).body
  const confirmed = await grace.send('PUT', '/account/second-factor', { code: generateSync({ secret }) })
  expect(confirmed.status).toBe(200)
  secrets['an authenticator app'] = secret
  secrets['a recovery code'] = confirmed.body.recovery_codes[0]

  const signing = mark('a signing user')
  const signer = ['bills', 'users', 'create', 'shop-7', '--key', String(id), '--own-secret']
  expect(await kusanya(signer, { input: signing })).toMatchObject({ code: 0 })
  const basic = `shop:${mark('webhook credentials')}`
  expect(await kusanya(['webhooks', 'basic-auth', 'set'], { input: basic })).toMatchObject({ code: 0 })

  const results = (await owner.post('/payment-links/secret')).body.secret as string
  secrets['the results of payment links'] = results.replace('whsec_', '')
  const client = createApiClient(service.url, api_key)
  for (const event of ['collection.received', 'collectionrequest.status.changed']) {
    const webhook = await client.post('/api/webhooks', { event, target: `${receiver.url}/hook?skip-cert-verify` })
    expect(webhook.status).toBe(201)
    const shown_once = await kusanya(['webhooks', 'secret', String(webhook.body.id)], { secret: true })
    secrets[`the webhook ${event}`] = shown_once.out.replace('whsec_', '')
  }
}

/** A connection with a secret, to a network that refuses it, and one whose secrets cannot be read any more. */
async function storeConnections(): Promise<void> {
  const keys = app.sealingKeys(CONNECTION_SECRETS)
  const sealed = encrypt(keys, JSON.stringify({ secret: mark('a connection') }))
  const unreadable = encrypt('0d'.repeat(32), JSON.stringify({ secret: mark('a connection with a lost key') }))
  for (const [slug, value] of [
    ['shop-sandbox', sealed],
    ['old-sandbox', unreadable],
  ] as const)
    await database.db`
      insert into connections (slug, driver, environment, hosts, sealed_secrets, callback_secret, state, created, modified)
      values (${slug}, 'sandbox', 'sandbox', ${sql.json({ api: `${partner_url}/network` })}, ${value},
        ${mark(`the callback address of ${slug}`, '')}, 'active', now(), now())`
  secrets['the key of webhooks'] = [app.sealingKeys(WEBHOOK_KEY_PURPOSE)].flat()[0]!
  secrets['the simulated network'] = app.deriveSecret('sandbox network')
  await app.providers.refresh()
  await kusanya(['secret-key', 'accept', '--yes'])
  const request = { phonenumber: '+80000000004', amount: '1500', currency: 'BXC' }
  expect(await createApiClient(service.url, api_key).post('/api/collectionrequests', request)).toMatchObject({
    status: 201,
  })
  const callback = `/api/callbacks/shop-sandbox/${secrets['the callback address of shop-sandbox']}`
  for (const path of [callback, `${callback}/charge/1`, `${callback}/%zz`, `${callback}/?a=b`]) {
    const answer = await fetch(service.url + path, { method: 'POST', body: '{"event":"x"}' })
    show('the answer to a callback', await answer.text())
  }
  await eventually(
    'the network to be called',
    async () => called.some((url) => url.startsWith('/network')) || undefined,
  )
}

/** Make the service call every partner, successfully or not. */
async function makeEvents(owner: ReturnType<typeof openBrowser>): Promise<void> {
  const client = createApiClient(service.url, api_key)
  const request = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC', send_instructions: true }
  const { body } = await client.post('/api/collectionrequests', request)
  await eventually('the request to be paid', async () => {
    const { status } = (await client.get(`/api/collectionrequests/${body.id}`)).body
    return status === 'successful' || undefined
  })
  const purchase = { service_type: 'ikeja_electric_prepaid', account_number: '04042404048', amount: '2000' }
  const answer = await client.post(
    '/api/gateway/services/electricity/request',
    { ...purchase, phone: '08031234567', agentId: '1', agentReference: 'leak-1' },
    { 'x-api-key': api_key },
  )
  show('a purchase', JSON.stringify(answer.body))
  show(
    'an invitation',
    JSON.stringify((await owner.post('/invitations', { email: 'new@shop.example', permissions: ['view'] })).body),
  )
  await eventually('an SMS and a notification to be tried', async () => {
    const [row] = await database.db<{ sms: number; attempts: number }[]>`
      select (select count(*) from sms_messages where attempts > 0) as sms,
        (select count(*) from webhook_attempts) as attempts`
    return (row!.sms > 0 && row!.attempts > 0) || undefined
  })
  expect(receiver.received.some(({ headers }) => headers.authorization?.startsWith('Basic '))).toBe(true)
}

const READING =
  /^(list|show|status|deliveries|attempts|head|verify|doctor|permissions|unassigned|services|health|rates)$/

/** Run every command that only reads, as table and as JSON. An argument is 1 or, for a connection, its name. */
async function runCommands(): Promise<void> {
  let count = 0
  const visit = async (command: string[]): Promise<void> => {
    const { out } = await kusanya([...command, '--help'])
    const [usage = '', table = ''] = out.split('\nCommands:\n')
    const names = [...table.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((line) => line[1]!).filter((name) => name !== 'help')
    if (command.length > 0 && READING.test(command.at(-1)!)) {
      const required = [...usage.split('\n')[0]!.matchAll(/<(\w+)[^>]*>/g)]
      const values = required.map(([, name]) => (/slug|connection/.test(name!) ? 'shop-sandbox' : '1'))
      await kusanya([...command, ...values])
      await kusanya([...command, ...values, '--json'])
      count += 1
    }
    for (const name of names) await visit([...command, name])
  }
  await visit([])
  await kusanya(['audit', 'list', '--installation', '--json'])
  expect(count).toBeGreaterThan(25)
}

/** Call every route of API and console: read with id 1, and write with bodies that are refused. */
async function callRoutes(owner: ReturnType<typeof openBrowser>): Promise<void> {
  const client = createApiClient(service.url, api_key)
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> }
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods)) {
      if (path.includes('stream')) continue
      const url = path.replaceAll(/\{\w+\}/g, '1')
      const body = method === 'get' ? undefined : '{"wrong":'
      const answer = await fetch(service.url + url, {
        method: method.toUpperCase(),
        headers: { authorization: `Token ${api_key}`, 'x-api-key': api_key, 'content-type': 'application/json' },
        body,
      })
      show(`${method} ${url}`, await answer.text())
    }
  show('the feed', JSON.stringify((await client.get('/api/events?limit=100')).body))
  const files = globSync('src/console/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  const routes = new Set(
    files.flatMap((text) => Array.from(text.matchAll(/['`]\/console\/api(\/[\w/:-]+)['`]/g), ([, path]) => path!)),
  )
  for (const path of routes) {
    const answer = await owner.get(path.replaceAll(/:\w+/g, '1'))
    show(`GET /console/api${path}`, JSON.stringify([answer.body, ...answer.headers]))
  }
  expect(routes.size).toBeGreaterThan(30)
}

/** Secrets are encrypted or hashed in every table, except the part of an address that is compared with each callback. */
async function readTables(): Promise<void> {
  const tables = await database.db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = current_schema()`
  for (const { name } of tables) {
    const shown_part = name === 'connections' ? "to_jsonb(t) - 'callback_secret'" : 't'
    const rows = await database.db.unsafe<{ text: string }[]>(`select (${shown_part})::text as text from "${name}" t`)
    show(`the table ${name}`, rows.map(({ text }) => text).join('\n'))
  }
}
