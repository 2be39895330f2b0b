import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '../cli/program-runner.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'
import { because, DEPLOY, findProgram, ROOT } from './programs.ts'

/*
 * The examples for nginx and Caddy as they are, with other ports and certificates, before a real service. The client comes from
 * 127.0.0.2, and the proxy reaches the service from 127.0.0.1.
 */

const CLIENT = '127.0.0.2'
const certificate = join(ROOT, 'test/fixtures/localhost-cert.pem')
const key = join(ROOT, 'test/fixtures/localhost-key.pem')

interface Proxy {
  https: number
  http: number
  /** Log of the requests; null if it writes none. */
  log: string | null
  stop(): Promise<void>
}

let service: TestService
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-proxy-'))
  chmodSync(folder, 0o755)
  service = await openTestService({ settings: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://localhost' } })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Replace each text, which must be there, so that a change of the example is noticed. */
function replaceAll(text: string, changes: Record<string, string>): string {
  for (const [from, to] of Object.entries(changes)) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  return text
}

async function startProxy(
  program: string,
  args: string[],
  ports: Pick<Proxy, 'https' | 'http' | 'log'>,
): Promise<Proxy> {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await eventually('the proxy to answer', async () => {
    if (child.exitCode !== null) throw new Error(`It ended: ${errors}`)
    return call(ports.https, 'GET', '/docs').then(
      () => true,
      () => undefined,
    )
  })
  return {
    ...ports,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      // nginx ends its workers at once; Caddy has none and would wait for open connections.
      child.kill(program.endsWith('nginx') ? 'SIGTERM' : 'SIGKILL')
      await ended
    },
  }
}

async function startNginx(program: string): Promise<Proxy> {
  const [https, http] = [await findFreePort(), await findFreePort()]
  const log = join(folder, 'nginx-access.log')
  const site = replaceAll(readFileSync(join(DEPLOY, 'nginx/kusanya.conf'), 'utf8'), {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
    '/etc/letsencrypt/live/pay.example.com/fullchain.pem': certificate,
    '/etc/letsencrypt/live/pay.example.com/privkey.pem': key,
    '/var/log/nginx/kusanya.log': log,
    '127.0.0.1:3000': new URL(service.url).host,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const main = `${user} daemon off; pid ${folder}/nginx.pid; error_log stderr warn; events {} http { ${temporary.join(' ')} ${site} }`
  writeFileSync(join(folder, 'nginx.conf'), main)
  return startProxy(program, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { https, http, log })
}

async function startCaddy(program: string): Promise<Proxy> {
  const [https, http] = [await findFreePort(), await findFreePort()]
  const site = replaceAll(readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8'), {
    'pay.example.com {': `https://localhost:${https} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
    '{\n\tgrace_period': `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${http}\n\tgrace_period`,
    '127.0.0.1:3000': new URL(service.url).host,
  })
  writeFileSync(join(folder, 'Caddyfile'), site)
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  return startProxy(program, args, { https, http: 0, log: null })
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Send a request to a port of the proxy as a client elsewhere would. `onText` gets what has arrived so far. */
function call(
  port: number,
  method: string,
  path: string,
  options: {
    headers?: Record<string, string>
    body?: string | Buffer
    plain?: boolean
    onText?: (text: string) => boolean
  } = {},
): Promise<Answer> {
  const { headers = {}, body, plain, onText } = options
  return new Promise((resolve, reject) => {
    const sent = (plain ? httpRequest : httpsRequest)({
      host: '127.0.0.1',
      port,
      method,
      path,
      localAddress: CLIENT,
      servername: 'localhost',
      agent: false,
      ca: readFileSync(certificate),
      headers: { host: `localhost:${port}`, ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) },
    })
    sent.on('error', reject).on('response', (response) => {
      let text = ''
      const answer = () => resolve({ status: response.statusCode!, headers: response.headers, text })
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (!onText?.(text)) return
        answer()
        sent.destroy()
      })
      response.on('end', answer).on('error', reject)
    })
    sent.end(body)
  })
}

const json = () => ({ authorization: `Token ${service.key}`, 'content-type': 'application/json' })

const proxies = [
  { name: 'nginx', start: startNginx },
  { name: 'caddy', start: startCaddy },
]

for (const { name, start } of proxies) {
  const program = findProgram(name)
  const reason = program === null && `the Debian package ${name} is not installed`
  describe.skipIf(reason)(`the example for ${name}${because(reason)}`, () => {
    let proxy: Proxy
    beforeAll(async () => {
      proxy = await start(program!)
    })
    afterAll(() => proxy?.stop())

    it('gives the service the address of the client, and not what the client claims', async () => {
      const headers = {
        ...json(),
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'evil.example',
      }
      const body = JSON.stringify({ event: 'contact.created', target: `https://shop.example/${name}` })
      const made = await call(proxy.https, 'POST', '/api/webhooks', { headers, body })
      expect(made.status).toBe(201)
      expect(made.headers['strict-transport-security']).toContain('max-age=')
      const [entry] = await service.testApp.db<
        { address: string }[]
      >`select address from audit_log order by id desc limit 1`
      expect(entry!.address).toBe(CLIENT)
    })

    it('lets each event of the stream through at once', async () => {
      const wanted = `before the end, ${name}`
      let opened = false
      const stream = call(proxy.https, 'GET', '/api/events/stream', {
        headers: json(),
        onText: (text) => {
          opened = true
          return text.includes(wanted)
        },
      })
      // The stream says something when it is open; then the event is written, while no end of the stream is near.
      await eventually('the stream to be open', async () => opened || undefined)
      await service.createRequest({
        phonenumber: name === 'nginx' ? '+80000000073' : '+80000000074',
        metadata: { wanted },
      })
      expect((await stream).text).toContain(wanted)
    })

    it('passes callbacks on byte by byte', async () => {
      const secret = `s3cret-${name}`
      const path = '/api/callbacks/sandbox'
      const body = `{"note" : "é\\u0000 ${name}",  "externalId":"none"}`
      const answer = await call(proxy.https, 'POST', path, { headers: { 'content-type': 'application/json' }, body })
      expect([200, 401, 403]).toContain(answer.status)
      const [stored] = await service.testApp.db<{ body: string; address: string }[]>`
        select body, address from callbacks order by id desc limit 1`
      expect(stored).toEqual({ body, address: CLIENT })
      expect((await call(proxy.https, 'POST', `${path}/${secret}?${secret}`, { body: 'x' })).status).toBe(404)
      if (proxy.log !== null) {
        const log = proxy.log
        await eventually(
          'the line of the log',
          async () => readFileSync(log, 'utf8').includes('/api/callbacks/...') || undefined,
        )
        expect(readFileSync(log, 'utf8')).not.toContain(secret)
      }
      const large = Buffer.alloc(70_000, 'x')
      const refused = await call(proxy.https, 'POST', path, { headers: { 'content-type': 'text/plain' }, body: large })
      expect(refused.status).toBe(413)
      expect(refused.text).toContain('detail')
    })

    it('lets large documents through, and leaves other limits to the service', async () => {
      const body = JSON.stringify({ phonenumber: 'x'.repeat(1_500_000) })
      const refused = await call(proxy.https, 'POST', '/api/collectionrequests', { headers: json(), body })
      expect(refused.status).toBe(413)
      expect(refused.text).toContain('detail')
    })

    it('keeps the metrics and the probes inside', async () => {
      for (const path of ['/metrics', '/healthz', '/readyz']) {
        expect(await call(proxy.https, 'GET', path), path).toMatchObject({ status: 404 })
        expect((await fetch(service.url + path)).status, path).toBe(200)
      }
    })

    it.skipIf(name === 'caddy')('refuses keys without encryption, and leads browsers on', async () => {
      const headers = json()
      expect(await call(proxy.http, 'GET', '/api/currencies', { headers, plain: true })).toMatchObject({ status: 403 })
      const led = await call(proxy.http, 'GET', '/console/', { plain: true })
      expect(led).toMatchObject({ status: 301, headers: { location: 'https://localhost/console/' } })
    })
  })
}
