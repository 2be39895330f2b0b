import { expect, it } from 'vitest'
import type { FaultBody } from '../../../src/simulator/faults.ts'
import type { SmsRig } from './rig.ts'
import { newSms, phone, type SmsSubject } from './subject.ts'

/** Faults of the call that sends: the SMS may be out, so that nothing of this is a failure. */
const unanswered: readonly FaultBody['kind'][] = [
  'hang_up_before',
  'hang_up_after',
  'error_500',
  'html',
  'empty',
  'truncated',
]

/** Test faults on the way to the provider, and wrong credentials. */
export function testFaults(subject: SmsSubject, rig: () => SmsRig): void {
  const add = (kind: FaultBody['kind'], taken?: boolean) =>
    rig().simulator.faults.add({ door: subject.door.code, verb: 'sms', kind, ...(taken !== undefined && { taken }) })

  it.each(unanswered)('%s is unknown', async (kind) => {
    if (subject.http === false) return
    for (const taken of [true, false]) {
      if (kind === 'hang_up_after' && !taken) continue
      add(kind, taken)
      expect(await rig().send(newSms(subject, phone('000009')))).toMatchObject({ outcome: 'unknown' })
    }
  })

  it.each(['rate_limited', 'rate_limited_retry_after'] as const)('%s is no refusal of the SMS', async (kind) => {
    if (subject.http === false) return
    add(kind)
    const answer = await rig().send(newSms(subject, phone('000010')))
    if (answer.outcome === 'unknown') return
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'throttled', retry: true })
    if (kind === 'rate_limited_retry_after') expect(answer).toMatchObject({ retry_after_s: 3 })
  })

  it.each(subject.wrong_settings)('wrong settings are named: $names', async ({ settings, names }) => {
    const { operations, tools } = await rig().reopen({ settings })
    const results = await operations.test!()
    rig().answers.push(results, tools.alarms)
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ message }) => message).join(' ')).toMatch(names)
    const answer = await rig().send(newSms(subject, phone('000011')), operations)
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'credentials', retry: true })
    expect(tools.alarms.join(' ')).toMatch(names)
    expect(await rig().simulator.sms({ phonenumber: phone('000011') })).toEqual([])
  })

  it('a test of the connection finds no fault in the right settings', async () => {
    const results = (await rig().operations.test?.()) ?? []
    rig().answers.push(results)
    expect(results.length).toBeGreaterThan(0)
    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown')).toEqual([])
    for (const { name, message } of results) expect([name, message]).not.toContain('')
  })

  it('the balance is read, if the provider reports it', async () => {
    const balance = await rig().operations.balance?.()
    if (balance) expect(balance).toMatchObject({ outcome: 'found', balances: [{ currency: expect.any(String) }] })
  })
}
