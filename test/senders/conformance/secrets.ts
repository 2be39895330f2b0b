import { expect, it } from 'vitest'
import type { SmsRig } from './rig.ts'
import { newSms, phone, type SmsSubject, secretsOf } from './subject.ts'

/** Secrets never appear in what operations return, in alarms, in callbacks, or in addresses. */
export function testSecrets(subject: SmsSubject, rig: () => SmsRig): void {
  it('stay out of answers, alarms, callbacks and addresses', async () => {
    const secrets = secretsOf(subject)
    await rig().send(newSms(subject, phone('000012')))
    await rig().advance(3)
    const { answers, tools, callbacks, received } = rig()
    const text = JSON.stringify([answers, tools.alarms, callbacks, received], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    if (subject.secret_addresses) return
    const urls = tools.calls.map(({ call }) => call.url)
    expect(urls.filter((url) => secrets.some((secret) => url.includes(secret)))).toEqual([])
  })

  it('are masked if the provider quotes them', async () => {
    if (subject.http === false) return
    const secrets = secretsOf(subject)
    expect(secrets.length).toBeGreaterThan(0)
    const quoting = JSON.stringify({ message: `unknown key ${secrets.join(' ')}`, text: secrets, code: 1, status: 400 })
    for (const status of [200, 201, 202, 400, 401, 403, 404, 500]) {
      const { operations, tools } = await rig().reopen({
        change: (_call, answer) => (answer.outcome === 'answered' ? { ...answer, status, text: quoting } : answer),
      })
      const answer = await operations.send(newSms(subject, phone('000013')))
      const tested = await operations.test?.()
      const text = JSON.stringify([answer, tested, tools.alarms])
      expect(
        secrets.filter((secret) => text.includes(secret)),
        `HTTP ${status}`,
      ).toEqual([])
    }
  })
}
