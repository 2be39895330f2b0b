import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { begin, type Database } from '../../../../src/db/client.ts'
import type { RawCallback } from '../../../../src/drivers/raw-callback.ts'
import { darajaDoor } from '../../../../src/simulator/doors/daraja/index.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator/index.ts'
import { openDriver } from '../../../networks/daraja/recorded-network.ts'

/** The settings that the simulated network documents. */
export const documented = Object.fromEntries(
  darajaDoor.credentials.map(({ name, value }) => [name, value] as const).reverse(),
)

const STARTED = Date.parse('2026-11-22T06:30:00Z')

/** The simulated Daraja on a clock to move, the driver in front of it, and a business that hears the callbacks. */
export async function openDoor(db: Database, settings: object = {}) {
  const heard: RawCallback[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const callback = {
      method: request.method!,
      path: request.url!.slice(BASE.length),
      query: '',
      headers: {},
      body,
      address: '127.0.0.1',
    }
    heard.push(callback)
    const says = state.answer ?? driver.operations.callbackReply(callback)
    response.writeHead(says.status, { 'content-type': says.content_type }).end(says.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`
  const state: { offset_ms: number; answer?: { status: number; content_type: string; body: string } } = { offset_ms: 0 }
  const now = () => new Date(STARTED + state.offset_ms)
  const errors: unknown[] = []
  const onError = (_job: string, error: unknown) => errors.push(error)
  const options = { db, now, real: now, secret: 'a secret of the sandbox', callback_url: () => null, onError }
  const simulator = createSimulator({ ...options, doors: [darajaDoor] })
  await begin(db, (tx) => simulator.reset(tx))
  await simulator.listen()
  simulator.start()
  const url = simulator.hostsOf('daraja').api!
  const driver = openDriver(url, { ...documented, ...settings }, { now, callback_base: base })
  let token: string | undefined
  return {
    simulator,
    ...driver,
    base,
    heard,
    errors,
    state,
    /** Call the network as a client without our driver does. */
    async call(path: string, body?: object | string, authorization?: string) {
      token ??= ((await (await fetch(`${url}${TOKEN_PATH}`, { headers: { authorization: BASIC } })).json()) as Token)
        .access_token
      const response = await fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: authorization ?? `Bearer ${token}` },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? '' : JSON.parse(text) }
    },
    /** Return the driver's reading of the received callbacks. */
    read: () => heard.map((callback) => driver.operations.readCallback(callback)),
    /** Move the clock, and wait until nothing is due. */
    async advance(seconds: number) {
      const end_ms = state.offset_ms + seconds * 1_000
      for (;;) {
        simulator.wake()
        const due = await waitUntilIdle(simulator, now)
        if (state.offset_ms === end_ms) return
        const next_ms = due === null ? end_ms : Math.min(due.getTime() - STARTED, end_ms)
        state.offset_ms = Math.max(next_ms, state.offset_ms)
      }
    },
    async close() {
      await simulator.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type OpenedDoor = Awaited<ReturnType<typeof openDoor>>

interface Token {
  access_token: string
}

const BASE = '/api/callbacks/shop-ke/0123456789abcdef'
const TOKEN_PATH = '/oauth/v1/generate?grant_type=client_credentials'
export const BASIC = `Basic ${Buffer.from(`${documented.consumer_key}:${documented.consumer_secret}`).toString('base64')}`

async function waitUntilIdle(simulator: Simulator, now: () => Date): Promise<Date | null> {
  for (;;) {
    const due = await simulator.nextDue()
    if (due === null || due > now()) return due
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
