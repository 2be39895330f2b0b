import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { begin, type Database } from '../../src/db/client.ts'
import { formatAmount, parseAmount } from '../../src/lib/money.ts'
import { defineDoor, readBodiesAsText } from '../../src/simulator/doors/door.ts'
import { createSimulator, type Simulator } from '../../src/simulator/index.ts'
import type { Charge } from '../../src/simulator/world/world.ts'

/** A small network with the habits that the sandbox's own does not have: tokens, callbacks that come once, switches. */
export const toy = defineDoor({
  code: 'toy-net',
  name: 'Toy',
  hosts: { api: '/v1', auth: '/auth' },
  credentials: [{ name: 'key', value: 'toy-key' }],
  numbers: [{ number: '77', effect: 'code T77' }],
  switches: {
    method: { help: 'The verb of callbacks.', choices: ['POST', 'PUT'], default: 'POST' },
    loud: { help: 'Callbacks also report refunds.', default: false },
  },
  remembers: true,
  transactionId: (kind, now) => `${kind}-${now.getTime()}-${Math.random().toString(36).slice(2)}`,
  routes(server, world) {
    readBodiesAsText(server)
    server.post('/auth/token', { config: { verb: 'token' } }, async (request, reply) => {
      if (request.body !== '') return reply.code(400).send('no body, please')
      return { token: await world.issueToken('toy', 60, { ends_earlier: true }) }
    })
    server.post('/v1/charges', { config: { verb: 'charge' } }, async (request, reply) => {
      const owner = await world.ownerOfToken(request.headers.authorization ?? '')
      if (owner === undefined) return reply.code(401).send({ error: 'token' })
      const { key, phone, amount, url } = JSON.parse(request.body as string)
      const placed = await world.placeCharge({
        key,
        reference: `ref-${key}`,
        receiver: '600',
        phonenumber: phone,
        amount: parseAmount(amount)!,
        currency: 'UGX',
        reason: 'Toys',
        callback_url: url,
        details: { colour: 'red' },
        ...(phone.endsWith('77') && { outcome: { ends: 'failed', reason: 'not_allowed', code: 'T77' } }),
      })
      return { outcome: placed.outcome, ...('order' in placed && { state: placed.order.state }) }
    })
  },
  callbacks(change, { switches, memory, forged }) {
    if (change.event.startsWith('payout') && !switches.loud) return []
    const charge = 'charge' in change ? change.charge : null
    const url = charge?.callback_url ?? (memory.url as string | undefined) ?? null
    return [{ url, method: switches.method, headers: { 'x-forged': String(forged) }, body: describe(change, charge) }]
  },
})

function describe(change: { event: string }, charge: Charge | null): string {
  const money = charge && {
    amount: formatAmount(charge.amount),
    reference: charge.reference,
    currency: charge.currency,
  }
  return JSON.stringify({
    event: change.event,
    state: charge?.state,
    failure: charge?.failure,
    ...money,
    ...charge?.details,
  })
}

/** A callback as a listener got it. */
export interface Heard {
  method: string
  path: string
  headers: Record<string, unknown>
  body: Record<string, unknown>
}

/** A business that only listens, and answers callbacks with `answer.status`. */
export async function openListener() {
  const heard: Heard[] = []
  const answer = { status: 200 }
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    heard.push({ method: request.method!, path: request.url!, headers: request.headers, body: JSON.parse(body) })
    response.writeHead(answer.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    heard,
    answer,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A simulator with the toy network on a clock to move. */
export async function openToy(db: Database) {
  const listener = await openListener()
  const errors: unknown[] = []
  let offset_ms = 0
  const start_ms = Date.now()
  const now = () => new Date(start_ms + offset_ms)
  const simulator = createSimulator({
    db,
    now,
    real: now,
    secret: 'a secret of the sandbox',
    callback_url: () => null,
    onError: (_job, error) => errors.push(error),
    doors: [toy],
    controls: {
      advance(seconds) {
        offset_ms += seconds * 1_000
      },
    },
  })
  await begin(db, (tx) => simulator.reset(tx))
  await simulator.listen()
  simulator.start()
  const base = simulator.urlOf('toy-net')
  return {
    simulator,
    world: simulator.world('toy-net'),
    base,
    listener,
    errors,
    /** Move the clock, and wait until nothing is due. */
    async advance(seconds: number) {
      const end_ms = offset_ms + seconds * 1_000
      for (;;) {
        simulator.wake()
        const due = await waitUntilIdle(simulator, now)
        const next_ms = due === null ? end_ms : Math.min(due.getTime() - start_ms, end_ms)
        if (offset_ms === end_ms) return
        offset_ms = Math.max(next_ms, offset_ms)
      }
    },
    async close() {
      await simulator.stop()
      await listener.close()
    },
  }
}

async function waitUntilIdle(simulator: Simulator, now: () => Date): Promise<Date | null> {
  for (;;) {
    const due = await simulator.nextDue()
    if (due === null || due > now()) return due
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
