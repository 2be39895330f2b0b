import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../src/lib/http/outgoing-http.ts'
import { signatureHeaders, signingKey } from '../../src/lib/http/standard-webhooks.ts'
import { eventually } from '../test-app.ts'

const FILE = join(import.meta.dirname, '../../examples/receive-webhooks.ts')
const FIXTURES = join(import.meta.dirname, '../fixtures')
const BODY = JSON.stringify({ hook: { id: 1, event: 'collection.received' }, data: { id: 7, amount: '1500.0000' } })
const secret = () => `whsec_${randomBytes(32).toString('base64')}`

let stop = () => {}
let lines: string[]
let send: (key: string, id: string, at?: Date) => Promise<number | null>
const [old_secret, new_secret] = [secret(), secret()]
const TLS = { TLS_KEY: join(FIXTURES, 'localhost-key.pem'), TLS_CERT: join(FIXTURES, 'localhost-cert.pem') }

async function start(scheme: 'http' | 'https', settings: Record<string, string> = {}): Promise<void> {
  const { child, port } = await runExample({
    ...process.env,
    ...settings,
    WEBHOOK_SECRET: `${old_secret} ${new_secret}`,
  })
  const outgoing = createHttpClient({ allowsAddress: () => true, timeout_ms: 25_000, allow_plain_http: true })
  stop = () => {
    child.kill()
    outgoing.close()
  }
  send = async (key, id, at = new Date()) => {
    const headers = signatureHeaders([signingKey(key)], id, at, BODY)
    return (await outgoing.post(new URL(`${scheme}://localhost:${port}/`), headers, BODY, false)).status
  }
}

/** Start the example on a random port, and try another port if it is in use. */
async function runExample(environment: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; port: number }> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const env = { ...environment, PORT: String(port) }
  const child = spawn('node', [FILE], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  lines = output
  createInterface(child.stdout).on('line', (line) => output.push(line))
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part
  })
  const is_port_taken = await eventually('the example to wait for notifications', async () => {
    if (output.some((line) => line.includes('Waiting'))) return false
    return errors.includes('EADDRINUSE') || undefined
  })
  return is_port_taken ? runExample(environment) : { child, port }
}

beforeEach(() => start('http'))
afterEach(() => stop())

const printed = (text: string) => eventually(text, async () => lines.find((line) => line.includes(text)))

describe('the example receiver', () => {
  it('accepts a valid signature of either secret', async () => {
    expect(await send(old_secret, 'msg_1')).toBe(200)
    expect(await send(new_secret, 'msg_2')).toBe(200)
    await printed('collection.received: 7 1500.0000')
  })

  it('ignores a repeated notification', async () => {
    await send(old_secret, 'msg_1')
    expect(await send(old_secret, 'msg_1')).toBe(200)
    await printed('Received msg_1 again')
    expect(lines.filter((line) => line.startsWith('collection.received'))).toHaveLength(1)
  })

  it('uses TLS with a certificate', async () => {
    stop()
    await start('https', TLS)
    expect(await send(old_secret, 'msg_1')).toBe(200)
  })

  it('refuses forged and old notifications', async () => {
    expect(await send(secret(), 'msg_1')).toBe(401)
    expect(await send(old_secret, 'msg_1', new Date(Date.now() - 10 * 60_000))).toBe(401)
    expect(lines.filter((line) => line.startsWith('collection.received'))).toEqual([])
  })
})
