import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { hashKey } from '../../src/core/access/api-keys.ts'
import { cellMark } from '../../src/lib/text/cells.ts'
import { findFreePort } from '../cli/program-runner.ts'
import { openCell } from '../interface/test-cell.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'
import { because, DEPLOY, findProgram, ROOT } from './programs.ts'

/* The examples for two cells. HAProxy and nginx run as they are, with other ports and certificates, before two real services. */

const read = (path: string) => readFileSync(join(DEPLOY, 'cells', path), 'utf8')
const fixture = (name: string) => join(ROOT, 'test/fixtures', name)

/** Key without the mark of a cell, as those that were made in cell 0. */
const MOVED_KEY = 'ksy_of-an-organization-that-has-moved'
const CHOSEN_KEY = 'a-key-that-somebody-chose'
const MOVED_DIGEST = hashKey(MOVED_KEY).toString('hex').toUpperCase()

/** A part of a YAML file; the tests read its fields. */
// biome-ignore lint/suspicious/noExplicitAny: each file has its own shape, and a wrong field fails a test.
type Yaml = any

/** Replace each text, which must be there, so that a change of the example is noticed. */
function replaceAll(text: string, changes: Record<string, string>): string {
  for (const [from, to] of Object.entries(changes)) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  return text
}

/** The addresses of the two places of each cell: one service is in both. */
type Hosts = readonly string[]

async function startHaproxy(program: string, folder: string, https: number, hosts: Hosts): Promise<ChildProcess> {
  cpSync(join(DEPLOY, 'cells/maps'), join(folder, 'maps'), { recursive: true })
  writeFileSync(join(folder, 'maps/paths.map'), '/api/callbacks/old-address cell1\n')
  writeFileSync(join(folder, 'maps/keys.map'), `${CHOSEN_KEY} cell1\n`)
  writeFileSync(join(folder, 'maps/moved-keys.map'), `${MOVED_DIGEST} cell1\n`)
  const certificate = readFileSync(fixture('localhost-cert.pem'), 'utf8')
  writeFileSync(join(folder, 'both.pem'), certificate + readFileSync(fixture('localhost-key.pem'), 'utf8'))
  const file = replaceAll(read('haproxy.cfg'), {
    'bind :80\n': `bind 127.0.0.1:${await findFreePort()}\n`,
    'bind :443 ': `bind 127.0.0.1:${https} `,
    '/etc/haproxy/pay.example.com.pem': join(folder, 'both.pem'),
    '/etc/haproxy/cells/': join(folder, 'maps/'),
  })
  writeFileSync(join(folder, 'haproxy.cfg'), file)
  const servers = hosts.flatMap((host, cell) => [1, 2].map((number) => [`CELL${cell}_SERVICE${number}`, host]))
  const env = { PATH: process.env.PATH, ...Object.fromEntries(servers) }
  return spawn(program, ['-db', '-f', join(folder, 'haproxy.cfg')], { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

async function startNginx(program: string, folder: string, https: number, hosts: Hosts): Promise<ChildProcess> {
  cpSync(join(DEPLOY, 'cells/nginx'), folder, { recursive: true })
  writeFileSync(join(folder, 'maps/paths.map'), '"~^/api/callbacks/old-address" cell1;\n')
  writeFileSync(join(folder, 'maps/keys.map'), `"~^${CHOSEN_KEY}$" cell1;\n`)
  writeFileSync(join(folder, 'maps/moved-keys.map'), `${MOVED_DIGEST} cell1;\n`)
  const site = replaceAll(read('nginx/kusanya.conf'), {
    'listen 80;': `listen 127.0.0.1:${await findFreePort()};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
    '/etc/letsencrypt/live/pay.example.com/fullchain.pem': fixture('localhost-cert.pem'),
    '/etc/letsencrypt/live/pay.example.com/privkey.pem': fixture('localhost-key.pem'),
    '/var/log/nginx/kusanya.log': join(folder, 'access.log'),
    '/etc/nginx/cells/': `${folder}/`,
    '10.20.0.11:3000': hosts[0]!,
    '10.20.0.12:3000': hosts[0]!,
    '10.20.1.11:3000': hosts[1]!,
    '10.20.1.12:3000': hosts[1]!,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const main = [
    `load_module ${moduleOf(program)};`,
    process.getuid?.() === 0 ? 'user root;' : '',
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; events {} http { ${temporary.join(' ')} ${site} }`,
  ]
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
  const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** The module of nginx for JavaScript, where Debian has it. */
function moduleOf(program: string): string {
  return join(dirname(program), '../lib/nginx/modules/ngx_http_js_module.so')
}

const balancers = [
  { name: 'HAProxy', program: findProgram('haproxy'), needs: 'haproxy', start: startHaproxy },
  { name: 'nginx', program: findProgram('nginx'), needs: 'nginx or libnginx-mod-http-js', start: startNginx },
]

for (const { name, program, needs, start } of balancers) {
  const is_there = program !== null && (name !== 'nginx' || existsSync(moduleOf(program)))
  const reason = !is_there && `the Debian package ${needs} is not installed`

  describe.skipIf(reason)(`the example of ${name} for cells${because(reason)}`, () => {
    let folder: string
    let balancer: ChildProcess
    let https: number
    const cells: TestService[] = []

    beforeAll(async () => {
      cells.push(await openTestService(), await openCell(1))
      folder = mkdtempSync(join(tmpdir(), 'kusanya-cells-'))
      https = await findFreePort()
      balancer = await start(
        program!,
        folder,
        https,
        cells.map(({ url }) => new URL(url).host),
      )
      let errors = ''
      balancer.stderr!.setEncoding('utf8').on('data', (text: string) => {
        errors += text
      })
      await eventually(`${name} to answer`, () => {
        if (balancer.exitCode !== null) throw new Error(`It ended: ${errors}`)
        return call('/docs').catch(() => undefined)
      })
    })
    afterAll(async () => {
      // nginx ends its workers at once; HAProxy would wait for open connections.
      balancer?.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL')
      for (const cell of cells) await cell.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Send a call to the common address. Gives the status, the body, and the cell that answered. */
    function call(path: string, headers: Record<string, string> = {}, body?: object) {
      return new Promise<{ status: number; body: Yaml; cookie: string }>((resolve, reject) => {
        const sent = request({
          host: '127.0.0.1',
          port: https,
          path,
          servername: 'localhost',
          agent: false,
          method: body ? 'POST' : 'GET',
          ca: readFileSync(fixture('localhost-cert.pem')),
          headers: { host: 'pay.example.com', ...(body && { 'content-type': 'application/json' }), ...headers },
        })
        sent.on('error', reject).on('response', async (response) => {
          let text = ''
          for await (const part of response) text += part
          const is_json = response.headers['content-type']?.startsWith('application/json')
          const cookie = String(response.headers['set-cookie'] ?? '')
          resolve({ status: response.statusCode!, body: is_json ? JSON.parse(text) : text, cookie })
        })
        sent.end(body && JSON.stringify(body))
      })
    }
    const token = (key: string) => ({ authorization: `Token ${key}` })

    it('leads each key to its cell, in every header that carries one', async () => {
      for (const [cell, service] of cells.entries()) {
        const key = await service.newKey()
        const made = await call('/api/collectionrequests', token(key), {
          phonenumber: '+80000000003',
          amount: '1500',
          currency: 'BXC',
        })
        expect(made.status).toBe(201)
        expect(Math.floor(made.body.id / 10 ** 13)).toBe(cell)
        expect((await call(`/api/collectionrequests/${made.body.id}`, { authorization: `bearer ${key}` })).status).toBe(
          200,
        )
        for (const [name, text] of [
          ['x-api-key', key],
          ['authorization', key],
          ['authorization', `Api-key ${key}`],
        ] as const)
          expect((await call('/api/gateway/services/airtime/providers', { [name]: text })).status).toBe(200)
      }
    })

    it('leads pages and callbacks by their path', async () => {
      for (const [cell, service] of cells.entries()) {
        const mark = cellMark(cell)
        const link = { title: 'Fees', currency: 'BXC', amount: '1500' }
        const made = await call('/api/paymentlinks', token(await service.newKey()), link)
        expect((await call(new URL(made.body.url).pathname)).status).toBe(200)
        expect((await call(`/i/${mark}${'x'.repeat(24)}`)).status).toBe(302)
        for (const path of [`/pay/receipts/${mark}${'x'.repeat(24)}`, `/api/callbacks/${mark}sandbox/wrong`])
          expect((await call(path, {}, path.startsWith('/api') ? {} : undefined)).status, path).toBe(404)
      }
      expect(await call('/api/callbacks/7.sandbox', {}, {})).toMatchObject({
        status: 421,
        body: { detail: 'There is no cell7 here.' },
      })
    })

    it('leads browsers by the address that they ask for, then by their cookie', async () => {
      expect((await call('/console/link?cell=1')).cookie).toContain('kusanya_cell=1')
      expect((await call('/console/?cell=1', { cookie: 'kusanya_cell=0' })).cookie).toContain('kusanya_cell=1')
      expect((await call('/console/?cell=0', { cookie: 'a=b; kusanya_cell=1' })).cookie).toContain('kusanya_cell=0')
      const look = { token: '1.unknown' }
      const headers = { 'x-requested-with': 'console' }
      const led = await call('/console/api/links/look', { ...headers, cookie: 'a=b; kusanya_cell=1' }, look)
      expect(led.status).toBe(404)
      expect(await call('/console/api/links/look', headers, look)).toMatchObject({ status: 421, body: { cell: 1 } })
    })

    it('leads keys and pages of organizations that have moved to their new cell', async () => {
      await cells[1]!.newKey({ key: MOVED_KEY })
      expect((await call('/api/accounts', token(MOVED_KEY))).status).toBe(200)
      const page = `/pay/${'x'.repeat(24)}`
      expect((await call(page)).status).toBe(404)
      expect((await call(`${page}?cell=1`)).status).toBe(421)
    })

    it('asks the maps last: hosts, paths and keys that belong elsewhere', async () => {
      const key = await cells[1]!.newKey()
      expect((await call('/api/accounts', { ...token(key), host: 'cell1.pay.example.com' })).status).toBe(200)
      expect(await call('/api/accounts', { ...token(key), host: 'Cell0.pay.example.com:443' })).toMatchObject({
        status: 421,
        body: { detail: 'This key belongs to cell 1.' },
      })
      expect(await call('/api/callbacks/old-address', {}, {})).toMatchObject({ status: 421, body: { cell: 0 } })
      await cells[1]!.newKey({ key: CHOSEN_KEY })
      expect((await call('/api/accounts', token(CHOSEN_KEY))).status).toBe(200)
    })

    it('keeps probes, metrics and the directory of the cells inside', async () => {
      for (const path of ['/metrics', '/healthz', '/readyz', '/console/api/cells/directory'])
        expect((await call(path)).status, path).toBe(404)
    })
  })
}

describe('the other examples for cells', () => {
  const compose: Yaml = parse(read('compose.yaml'), { merge: true })
  const routes: Yaml[] = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })

  it('give each container settings that the program accepts, and a cell of its own', () => {
    const secret = 'x'.repeat(32)
    for (const cell of [0, 1]) {
      const { environment, secrets } = compose.services[`cell${cell}`]
      const values = Object.entries<string>(environment).filter(([name]) => !name.endsWith('_FILE'))
      const given = { ...Object.fromEntries(values), MODE: 'live', PUBLIC_URL: 'https://pay.example.com' }
      const config = readConfig({ ...given, SECRET_KEY: secret, CELLS_SECRET: secret })
      expect(config.CELL).toBe(cell)
      expect(new URL(config.CELLS[cell]!).host).toBe(`cell${cell}:3000`)
      for (const one of [...secrets, ...compose.services[`cell${cell}-migrate`].secrets])
        expect(compose.secrets, JSON.stringify(one)).toHaveProperty(one.source ?? one)
      expect(compose.services[`cell${cell}-postgres`].networks).toEqual({
        [`database${cell}`]: { aliases: ['postgres'] },
      })
      expect(compose.services.haproxy.environment[`CELL${cell}_SERVICE1`]).toBe(
        `${compose.services[`cell${cell}`].networks.outside.ipv4_address}:3000`,
      )
    }
    expect(compose.services.haproxy.networks.outside.ipv4_address).toBe(compose.services.cell0.environment.TRUST_PROXY)
  })

  it('name only services, networks, volumes, secrets and files that are there', () => {
    const named = { networks: new Set(), volumes: new Set(), secrets: new Set(), services: new Set() }
    for (const service of Object.values<Yaml>(compose.services)) {
      const { networks = [], volumes = [], secrets = [], depends_on = {} } = service
      for (const name of Array.isArray(networks) ? networks : Object.keys(networks)) named.networks.add(name)
      for (const secret of secrets) named.secrets.add(secret.source ?? secret)
      for (const name of Object.keys(depends_on)) named.services.add(name)
      for (const [source] of volumes.map((volume: string) => volume.split(':')))
        if (source.startsWith('.')) {
          // Secrets are made by the operator.
          if (!source.startsWith('./secrets/')) expect(existsSync(join(DEPLOY, 'cells', source)), source).toBe(true)
        } else named.volumes.add(source)
    }
    for (const kind of ['networks', 'volumes', 'secrets'] as const)
      expect([kind, [...named[kind]].sort()]).toEqual([kind, Object.keys(compose[kind]).sort()])
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining([...named.services]))
  })

  it('route what names cell 1 to it, and nothing else', () => {
    const { matches } = routes.find(({ metadata }) => metadata.name === 'cell1')!.spec.rules[0]
    const header = (name: string, value: string) =>
      matches.some((match: Yaml) =>
        match.headers?.some((one: Yaml) => one.name === name && new RegExp(`^${one.value}$`).test(value)),
      )
    const path = (value: string) =>
      matches.some(
        (match: Yaml) => match.path.type === 'RegularExpression' && new RegExp(`^${match.path.value}$`).test(value),
      )
    for (const key of ['Token ksy_1.abc', 'ksy_1.abc', 'Baxi 1.shop:signature'])
      expect(header('Authorization', key), key).toBe(true)
    for (const key of ['Token ksy_abc', 'Token ksy_11.abc', 'Token ksy_2.1.abc', 'Baxi shop:1.x'])
      expect(header('Authorization', key), key).toBe(false)
    expect([header('x-api-key', 'ksy_1.abc'), header('x-api-key', 'ksy_1abc')]).toEqual([true, false])
    expect(
      ['kusanya_cell=1', 'a=b; kusanya_cell=1; c=d', 'kusanya_cell=11', 'a=kusanya_cell=1'].map((text) =>
        header('Cookie', text),
      ),
    ).toEqual([true, true, false, false])
    expect(
      ['/pay/1.abc', '/pay/receipts/1.abc.pdf', '/r/1.abc', '/i/1.abc', '/api/callbacks/1.mtn/s/r'].every(path),
    ).toBe(true)
    expect(
      [
        '/pay/abc',
        '/pay/abc/1.x',
        '/r/abc',
        '/r/11.abc',
        '/pay/11.abc',
        '/api/callbacks/mtn/1.x',
        '/api/webhooks/1.x',
      ].some(path),
    ).toBe(false)
  })

  it('put each route beside its cell, behind one gateway', () => {
    const [gateway, ...others] = routes
    for (const { spec } of others) {
      expect(spec.parentRefs).toEqual([{ name: gateway.metadata.name, namespace: gateway.metadata.namespace }])
      expect(spec.hostnames).toEqual([gateway.spec.listeners[0].hostname])
      expect(spec.rules[0].backendRefs).toEqual([{ name: 'kusanya', port: 80 }])
    }
  })
})
