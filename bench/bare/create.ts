import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { pino } from 'pino'
import { createBatchedWrite } from '../../src/actions/batched-calls.ts'
import { type App, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { findConnection } from '../../src/connections/choose.ts'
import { newCollectionRequestBody, toNewCollectionRequest } from '../../src/core/collections/new-request.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../../src/core/collections/requests.ts'
import { begin } from '../../src/db/client.ts'
import { createRecorder } from '../recorder.ts'
import { newRequestBody } from '../requests.ts'
import { assignCustomers, CURRENCY, type Shop } from '../shops.ts'

/** The service settings and the shops whose requests are created. */
export interface CreateTarget {
  settings: Record<string, string>
  shops: Shop[]
}

/** Round of the measurement. */
export interface RoundOptions {
  callers: number
  warmup_s: number
  seconds: number
}

/**
 * Create requests without HTTP. It calls the write of the API's handler, with the same batches, connections and number
 * of callers. Each caller sends its next request after the last answer. Requests are validated and planned beforehand.
 */
process.once('message', async ({ settings, shops }: CreateTarget) => {
  const app = await buildApp(readConfig(settings), pino({ level: 'silent' }))
  const planned = planRequests(app, shops)
  const create = createBatchedWrite(app, (items: NewCollectionRequest[]) =>
    begin(app.db, (tx) => createCollectionRequests(tx, app.clock.now(), items)),
  )
  let count = 0
  const createOne = async () => {
    count += 1
    await create(planned[count % planned.length]!)
    app.wake()
  }
  process.on('message', async (round: RoundOptions) => process.send!(await run(round, createOne)))
  process.send!('ready')
  await once(process, 'SIGTERM')
  await app.close()
  process.disconnect()
})

async function run({ callers, warmup_s, seconds }: RoundOptions, createOne: () => Promise<void>) {
  const from = performance.now() + warmup_s * 1_000
  const to = from + seconds * 1_000
  const recorder = createRecorder({ from, to, counts_by_due_time: false }, CREATED)
  const call = async () => {
    while (performance.now() < to) {
      const since = performance.now()
      const status = await createOne().then(
        () => String(CREATED),
        () => 'refused',
      )
      recorder.recordAnswer(status, since)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return recorder.summarise()
}

/** The status that the API would answer. */
const CREATED = 201

function planRequests(app: App, shops: readonly Shop[]): NewCollectionRequest[] {
  const schema = newCollectionRequestBody([CURRENCY])
  return assignCustomers(shops).map((customer) => {
    const body = schema.parse(newRequestBody(customer))
    const { organization, author } = customer.shop
    const network = findConnection(app.connections.list(), {
      kind: 'charge',
      organization,
      phonenumber: body.phonenumber.number,
      currency: body.currency,
    })
    return toNewCollectionRequest(body, { now: app.clock.now(), organization, author, network })
  })
}
