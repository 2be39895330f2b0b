import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { pino } from 'pino'
import { createWrite } from '../src/api/batched-calls.ts'
import { type App, buildApp } from '../src/app.ts'
import { keepYoung } from '../src/cli/service/garbage-collection.ts'
import { readConfig } from '../src/config.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../src/core/collections/requests.ts'
import { newCollectionRequestBody, planRequest } from '../src/core/collections/new-request.ts'
import { begin } from '../src/db/client.ts'
import { networkFor } from '../src/networks/index.ts'
import { createRecorder } from './recorder.ts'
import { newRequestBody } from './requests.ts'
import { CURRENCY, dealOut, type Shop } from './shops.ts'

/** Where creates go, and for whom. */
export interface Place {
  settings: Record<string, string>
  shops: Shop[]
}

/** One round of creates. */
export interface Round {
  callers: number
  warmup_s: number
  seconds: number
}

/**
 * Creates without HTTP: the write that the API's handler calls, in the same batches on as many connections, by as many
 * callers who each want the next as soon as they have the last. What they want was validated and planned beforehand.
 */
process.once('message', async ({ settings, shops }: Place) => {
  keepYoung()
  const app = await buildApp(readConfig(settings), pino({ level: 'silent' }))
  const planned = planAll(app, shops)
  const create = createWrite(app, (items: NewCollectionRequest[]) =>
    begin(app.db, (tx) => createCollectionRequests(tx, app.clock.now(), items)),
  )
  let drawn = 0
  const createOne = async () => {
    drawn += 1
    await create(planned[drawn % planned.length]!)
    app.wake()
  }
  process.on('message', async (round: Round) => process.send!(await run(round, createOne)))
  process.send!('ready')
  await once(process, 'SIGTERM')
  await app.close()
  process.disconnect()
})

async function run({ callers, warmup_s, seconds }: Round, createOne: () => Promise<void>) {
  const from = performance.now() + warmup_s * 1_000
  const to = from + seconds * 1_000
  const recorder = createRecorder({ from, to, by_due: false }, CREATED)
  const call = async () => {
    while (performance.now() < to) {
      const since = performance.now()
      const status = await createOne().then(
        () => String(CREATED),
        () => 'refused',
      )
      recorder.note(status, since)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return recorder.read()
}

/** They are counted as the API would answer them. */
const CREATED = 201

function planAll(app: App, shops: readonly Shop[]): NewCollectionRequest[] {
  const schema = newCollectionRequestBody([CURRENCY])
  return dealOut(shops).map((customer) => {
    const body = schema.parse(newRequestBody(customer))
    const network = networkFor(app.networks, body.phonenumber.number, body.currency)
    const { organization, author } = customer.shop
    return planRequest(body, { now: app.clock.now(), organization, author, network })
  })
}
