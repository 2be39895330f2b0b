import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ProviderVend } from '../../../src/billers/contract.ts'
import type { Rig } from './rig.ts'
import { type BillSubject, toOrder } from './subject.ts'
import { answerOf } from './tools.ts'

/** How many mutations of each answer are tried. */
const RUNS = 150

/** Garbage never becomes an outcome. The driver gets mutations of real answers in place of the provider's. */
export function testGarbage(subject: BillSubject, rig: () => Rig): void {
  it('any garbage in place of the answer to a purchase or a question is unknown', async () => {
    const { operations, tools } = await withToken(rig())
    const order = toOrder(subject.order(), rig().far.now())
    const statuses = fc.constantFrom(200, 201, 202, 301, 400, 403, 404, 409, 418, 429, 500, 503)
    await fc.assert(
      fc.asyncProperty(statuses, fc.oneof(emptyAnswers, fc.string(), fc.json()), async (status, text) => {
        for (const verb of ['vend', 'vend status'])
          tools.trouble({ verb, taken: false, answer: answerOf(status, text), times: 2 })
        expect(await operations.vend(order), text).toMatchObject({ outcome: 'unknown' })
        expect(await operations.vendStatus(order), text).toMatchObject({ outcome: 'unknown' })
        tools.clear()
      }),
      { numRuns: RUNS },
    )
  })

  it.runIf(subject.pending)('a mutated answer to an open purchase is never its end', async () => {
    const order = toOrder(subject.pending!(), rig().far.now())
    const answers = await record(rig(), order, false)
    await eachMutation(rig(), order, answers, ['unknown', 'accepted'])
    await rig().ask(order)
  })

  it('a mutated answer to a sale is never a failure', async () => {
    const order = toOrder(subject.order(), rig().far.now())
    await eachMutation(rig(), order, await record(rig(), order, true), ['unknown', 'accepted', 'successful'])
  })
}

/** The driver, with a token where it needs one, so that only the answers in question are garbage. */
async function withToken(rig: Rig) {
  const { operations, tools } = rig.reopen()
  await operations.balance?.()
  return { operations, tools }
}

/** The texts of the provider's answers about a purchase, by verb. */
async function record(rig: Rig, order: ProviderVend, to_the_end: boolean): Promise<Record<string, string>> {
  const before = rig.tools.recorded.calls.length
  await rig.vend(order)
  if (to_the_end) await rig.ask(order)
  else await rig.operations.vendStatus(order)
  const calls = rig.tools.recorded.calls.slice(before)
  return Object.fromEntries(
    calls.flatMap(({ call, answer }) => (answer.outcome === 'answered' ? [[call.verb, answer.text]] : [])),
  )
}

async function eachMutation(rig: Rig, order: ProviderVend, answers: Record<string, string>, allowed: string[]) {
  const { operations, tools } = await withToken(rig)
  const { vend: sold = '', 'vend status': asked = '' } = answers
  expect([sold.length > 0, asked.length > 0]).toEqual([true, true])
  await fc.assert(
    fc.asyncProperty(mutationsOf(sold), mutationsOf(asked), async (one, other) => {
      tools.trouble({ verb: 'vend', taken: false, answer: one, times: 2 })
      tools.trouble({ verb: 'vend status', taken: false, answer: other, times: 5 })
      expect(allowed, one.text).toContain((await operations.vend({ ...order, remote_id: null })).outcome)
      expect([...allowed, 'not_found'], other.text).toContain((await operations.vendStatus(order)).outcome)
      tools.clear()
    }),
    { numRuns: RUNS },
  )
}

/** The answers of a provider, or of a proxy before it, that have lost what they should say. */
const emptyAnswers = fc.constantFrom('', '[]', '{}', '[[]]', '[{}]', 'null', '0', 'false', '""')

/** Values that no provider uses as one of its words. */
const garbage = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, -1, 1e308, '', 'SOMETHING_NEW', 'constructor', '__proto__', {}),
  fc.string({ unit: 'binary' }).map((text) => `~${text}`),
)

/** Answers that are like this one, and are not what the provider says. */
function mutationsOf(text: string) {
  const other_text = fc.oneof(
    fc.string({ unit: 'binary' }).map((noise) => `~${noise}`),
    fc.nat(Math.max(0, text.length - 2)).map((length) => text.slice(0, length)),
    fc.constantFrom('', '{}', 'null', '{"', '<html><h1>502 Bad Gateway</h1></html>', 'true', '0', '"OK"'),
    mutatedJson(text),
  )
  const status = fc.oneof(fc.constant(200), fc.constantFrom(200, 202, 301, 403, 429, 500, 502, 503))
  return fc.tuple(other_text, status).map(([other, code]) => answerOf(code, other))
}

/** The JSON with one of its members replaced or missing. */
function mutatedJson(text: string): fc.Arbitrary<string> {
  const parsed: unknown = JSON.parse(text)
  const paths = pathsOf(parsed)
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
