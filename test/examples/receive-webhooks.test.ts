import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOutgoing } from '../../src/lib/outgoing.ts'
import { signatureHeaders, signingKey } from '../../src/lib/standard-webhooks.ts'
import { eventually } from '../house.ts'

const FILE = join(import.meta.dirname, '../../examples/receive-webhooks.ts')
const FIXTURES = join(import.meta.dirname, '../fixtures')
const BODY = JSON.stringify({ hook: { id: 1, event: 'collection.received' }, data: { id: 7, amount: '1500.0000' } })
const secret = () => `whsec_${randomBytes(32).toString('base64')}`

let stop = () => {}
let lines: string[]
let send: (key: string, id: string, at?: Date) => Promise<number | null>
const [old, fresh] = [secret(), secret()]
const TLS = { TLS_KEY: join(FIXTURES, 'localhost-key.pem'), TLS_CERT: join(FIXTURES, 'localhost-cert.pem') }

async function start(scheme: 'http' | 'https', settings: Record<string, string> = {}): Promise<void> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const environment = { ...process.env, ...settings, PORT: String(port), WEBHOOK_SECRET: `${old} ${fresh}` }
  const child = spawn('node', [FILE], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const outgoing = createOutgoing({ allows: () => true, timeout_ms: 5_000, plain_http: true })
  const mine: string[] = []
  lines = mine
  child.stdout.on('data', (chunk) => mine.push(...String(chunk).trim().split('\n')))
  stop = () => {
    child.kill()
    outgoing.close()
  }
  send = async (key, id, at = new Date()) => {
    const headers = signatureHeaders([signingKey(key)], id, at, BODY)
    return (await outgoing.post(new URL(`${scheme}://localhost:${port}/`), headers, BODY, false)).status
  }
  await said('Waiting')
}

beforeEach(() => start('http'))
afterEach(() => stop())

const said = (words: string) => eventually(words, async () => lines.find((line) => line.includes(words)))

describe('the example receiver', () => {
  it('takes what is genuine, under either secret', async () => {
    expect(await send(old, 'msg_1')).toBe(200)
    expect(await send(fresh, 'msg_2')).toBe(200)
    await said('collection.received: 7 1500.0000')
  })

  it('shrugs at what it has heard before', async () => {
    await send(old, 'msg_1')
    expect(await send(old, 'msg_1')).toBe(200)
    await said('Heard again of msg_1')
    expect(lines.filter((line) => line.startsWith('collection.received'))).toHaveLength(1)
  })

  it('speaks TLS when it is given a certificate', async () => {
    stop()
    await start('https', TLS)
    expect(await send(old, 'msg_1')).toBe(200)
  })

  it('turns away what is forged or old', async () => {
    expect(await send(secret(), 'msg_1')).toBe(401)
    expect(await send(old, 'msg_1', new Date(Date.now() - 10 * 60_000))).toBe(401)
    expect(lines.filter((line) => line.startsWith('collection.received'))).toEqual([])
  })
})
