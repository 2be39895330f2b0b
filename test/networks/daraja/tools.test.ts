import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkOperations } from '../../../src/networks/contract.ts'
import { daraja } from '../../../src/networks/daraja/index.ts'
import { openProcess, stillClock, type TestProcess } from '../../connections/tools/setup.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { openDatabase } from '../../simulator/simulator-test.ts'
import { openDriver, openRecordedNetwork, order, type RecordedNetwork, refusal, settings } from './recorded-network.ts'

/*
 * The driver with the tools that the service gives it: their HTTP client, their tokens and their log.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())

async function withTools(
  test: (network: RecordedNetwork, driver: Bound<NetworkOperations>, process: TestProcess) => Promise<void>,
): Promise<void> {
  const network = await openRecordedNetwork()
  const process = openProcess(database.db, stillClock())
  const tools = process.tools({ slug: `shop-${randomUUID()}`, traits: daraja.traits })
  const { connection } = openDriver(network.url)
  try {
    await test(network, openBound(daraja, connection as never, tools), process)
  } finally {
    await network.close()
  }
}

const taken = {
  body: { ResponseCode: '0', CheckoutRequestID: 'ws_CO_22112026093001123456789', MerchantRequestID: '1' },
}

describe('with the tools of the service', () => {
  it('a hundred prompts at once use one token call, and have the exact headers', async () => {
    await withTools(async (network, driver) => {
      network.answers = [taken]
      const answers = await Promise.all(Array.from({ length: 100 }, () => driver.charge!(order)))
      expect(answers.filter(({ outcome }) => outcome !== 'accepted')).toEqual([])
      expect([network.tokens, network.calls().length]).toEqual([1, 100])
      expect(network.calls()[0]!.headers).toMatchObject({
        authorization: 'Bearer token-1',
        'content-type': 'application/json',
        'content-length': String(network.calls()[0]!.body.length),
      })
    })
  })

  it('a refused token is renewed once', async () => {
    await withTools(async (network, driver) => {
      network.answers = [refusal('404.001.03', 'Invalid Access Token', 404), taken]
      expect(await driver.charge!(order)).toMatchObject({ outcome: 'accepted' })
      expect([network.tokens, network.calls().length]).toEqual([2, 2])
    })
  })

  it('a callback address is read back as it was given out', async () => {
    await withTools(async (network, driver) => {
      network.answers = [taken]
      await driver.charge!(order)
      const { pathname } = new URL(JSON.parse(network.calls()[0]!.body).CallBackURL)
      const path = pathname.slice(pathname.indexOf(`/${order.reference}/`))
      const body = '{"Body":{"stkCallback":{"CheckoutRequestID":"ws_CO_1","ResultCode":1032}}}'
      const callback = { method: 'POST', path, query: '', headers: {}, body, address: null }
      expect(driver.readCallback!(callback)).toMatchObject({
        order: { reference: order.reference, remote_id: 'ws_CO_1' },
        answer: { outcome: 'failed', reason: 'cancelled' },
      })
    })
  })

  it('a wrong key is an alarm, and no secret is in the log', async () => {
    await withTools(async (network, driver, { lines }) => {
      network.token_answer = { status: 400, body: '' }
      expect(await driver.charge!(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
      const text = JSON.stringify(lines)
      expect(text).toContain('consumer_secret')
      for (const secret of [
        settings.consumer_key,
        settings.consumer_secret,
        settings.passkey,
        settings.initiator_password,
      ])
        expect(text).not.toContain(secret)
    })
  })
})
