import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'

/*
 * Packs the client, installs the tarball in an empty folder, and uses it there as a program of somebody else does.
 */

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'kusanya-client-'))
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NODE_OPTIONS: '',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
}
let service: TestService
let ticking: NodeJS.Timeout
let packed: string[]

/** A program that uses all parts of the client. It prints what came of it as JSON. */
const PROGRAM = `
import { Kusanya, KusanyaError, verifyWebhook } from '@kusanya/client'

const [url, key] = process.argv.slice(2)
const kusanya = new Kusanya({ url, key })
const created = await kusanya.collectionRequests.create({
  phonenumber: '+80000000003', amount: '1500', currency: 'BXC', send_instructions: true,
})
const request = await kusanya.collectionRequests.wait(created.id)
let event
for await (event of kusanya.events.stream({ since: 1, types: ['collection.received'] }))
  if (event.data.collection_request?.id === created.id) break
const error = await kusanya.payments.get(999999999).catch((thrown) => thrown)

const secret = 'whsec_' + btoa('a secret of thirty-two characters')
const body = JSON.stringify({ hook: { event: 'contact.created' }, data: { id: 7 } })
const timestamp = String(Math.floor(Date.now() / 1000))
const signingKey = await crypto.subtle.importKey(
  'raw', new TextEncoder().encode(atob(secret.slice(6))), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'],
)
const bytes = await crypto.subtle.sign('HMAC', signingKey, new TextEncoder().encode('msg_1.' + timestamp + '.' + body))
const signature = 'v1,' + btoa(String.fromCharCode(...new Uint8Array(bytes)))
const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
const notification = await verifyWebhook(body, headers, secret)
const forged = await verifyWebhook(body + ' ', headers, secret).catch((thrown) => thrown.name)
console.log(JSON.stringify({
  status: request.status, event: event.data.collection_request.id === created.id,
  error: error instanceof KusanyaError && error.status, notification: notification.data.id, forged,
}))
process.exit(0)
`
const PRINTED = { status: 'successful', event: true, error: 404, notification: 7, forged: 'WebhookVerificationError' }

/** Types that a program relies on, and lines that must be mistakes. */
const TYPED_PROGRAM = `
import { type CollectionRequest, Kusanya, type Notification } from '@kusanya/client'

const kusanya = new Kusanya({ url: 'https://pay.example.com', key: 'k' })
export const request: Promise<CollectionRequest> = kusanya.collectionRequests.get(1)
export const balance = async (): Promise<string | undefined> => (await kusanya.accounts.list().first())?.balance
export function amountOf(notification: Notification): string | undefined {
  return notification.type === 'collection.received' ? notification.data.amount : undefined
}
// @ts-expect-error: amounts are never floats
kusanya.collectionRequests.create({ phonenumber: '+80000000003', amount: 0.1, currency: 'BXC' })
// @ts-expect-error: there is no such filter
kusanya.payments.list({ colour: 'blue' })
// @ts-expect-error: a purchase has a reference
kusanya.bills.buyAirtime({ phone: '08012345678', amount: '100', service_type: 'mtn', plan: 'prepaid' })
`

beforeAll(async () => {
  service = await openTestService()
  ticking = setInterval(() => service.advance(1), 250)
  const to = ['pack', '--pack-destination', folder, '--json', '-w', 'packages/client']
  const { stdout } = await run('npm', to, { cwd: ROOT, env })
  packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0].files.map(({ path }: { path: string }) => path)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  await run('npm', ['install', `./${tarball}`, '--no-audit', '--no-fund'], { cwd: folder, env })
  writeFileSync(join(folder, 'program.js'), PROGRAM)
})
afterAll(async () => {
  clearInterval(ticking)
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const runProgram = async (program: string, ...args: string[]) => {
  const { stdout } = await run(program, [...args, 'program.js', service.url, service.key], { cwd: folder, env })
  return JSON.parse(stdout)
}
const isInstalled = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('the packed client', () => {
  it('has what it needs and nothing else', () => {
    const others = packed.filter((path) => !/^dist\/[a-z]+\.(js|d\.ts)$/.test(path))
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/@kusanya/client/package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
  })

  it('runs with Node', async () => {
    expect(await runProgram(process.execPath)).toEqual(PRINTED)
  })

  for (const [name, ...args] of [
    ['bun', 'run'],
    ['deno', 'run', '--allow-net', '--no-prompt'],
  ] as const) {
    const is_there = isInstalled(name)
    it.skipIf(!is_there)(
      is_there ? `runs with ${name}` : `runs with ${name}: skipped, it is not installed`,
      async () => {
        expect(await runProgram(name, ...args)).toEqual(PRINTED)
      },
    )
  }

  it('has types for programs with the usual settings', async () => {
    writeFileSync(join(folder, 'typed.ts'), TYPED_PROGRAM)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    for (const resolution of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const [module, moduleResolution] = resolution as [string, string]
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--module', module]
      await run(process.execPath, [tsc, ...options, '--moduleResolution', moduleResolution, 'typed.ts'], {
        cwd: folder,
      })
    }
  })
})
