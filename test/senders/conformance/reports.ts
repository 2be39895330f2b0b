import { expect, it } from 'vitest'
import type { OutgoingSms, SmsAnswer } from '../../../src/senders/contract.ts'
import type { FaultBody } from '../../../src/simulator/faults.ts'
import type { SmsRig } from './rig.ts'
import { newSms, phone, type SmsSubject, usualFailures } from './subject.ts'

/** Reports of delivery as they come and as they should not, and SMS of customers. */
export function testReports(subject: SmsSubject, rig: () => SmsRig): void {
  testEnds(subject, rig)
  testQuestions(subject, rig)
  testIncoming(subject, rig)
}

type Sent = [OutgoingSms, SmsAnswer]

/** Make the function that sends an SMS, and let some seconds pass. */
function sender(subject: SmsSubject, rig: () => SmsRig) {
  return async (last_digits: string, seconds: number): Promise<Sent> => {
    const sms = newSms(subject, phone(last_digits))
    const answer = await rig().send(sms)
    expect(answer).toMatchObject({ outcome: 'sent' })
    await rig().advance(seconds)
    return [sms, answer]
  }
}

function testEnds(subject: SmsSubject, rig: () => SmsRig): void {
  const deliver = sender(subject, rig)
  const endsOf = (sent: Sent) =>
    rig()
      .reportsOf(...sent)
      .filter(({ state }) => state !== 'sent')
  const fault = (kind: FaultBody['kind']) => rig().simulator.faults.add({ door: subject.door.code, kind })

  it('says that it was delivered', async () => {
    expect(endsOf(await deliver('000003', 3))).toMatchObject([{ state: 'delivered' }])
  })

  for (const [digits, usual] of Object.entries(usualFailures)) {
    const reason = subject.failures?.[digits as keyof typeof usualFailures] ?? usual
    it(`to …${digits} says why it was not delivered: ${reason}`, async () => {
      const reports = endsOf(await deliver(digits, digits === '000612' ? 3_601 : 3))
      expect(reports).toMatchObject([{ state: 'failed', reason, message: expect.stringMatching(/\w/) }])
    })
  }

  it('comes late, never or twice, as the provider does it', async () => {
    const late = await deliver('000621', 3)
    expect(endsOf(late)).toEqual([])
    expect(endsOf(await deliver('000622', 3))).toEqual([])
    expect(endsOf(await deliver('000624', 3))).toEqual([])
    const [first, ...more] = endsOf(await deliver('000623', 3))
    expect(first).toMatchObject({ state: 'delivered' })
    expect(more).toEqual([first])
    await rig().advance(600)
    expect(endsOf(late)).toMatchObject([{ state: 'delivered' }])
  })

  it('is verified, unless somebody else has written it', async () => {
    if (subject.driver.traits.callbacks === 'none') return
    const before = rig().callbacks.length
    await deliver('000004', 3)
    const read = rig()
      .callbacks.slice(before)
      .flatMap(({ parsed }) => parsed ?? [])
    expect(read.length).toBeGreaterThan(0)
    for (const one of read) expect(one).toMatchObject({ subject: 'reports', verified: true })
    if (subject.driver.traits.callbacks !== 'signed') return
    fault('forged')
    await deliver('000004', 3)
    for (const { parsed } of rig().callbacks.slice(before + read.length))
      expect(parsed).toMatchObject({ verified: false })
  })
}

function testQuestions(subject: SmsSubject, rig: () => SmsRig): void {
  const deliver = sender(subject, rig)

  it('is the same when the provider is asked', async () => {
    if (!rig().operations.report) return
    for (const [digits, state] of [
      ['000005', 'delivered'],
      ['000611', 'failed'],
      ['000624', 'sent'],
    ] as const) {
      const [sms, answer] = await deliver(digits, 3)
      const remote_id = answer.outcome === 'sent' ? (answer.remote_id ?? null) : null
      const report = await rig().operations.report!({ reference: sms.reference, remote_id })
      rig().answers.push(report)
      expect(report?.state ?? 'sent').toBe(state)
    }
  })

  it('of an SMS that does not exist is not known when the provider is asked', async () => {
    const { report } = rig().operations
    if (!report) return
    expect(await report({ reference: 'a'.repeat(24), remote_id: 'nothing' })).toBe(undefined)
  })
}

function testIncoming(subject: SmsSubject, rig: () => SmsRig): void {
  it('hands over what customers send', async () => {
    if (subject.receives === null) return
    const sms = { phonenumber: phone('000006'), to: subject.receives, text: 'STOP & ñ' }
    await rig().simulator.text({ ...sms, door: subject.door.code })
    await rig().advance(1)
    const heard = rig().callbacks.flatMap(({ parsed }) => (parsed?.subject === 'incoming' ? parsed.messages : []))
    const { phonenumber: from, to, text } = sms
    expect([...heard, ...rig().received.incoming]).toMatchObject([
      { from, to, text, remote_id: expect.stringMatching(/./) },
    ])
  })
}
