import { expect, it } from 'vitest'
import type { SmsRig } from './rig.ts'
import { newSms, phone, type SmsSubject, usualRefusals } from './subject.ts'

/** Texts that get lost or changed on bad ways: escapes, letters of GSM and of its extension table, other letters, several parts. */
const texts = [
  'Pay 1500 UGX with *165#.',
  'Say "hi" & pay 5 % + <1> \\ #2; {text} %d\nthen\twait',
  'Café à Gulu: 10 € [ok] {1} ~ ^ | ñ Ω @_',
  'Ŋŋ Yóò “ɓ” 支付 😀',
  `${'Your token is 1234-5678-9012-3456-7890. '.repeat(8)}End`,
  `Àwọn ${'owó rẹ ti dé. '.repeat(10)}End`,
]

/** SMS as they go out: what arrives on the phone, and what is refused. */
export function testSends(subject: SmsSubject, rig: () => SmsRig): void {
  it.each(texts)('arrives on the phone as it was sent: %j', async (body) => {
    const sms = newSms(subject, phone('000001'), body)
    const answer = await rig().send(sms)
    expect(answer).toMatchObject({ outcome: 'sent' })
    await rig().advance(3)
    const [received] = await rig().simulator.sms({ phonenumber: sms.phonenumber, limit: 1 })
    expect(received).toMatchObject({ body, state: 'delivered', sender: subject.sender })
    if (answer.outcome !== 'sent') return
    expect(answer.parts ?? received!.parts).toBe(received!.parts)
    expect(answer.remote_id !== undefined).toBe(subject.gives_id)
    if (answer.cost) expect(answer.cost).toMatchObject({ currency: expect.stringMatching(/^[A-Z]{3}$/) })
  })

  for (const [digits, usual] of Object.entries(usualRefusals)) {
    const given = subject.refusals?.[digits as keyof typeof usualRefusals]
    const reason = given === undefined ? usual : given
    if (reason === null) continue
    it(`to …${digits} is refused: ${reason}`, async () => {
      const answer = await rig().send(newSms(subject, phone(digits)))
      expect(answer).toMatchObject({ outcome: 'failed', reason, message: expect.stringMatching(/\w/) })
      expect(await rig().simulator.sms({ phonenumber: phone(digits) })).toEqual([])
    })
  }

  it('from a sender that the provider does not know is refused', async () => {
    if (subject.checks_sender === false) return
    const { refused_sender = '' } = (await rig().simulator.world(subject.door.code).switches()) as Record<
      string,
      string
    >
    const sms = { ...newSms(subject, phone('000002')), sender: refused_sender }
    expect(await rig().send(sms)).toMatchObject({ outcome: 'failed', reason: 'invalid_sender', retry: false })
  })

  it('waits while the provider is too busy, and is then taken', async () => {
    const sms = newSms(subject, phone('000631'))
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await rig().send(sms)
      // A driver may wait for the provider by itself.
      if (answer.outcome === 'sent') return
      if (answer.outcome !== 'unknown')
        expect(answer).toMatchObject({ outcome: 'failed', reason: 'throttled', retry: true })
    }
    expect(await rig().send(sms)).toMatchObject({ outcome: 'sent' })
  })

  it('is unknown if the provider takes it and never answers', async () => {
    const { operations } = await rig().reopen({ timeout_s: 0.5 })
    if (subject.http === false) return
    const sms = newSms(subject, phone('000632'))
    expect(await rig().send(sms, operations)).toMatchObject({ outcome: 'unknown' })
    expect(await rig().simulator.sms({ phonenumber: sms.phonenumber })).toMatchObject([{ body: sms.body }])
  })
}
