import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import type { HttpAnswer } from '../../../src/lib/http/http-call.ts'
import type { SmsRig } from './rig.ts'
import { newSms, phone, type SmsSubject } from './subject.ts'

const RUNS = 150

/** Garbage never becomes an outcome: neither in place of an answer, nor at the address of callbacks. */
export function testGarbage(subject: SmsSubject, rig: () => SmsRig): void {
  it('in place of the answer never means that an SMS was refused', async () => {
    if (subject.http === false) return
    const sms = newSms(subject, phone('000007'))
    await rig().send(sms)
    const answer = rig().tools.calls.at(-1)!.answer as HttpAnswer
    let mutated = answer
    const { operations } = await rig().reopen({ change: () => mutated })
    await fc.assert(
      fc.asyncProperty(mutationsOf(answer), async (next) => {
        mutated = next
        const { outcome } = await rig().send(sms, operations)
        const allowed = next.status >= 300 ? ['unknown'] : ['unknown', 'sent']
        expect(allowed, `HTTP ${next.status} ${next.text}`).toContain(outcome)
      }),
      { numRuns: RUNS },
    )
  })

  it('in place of a report never means that an SMS was not delivered', async () => {
    const before = rig().callbacks.length
    await rig().send(newSms(subject, phone('000008')))
    await rig().advance(3)
    const raws = rig()
      .callbacks.slice(before)
      .map(({ raw }) => raw)
    const { readCallback } = rig().operations
    if (!readCallback) return
    expect(raws.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.constantFrom(...raws).chain(mutatedCallback), (raw) => {
        const parsed = readCallback(raw)
        if (parsed.subject !== 'reports') return
        for (const { state } of parsed.reports) expect(state, raw.body || raw.query).not.toBe('failed')
      }),
      { numRuns: RUNS * 2 },
    )
  })
}

/** Values that no provider uses as one of its words. */
const garbage = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, -1, 1e308, '', 'SOMETHING_NEW', 'constructor', '__proto__', [], {}),
  fc.string({ unit: 'binary' }).map((text) => `~${text}`),
)

function mutationsOf(answer: HttpAnswer): fc.Arbitrary<HttpAnswer> {
  const { text } = answer
  const other_text = fc.oneof(
    fc.string({ unit: 'binary' }).map((noise) => `~${noise}`),
    fc.nat(Math.max(0, text.length - 2)).map((length) => text.slice(0, length)),
    fc.constantFrom('', '{}', '[]', 'null', '{"', '<html><h1>502 Bad Gateway</h1></html>', 'true', '0', '"OK"'),
    mutatedJson(text),
  )
  const status = fc.oneof(fc.constant(answer.status), fc.constantFrom(200, 202, 204, 301, 500, 502, 503))
  return fc.tuple(other_text, status).map(([other, code]) => ({ ...answer, text: other, status: code }))
}

/** A callback with garbage in its body or query: instead of it, or in one of its values. */
function mutatedCallback(raw: RawCallback): fc.Arbitrary<RawCallback> {
  const noise = fc.string({ unit: 'binary' }).map((text) => ({ ...raw, body: text, query: '' }))
  const cut = fc.nat(raw.body.length).map((length) => ({ ...raw, body: raw.body.slice(0, length) }))
  const in_body = mutatedForm(raw.body).map((body) => ({ ...raw, body }))
  const in_query = mutatedForm(raw.query).map((query) => ({ ...raw, query }))
  return fc.oneof(noise, cut, in_body, in_query)
}

function mutatedForm(text: string): fc.Arbitrary<string> {
  if (text.startsWith('{')) return mutatedJson(text)
  const names = [...new URLSearchParams(text).keys()]
  if (names.length === 0) return fc.constant(text)
  return fc.tuple(fc.constantFrom(...names), garbage).map(([name, value]) => {
    const form = new URLSearchParams(text)
    form.set(name, String(value))
    return form.toString()
  })
}

/** The JSON with one of its members replaced or missing. */
function mutatedJson(text: string): fc.Arbitrary<string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return fc.constant('~')
  }
  const paths = pathsOf(parsed)
  if (paths.length === 0) return fc.constant('~')
  return fc
    .tuple(fc.constantFrom(...paths), garbage, fc.boolean())
    .map(([path, value, remove]) => JSON.stringify(withValue(parsed, path, value, remove)) ?? '~')
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
  const inner = Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))
  return path.length === 0 ? inner : [path, ...inner]
}

function withValue(whole: unknown, [name, ...rest]: readonly string[], value: unknown, remove: boolean): unknown {
  if (name === undefined) return value
  const copy: Record<string, unknown> | unknown[] = Array.isArray(whole) ? [...whole] : { ...(whole as object) }
  const members = copy as Record<string, unknown>
  if (rest.length === 0 && remove) delete members[name]
  else members[name] = withValue(members[name], rest, value, remove)
  return copy
}
