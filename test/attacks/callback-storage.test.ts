import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { printFigure } from './figures.ts'
import { findReceiver, paymentReport, runEach, sendCallback, signatureOf } from './signed-callbacks.ts'

/*
 * Strangers send large and many callbacks without a signature, to fill the disk. The network of the sandbox goes on to
 * report payments meanwhile.
 */

let service: TestService
let receiver: string

beforeAll(async () => {
  service = await openTestService({ jobs: false })
  receiver = await findReceiver(service)
  // The tables have their first pages before anything is measured.
  await sendCallback(service, '{}')
})
afterAll(() => service.close())

const MB = 1_048_576

async function databaseBytes(): Promise<number> {
  const [row] = await service.testApp.db<{ size: number }[]>`select pg_database_size(current_database()) as size`
  return row!.size
}

const countStored = async () => {
  const [row] = await service.testApp.db<{ count: number }[]>`select count(*) from callbacks where not verified`
  return row!.count
}

/** Text that PostgreSQL cannot compress much. */
function noise(bytes: number): string {
  let text = ''
  while (text.length < bytes) text += Math.random().toString(36).slice(2)
  return text.slice(0, bytes)
}

it('300 unsigned callbacks of 667 kB, and 300 of the largest size that is accepted, leave little', async () => {
  const before = await databaseBytes()
  const huge = noise(683_000)
  const too_large = await runEach(300, 10, () => sendCallback(service, huge))
  expect(too_large.filter((status) => status >= 200 && status < 300)).toEqual([])
  const body = noise(65_536)
  const accepted = await runEach(300, 10, () => sendCallback(service, body))
  expect(new Set(accepted)).toEqual(new Set([200]))
  const growth = (await databaseBytes()) - before
  printFigure(
    'callback-storage',
    `${Math.round((300 * 683_000 + 300 * 65_536) / MB)} MB sent, the database grew by ${(growth / MB).toFixed(1)} MB`,
  )
  expect(growth).toBeLessThan(4 * MB)
})

it('a flood of small ones is refused at the budget of the hour, and the network is not', async () => {
  const { UNVERIFIED_CALLBACKS_PER_SENDER: budget } = service.testApp.app.config
  const forged = paymentReport('FORGED', receiver)
  const signed: Promise<number>[] = []
  const statuses = await runEach(budget + 300, 50, (index) => {
    if (index % 50 === 0) {
      const body = paymentReport(`GENUINE${index}`, receiver)
      signed.push(sendCallback(service, body, signatureOf(service, body)))
    }
    return sendCallback(service, forged, { 'x-sandbox-signature': 'guess' })
  })
  const refused = statuses.filter((status) => status === 429).length
  const genuine = await Promise.all(signed)
  printFigure(
    'callback-storage',
    `${statuses.length} forged callbacks: ${refused} refused, ${await countStored()} stored; ${genuine.length} signed ones among them, all accepted`,
  )
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(await countStored()).toBeLessThanOrEqual(budget)
  expect(new Set(genuine)).toEqual(new Set([200]))
  const credited = await service.testApp.db`select 1 from collections where remote_transaction_id like 'GENUINE%'`
  expect(credited).toHaveLength(genuine.length)
  expect(await service.testApp.db`select 1 from collections where remote_transaction_id = 'FORGED'`).toHaveLength(0)
})
