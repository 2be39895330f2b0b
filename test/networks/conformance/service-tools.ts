import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createTools, openSharedTools } from '../../../src/connections/tools/index.ts'
import type { NetworkOperations, OpenedConnection } from '../../../src/networks/contract.ts'
import { type Bound, bindTools } from '../../drivers/bound.ts'
import type { Rig } from './rig.ts'
import { type ConformanceSubject, newOrder, secretsOf } from './subject.ts'

/** Number of orders sent at once. */
const ORDERS = 200

/** The driver with the tools that the service gives it, instead of those that record: limits, tokens and the log. */
export function testServiceTools(subject: ConformanceSubject, rig: () => Rig): void {
  it('orders end, two hundred of them with one token call, and the log says nothing secret', async () => {
    const lines: string[] = []
    const service = openServiceTools(subject, rig(), lines)
    const calls = () =>
      rig()
        .simulator.calls(subject.door.code)
        .get(subject.verbs?.token ?? 'token') ?? 0
    const before = calls()
    const orders = Array.from({ length: ORDERS }, (_, index) =>
      newOrder(subject, subject.place.phone(String(500_000 + index))),
    )
    const answers = await Promise.all(
      orders.map((order) => service.run(order.reference, (operations) => rig().send('charge', order, operations))),
    )
    expect(answers.filter(({ outcome }) => outcome !== 'accepted')).toEqual([])
    expect(calls() - before).toBeLessThanOrEqual(1)
    await rig().advance(subject.ends_after_s ?? 2)
    const ended = await service.run(null, (operations) => rig().ask('charge', orders[0]!, operations))
    expect(ended).toMatchObject({ outcome: 'successful' })
    await service.close()
    const text = lines.join('')
    expect(text).toContain(orders[0]!.reference)
    expect(secretsOf(subject).filter((secret) => text.includes(secret))).toEqual([])
    const headers = rig().tools.calls.flatMap(({ call }) => call.headers?.authorization ?? [])
    expect(headers.filter((header) => text.includes(header))).toEqual([])
  })
}

/** A loaded machine may need this long for all orders together. */
const CALL_S = 60

function openServiceTools(subject: ConformanceSubject, rig: Rig, lines: string[]) {
  const { simulator, db, now: real } = rig
  const { callbackUrl } = rig.tools
  const { driver, environment, settings } = subject
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const shared = openSharedTools({
    db,
    real,
    log,
    reportUnavailable: () => {},
    seal: (text) => Buffer.from(text).toString('base64'),
    unseal: (sealed) => Buffer.from(sealed, 'base64').toString(),
  })
  const tools = createTools(shared, {
    slug: 'conformance',
    revision: '1',
    callback_secret: '0'.repeat(32),
    traits: { ...driver.traits, call_s: CALL_S },
    callback_base: () => 'http://127.0.0.1',
    max_concurrent: ORDERS,
    max_per_second: 10_000,
  })
  const connection: OpenedConnection = {
    slug: 'conformance',
    environment,
    hosts: simulator.hostsOf(driver.code),
    settings: driver.settings.parse(settings) as Record<string, unknown>,
  }
  // Callbacks go to the business of the rig, whose addresses have another form.
  const operations = driver.open(connection as OpenedConnection<never>, { ...tools, callbackUrl })
  return {
    run: <Answer>(reference: string | null, work: (operations: Bound<NetworkOperations>) => Promise<Answer>) =>
      tools.run({ reference, collection_request: null }, (own) => work(bindTools(operations, { ...own, callbackUrl }))),
    async close() {
      await tools.close()
      await shared.close()
    },
  }
}
