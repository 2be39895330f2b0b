import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secretNames, settingFields } from '../../../src/drivers/settings.ts'
import { testAccount, testFloat, testLists, testSecrets } from './account.ts'
import { testCallbacks } from './callbacks.ts'
import { openRig, type Rig } from './rig.ts'
import type { BillSubject } from './subject.ts'
import { testFaults, testVends } from './vends.ts'

export type { BillSubject } from './subject.ts'

/**
 * Declare the tests that every driver of a bill provider must pass against its simulated counterpart, over real HTTP:
 * purchases from the call to their end, faults of every kind of call, our account, callbacks and secrets.
 */
export function runBillConformance(subject: BillSubject): void {
  describe(`${subject.driver.name} declares itself`, () => testDeclaration(subject))
  describe(subject.driver.name, () => {
    let opened: Rig | undefined
    const rig = () => opened!
    beforeAll(async () => {
      opened = await openRig(subject)
    })
    afterAll(() => opened?.close())

    describe('a purchase', () => testVends(subject, rig))
    describe('faults of a call', () => testFaults(subject, rig))
    describe('the account', () => testAccount(subject, rig))
    describe('the float', () => testFloat(subject, rig))
    describe('the lists', () => testLists(subject, rig))
    if (subject.driver.traits.callbacks !== 'none') describe('a callback', () => testCallbacks(subject, rig))
    // The last test looks through everything that the others have caused.
    describe('secrets', () => testSecrets(subject, rig))
  })
}

/** Test the facts that a driver states about its provider, before any call. */
function testDeclaration({ driver, environment }: BillSubject): void {
  it('has a code that is fit for addresses, and a name', () => {
    expect(driver.code).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(driver.name).toMatch(/\S/)
  })

  it('describes its settings, and marks the secret ones', () => {
    for (const { title, help, secret, example } of settingFields(driver)) {
      expect(title).toMatch(/\S/)
      expect(help).toMatch(/\S/)
      if (secret) expect(example).toBeUndefined()
    }
    expect(secretNames(driver).length).toBeGreaterThan(0)
  })

  it('has times that fit together', () => {
    const { call_s, in_flight_s } = driver.traits
    expect(call_s).toBeGreaterThan(0)
    expect(in_flight_s).toBeGreaterThan(call_s)
  })

  it('knows countries by two letters, and its environment', () => {
    for (const country of driver.countries ?? []) expect(country).toMatch(/^[A-Z]{2}$/)
    expect(driver.environments[environment]?.live).toBe(false)
  })
}
