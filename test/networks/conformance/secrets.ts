import { expect, it } from 'vitest'
import type { Rig } from './rig.ts'
import { type ConformanceSubject, newOrder, secretsOf } from './subject.ts'

/** Secrets never appear in what operations return, in alarms, in what was read in callbacks, or in stored callbacks. */
export function testSecrets(subject: ConformanceSubject, rig: () => Rig): void {
  it('stay out of answers, alarms, tests of the connection and callbacks', async () => {
    const { operations, tools, answers, callbacks } = rig()
    const order = newOrder(subject, subject.place.phone('000002'))
    await rig().send('charge', order)
    await rig().advance(subject.ends_after_s ?? 2)
    const tested = await operations.test?.()
    const secrets = [...secretsOf(subject), ...tokensOf(rig())]
    expect(secrets.length).toBeGreaterThan(0)
    const stored = callbacks.map(({ raw }) => redact(raw, subject.driver.secret_fields ?? []))
    const read = callbacks.map(({ parsed }) => parsed)
    const text = JSON.stringify([answers, tools.alarms, tested, read, stored], writeBigint)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  it('stay out of addresses', () => {
    const secrets = [...secretsOf(subject), ...tokensOf(rig())]
    const urls = rig().tools.calls.map(({ call }) => call.url)
    expect(urls.filter((url) => secrets.some((secret) => url.includes(secret)))).toEqual([])
  })
}

/** Tokens that the network has issued, as the driver sent them. */
function tokensOf({ tools }: Rig): string[] {
  const headers = tools.calls.map(({ call }) => call.headers?.authorization ?? call.headers?.Authorization ?? '')
  return [...new Set(headers.map((header) => header.replace(/^\S+ /, '')))].filter((token) => token.length >= 8)
}

/** A callback without what its driver wants kept out of the database. */
function redact({ headers, query, body }: { headers: object; query: string; body: string }, secret: readonly string[]) {
  const names = secret.map((name) => name.toLowerCase())
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase()))
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !names.includes(name.toLowerCase()))
  return { headers: kept, parameters, body: redactJson(body, names) }
}

function redactJson(body: string, names: readonly string[]): unknown {
  try {
    return JSON.parse(body, (name, value) => (names.includes(name.toLowerCase()) ? undefined : value))
  } catch {
    return body
  }
}

function writeBigint(_: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}
