import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeCallbacks } from '../../src/core/connections/callbacks.ts'
import { begin } from '../../src/db/client.ts'
import { processCallbacks } from '../../src/jobs/process-callbacks.ts'
import { startLoop } from '../../src/lib/loop.ts'
import type { TransactionLookup } from '../../src/networks/contract.ts'
import { fakeConnection, storeConnection } from '../connections/fake-connection.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'

/*
 * A network reports and then does not answer the questions about what it has reported.
 */

const REPORTS = 400

let testApp: TestApp
let asked = 0
let answerAll: (answer: TransactionLookup) => void
const silence = new Promise<TransactionLookup>((resolve) => {
  answerAll = resolve
})

beforeAll(async () => {
  const network = (code: string, transaction: () => Promise<TransactionLookup>) =>
    fakeConnection({
      code,
      name: code,
      limits: { decimals: 0, min: 1n, max: 10n ** 12n },
      transaction,
      readCallback: () => ({ subject: 'unrecognized', message: 'never read again' }),
    })
  const silent = network('silent', () => {
    asked += 1
    return silence
  })
  const other = network('other', async () => ({ outcome: 'not_found' }))
  testApp = await buildTestApp({ overrides: { connections: [silent, other] } })
  for (const { slug } of [silent, other]) await storeConnection(testApp.db, slug)
})
afterAll(() => testApp.close())

it('a network that does not answer delays the callbacks of no other', async () => {
  const { app, db, clock } = testApp
  const report = (connection: string, reference: string) => ({
    network: connection,
    connection,
    headers: {},
    body: '',
    verified: false,
    note: null,
    state: 'waiting' as const,
    subject: 'transaction' as const,
    reference,
  })
  const store = (connection: string, count: number) =>
    begin(db, (tx) =>
      storeCallbacks(
        tx,
        clock.now(),
        Array.from({ length: count }, (_, index) => report(connection, `${connection} ${index}`)),
      ),
    )
  await store('silent', REPORTS)
  const loop = startLoop(processCallbacks(app), {
    now: clock.now,
    onError: (_, error) => expect(error).toBeUndefined(),
  })
  await eventually('the silent network to be asked', async () => asked > 0 || undefined)
  await store('other', 3)
  loop.wake()
  const ended = async (connection: string) =>
    (await db`select 1 from callbacks where connection = ${connection} and state = 'ignored'`).length
  await eventually('the callbacks of the other network', async () => (await ended('other')) === 3 || undefined)
  // It is asked about a few of them at a time.
  expect(asked).toBeLessThan(REPORTS / 2)
  expect(await ended('silent')).toBe(0)
  answerAll({ outcome: 'not_found' })
  await eventually('its own callbacks', async () => (await ended('silent')) === REPORTS || undefined)
  await loop.stop()
})
