import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HttpAnswer } from '../../../src/lib/http/http-call.ts'
import type { OrderKind, OutgoingCall, PayoutCheck } from '../../../src/networks/contract.ts'
import { makeOrder } from './orders.ts'
import type { AnyOrder, Rig } from './rig.ts'
import { type ConformanceSubject, ORDER_KINDS } from './subject.ts'

/** How many mutations of each answer are tried. */
const RUNS = 150

/**
 * Garbage never becomes an outcome. Real answers of the network are mutated, and the driver gets them instead of the network's
 * next ones.
 */
export function testGarbage(subject: ConformanceSubject, rig: () => Rig, kinds: readonly OrderKind[]): void {
  for (const kind of ORDER_KINDS.filter((one) => kinds.includes(one) && one !== 'refund')) {
    it(`a mutated answer to a ${kind} is never its end`, async () => {
      const open = await makeOrder(subject, rig(), kind, subject.place.phone('000103'))
      const answers = await record(rig(), [kind], () => rig().send(kind, open))
      await eachMutation(rig(), kind, answers, async (operations, text) => {
        const { outcome } = await rig().send(kind, { ...open, remote_id: null }, operations)
        expect(['unknown', 'accepted'], text).toContain(outcome)
      })
    })

    it(`a mutated status of an open ${kind} is never its end`, async () => {
      const open = await makeOrder(subject, rig(), kind, subject.place.phone('000103'))
      await rig().send(kind, open)
      const answers = await record(rig(), [`${kind} status`], () => rig().ask(kind, open))
      await eachMutation(rig(), kind, answers, async (operations, text) => {
        const { outcome } = await askOnce(operations, kind, { ...open })
        expect(['unknown', 'accepted', 'asked'], text).toContain(outcome)
      })
      await rig().advance(30)
    })

    it(`a mutated status of a paid ${kind} is never a failure, and never other money`, async () => {
      const paid = await makeOrder(subject, rig(), kind, subject.place.phone('000002'))
      await rig().send(kind, paid)
      await rig().advance(subject.ends_after_s ?? 2)
      const answers = await record(rig(), [`${kind} status`], () => rig().ask(kind, paid))
      await eachMutation(rig(), kind, answers, async (operations, text) => {
        const answer = await askOnce(operations, kind, { ...paid })
        expect(['unknown', 'accepted', 'asked', 'successful'], text).toContain(answer.outcome)
        if (answer.outcome !== 'successful') return
        expect(answer.amount ?? paid.amount, text).toBe(paid.amount)
        expect(answer.remote_id ?? 'not said', text).not.toBe('')
      })
    })
  }
}

type Operations = Rig['operations']

function askOnce(operations: Operations, kind: OrderKind, order: AnyOrder) {
  const asked = kind === 'payout' ? operations.payoutStatus!(order as never) : operations.chargeStatus!(order as never)
  return asked as Promise<PayoutCheck | { outcome: 'asked' }>
}

/** The answers of the network to the calls with these verbs while `work` runs. */
async function record(rig: Rig, verbs: readonly string[], work: () => Promise<unknown>): Promise<HttpAnswer[]> {
  const before = rig.tools.calls.length
  await work()
  return (
    rig.tools.calls
      .slice(before)
      .filter(({ call }) => verbs.includes(call.verb) || verbs.some((verb) => call.verb.startsWith(verb)))
      // One that refuses a token says that nothing was sent, which is the end.
      .flatMap(({ answer }) => (answer.outcome === 'answered' && answer.status !== 401 ? [answer] : []))
  )
}

/** Runs the driver with mutations of these answers in place of every answer but those to token calls. */
async function eachMutation(
  rig: Rig,
  kind: OrderKind,
  answers: readonly HttpAnswer[],
  check: (operations: Operations, text: string) => Promise<void>,
): Promise<void> {
  expect(answers.length, `answers to a ${kind}`).toBeGreaterThan(0)
  let mutated: HttpAnswer = answers[0]!
  const isOfOrder = ({ verb }: OutgoingCall) => verb.startsWith(kind)
  const { operations } = rig.reopen((call, answer) => (isOfOrder(call) ? mutated : answer))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...answers).chain(mutationsOf), async (next) => {
      mutated = next
      await check(operations, `HTTP ${next.status} ${next.text}`)
    }),
    { numRuns: RUNS },
  )
}

/** Values that no network uses as one of its words. */
const garbage = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, '', 'SOMETHING_NEW', 'constructor', '__proto__', [], {}),
  fc.string({ unit: 'binary' }).map((text) => `~${text}`),
)

/** Answers that are like this one, and are not what the network says. */
function mutationsOf(answer: HttpAnswer): fc.Arbitrary<HttpAnswer> {
  const { text } = answer
  const other_text = fc.oneof(
    fc.string({ unit: 'binary' }).map((noise) => `~${noise}`),
    fc.nat(Math.max(0, text.length - 2)).map((length) => text.slice(0, length)),
    fc.constantFrom('', '{}', '[]', 'null', '{"', '<html><h1>502 Bad Gateway</h1></html>', 'true', '0', '"OK"'),
    mutatedJson(text),
  )
  const status = fc.oneof(fc.constant(answer.status), fc.constantFrom(200, 202, 204, 301, 403, 429, 500, 502, 503))
  return fc.tuple(other_text, status).map(([other, code]) => ({ ...answer, text: other, status: code }))
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
