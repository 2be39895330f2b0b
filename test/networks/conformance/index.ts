import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedConnection, OrderKind } from '../../../src/networks/contract.ts'
import { openBound } from '../../drivers/bound.ts'
import { testCallbacks } from './callbacks.ts'
import { testFaults } from './faults.ts'
import { testOrders } from './orders.ts'
import { openRig, type Rig } from './rig.ts'
import { testSecrets } from './secrets.ts'
import { testServiceTools } from './service-tools.ts'
import { type ConformanceSubject, ORDER_KINDS } from './subject.ts'
import { createRecordingTools } from './tools.ts'
import { testDeclaration, testPairs, testTraits } from './traits.ts'

export type { ConformanceSubject, Failing } from './subject.ts'

/**
 * Declare the tests that every network driver must pass against its simulated network, over real HTTP: orders from
 * placing to their end, faults of every kind of call, callbacks as they come and as they should not, traits and
 * secrets.
 */
export function runConformance(subject: ConformanceSubject): void {
  const kinds = kindsOf(subject)
  const settings = subject.switches ?? [{}]
  describe(`${subject.driver.name} declares itself`, () => testDeclaration(subject))
  for (const switches of settings)
    describe(`${subject.driver.name}${settings.length > 1 ? ` with ${JSON.stringify(switches)}` : ''}`, () => {
      let opened: Rig | undefined
      const rig = () => opened!
      beforeAll(async () => {
        opened = await openRig(subject)
        await opened.simulator.setSwitches(subject.door.code, switches)
      })
      afterAll(() => opened?.close())
      afterEach(() => {
        expect(rig().errors.splice(0)).toEqual([])
      })

      describe('operations', () => testPairs(rig))
      testOrders(subject, rig, kinds)
      for (const kind of ['charge', 'payout'] as const)
        if (kinds.includes(kind)) describe(`the traits of a ${kind}`, () => testTraits(subject, rig, kind))
      describe('a callback', () => testCallbacks(subject, rig))
      testFaults(subject, rig, kinds)
      describe('money', () => testMoney(subject, rig))
      describe('the tools of the service', () => testServiceTools(subject, rig))
      // The last tests look through everything that the others have caused.
      describe('secrets', () => testSecrets(subject, rig))
    })
}

/** The kinds of orders that this driver can do. Opening it calls nothing. */
function kindsOf({ driver, environment, settings }: ConformanceSubject): OrderKind[] {
  const connection: OpenedConnection = {
    slug: 'conformance',
    environment,
    hosts: driver.environments[environment]!.hosts,
    settings: driver.settings.parse(settings) as Record<string, unknown>,
  }
  const tools = createRecordingTools({ now: () => new Date(), callback_base: () => 'http://127.0.0.1:2/cb' })
  const operations = openBound(driver, connection as OpenedConnection<never>, tools)
  return ORDER_KINDS.filter((kind) => operations[kind] !== undefined)
}

/** Test a connection's reports about the money under it. */
function testMoney({ place }: ConformanceSubject, rig: () => Rig): void {
  it('is found by its balance, in the currency of the place', async () => {
    const { balance } = rig().operations
    if (!balance) return
    const found = await balance()
    expect(['found', 'asked'], JSON.stringify(found.outcome)).toContain(found.outcome)
    if (found.outcome === 'asked') {
      await rig().advance(60)
      const reported = rig().callbacks.flatMap(({ parsed }) => (parsed?.subject === 'balance' ? parsed.balances : []))
      expect(reported.map(({ currency }) => currency)).toContain(place.currency)
    } else if (found.outcome === 'found')
      expect(found.balances.map(({ currency }) => currency)).toContain(place.currency)
  })

  it('tests of the connection find no fault', async () => {
    const results = (await rig().operations.test?.()) ?? []
    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown')).toEqual([])
    for (const { name, message } of results) expect([name, message]).not.toContain('')
  })
}
