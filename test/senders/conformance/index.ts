import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settingFields } from '../../../src/drivers/settings.ts'
import { testFaults } from './faults.ts'
import { testReports } from './reports.ts'
import { openSmsRig, type SmsRig } from './rig.ts'
import { testSecrets } from './secrets.ts'
import { testSends } from './sends.ts'
import type { SmsSubject } from './subject.ts'

export type { SmsSubject } from './subject.ts'

/**
 * Declare the tests that every SMS driver must pass against its simulated provider: what arrives on the phone, what is
 * refused, reports as they come and as they should not, SMS of customers, faults of calls, and secrets.
 */
export function runSmsConformance(subject: SmsSubject): void {
  const { name } = subject.driver
  describe(`${name} declares itself`, () => testDeclaration(subject))
  describe(name, () => {
    let opened: SmsRig | undefined
    const rig = () => opened!
    beforeAll(async () => {
      opened = await openSmsRig(subject)
    })
    afterAll(() => opened?.close())
    afterEach(() => {
      rig().simulator.faults.clear()
      expect(rig().errors.splice(0)).toEqual([])
    })

    describe('an SMS', () => testSends(subject, rig))
    describe('a report', () => testReports(subject, rig))
    describe('fault:', () => testFaults(subject, rig))
    // The last tests look through everything that the others have caused.
    describe('secrets', () => testSecrets(subject, rig))
  })
}

function testDeclaration({ driver, environment, settings }: SmsSubject): void {
  it('has a code for addresses, and settings that a person understands', () => {
    expect(driver.code).toMatch(/^[a-z0-9-]{2,20}$/)
    for (const { title, help } of settingFields(driver)) expect(Math.min(title.length, help.length)).toBeGreaterThan(2)
    expect(driver.settings.safeParse(settings).success).toBe(true)
  })

  it('has environments that say whether they are live, and the suite runs in one that is not', () => {
    expect(Object.values(driver.environments).some(({ live }) => live)).toBe(true)
    expect(driver.environments[environment]).toMatchObject({ live: false })
  })

  it('takes no longer for a call than its lease may last', () => {
    expect(driver.traits.call_s).toBeGreaterThan(0)
    expect(driver.traits.call_s).toBeLessThanOrEqual(60)
  })
}
