import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNetworkHttp } from '../../../src/connections/tools/http.ts'
import { toStorableAnswer } from '../../../src/connections/tools/storable-answers.ts'
import type { OutgoingCall } from '../../../src/drivers/contract.ts'
import { recordedDrivers } from '../../drivers/answers/index.ts'
import { markedBodies, markedForms } from '../../drivers/answers/mutations.ts'
import {
  isCautious,
  type Outcome,
  openRecording,
  type Part,
  type Recording,
  type SentText,
} from '../../drivers/answers/rig.ts'
import { printFigure } from '../figures.ts'
import type { HostileAnswer } from './hostile-provider.ts'
import { hostileValues } from './hostile-values.ts'
import { allowedTurn, measureTurn } from './turns.ts'

/*
 * Every network, SMS provider and bill provider answers with 1 MB in each member of its answers and callbacks, one after the other:
 * long texts, long numbers, wide and deep lists. A thread of its own sends them over HTTP to the client of the connections.
 */

const allowed_ms = allowedTurn()
let provider: Worker
let url = ''
const http = createNetworkHttp({
  connection: 'attack',
  call_s: 60,
  real: () => new Date(),
  log: pino({ level: 'silent' }),
  onEnded: () => {},
  onMeasured: () => {},
  onTooMany: () => {},
})

beforeAll(async () => {
  provider = new Worker(new URL('hostile-provider.ts', import.meta.url))
  ;[url] = (await once(provider, 'message')) as [string]
})
afterAll(async () => {
  await http.close()
  await provider.terminate()
})

/** Results of all hostile answers for one driver. */
interface Findings {
  count: number
  slow: string[]
  wrong: string[]
  longest: { ms: number; what: string }
}

const figures: { count: number; longest: Findings['longest'] } = { count: 0, longest: { ms: 0, what: '' } }
afterAll(() => {
  const { count, longest } = figures
  printFigure(
    'hostile-members',
    `${count} hostile answers; the longest turn takes ${Math.round(longest.ms)} ms of processor time (${longest.what}), allowed are ${Math.round(allowed_ms)} ms here`,
  )
})

it.each(recordedDrivers)('1 MB in any member of $name delays nobody', async ({ name, recordings }) => {
  const found: Findings = { count: 0, slow: [], wrong: [], longest: { ms: 0, what: '' } }
  const tried = new Set<string>()
  for (const recording of recordings)
    for (const part_name of Object.keys(recording.parts)) await attack(recording, part_name, { found, tried })
  figures.count += found.count
  if (found.longest.ms > figures.longest.ms)
    figures.longest = { ms: found.longest.ms, what: `${name} ${found.longest.what}` }
  expect(found.slow).toEqual([])
  expect(found.wrong).toEqual([])
  expect(found.count).toBeGreaterThan(5)
})

let turn = 0
const values = { json: hostileValues(false), form: hostileValues(true) }

/** Try each member of a part that no other recording of the driver has, such as a token's. */
async function attack(
  recording: Recording,
  part_name: string,
  { found, tried }: { found: Findings; tried: Set<string> },
): Promise<void> {
  const part = recording.parts[part_name]!
  const { usual, ask, texts } = await openRecording(recording)
  const usual_text = texts[part_name]!
  for (const { path, text: template } of part.as === 'form' ? markedForms(part.body) : markedBodies(part.body)) {
    const member = `${part_name} ${path.replaceAll(/\d+/g, '*')}`
    if (tried.has(member)) continue
    tried.add(member)
    turn += 1
    const { status = 200, headers = {} } = usual_text
    const form = part.as === 'form'
    const of_kind = form ? values.form : values.json
    const index = turn % of_kind.length
    const made = of_kind[index]!
    provider.postMessage({ template, form, index, status, headers } satisfies HostileAnswer)
    const [bytes] = (await once(provider, 'message')) as [number]
    const sent: SentText = IS_CALLBACK.test(recording.operation)
      ? { ...usual_text, text: await (await fetch(url)).text() }
      : { ...usual_text, text: '', call: (call: OutgoingCall) => http.call({ ...call, url }) }
    const { result, ms } = await measureTurn(
      async () => {
        const outcome = await ask({ [part_name]: sent })
        // As the service does with what every driver has read.
        return { outcome, stored: 'thrown' in outcome ? undefined : toStorableAnswer(outcome.returned) }
      },
      { short_ms: found.longest.ms, allowed_ms },
    )
    const { outcome, stored } = result
    const what = `${recording.operation}: ${made.what} in ${path} of ${part_name} (${bytes} bytes)`
    found.count += 1
    if (ms > allowed_ms) found.slow.push(`${Math.round(ms)} ms ${what}`)
    if (ms > found.longest.ms) found.longest = { ms, what }
    if (!isUnknownOrRight(usual, outcome, part, made.value) || longestId(stored) > MAX_ID)
      found.wrong.push(`${what} makes ${describe(outcome)}`)
  }
}

const IS_CALLBACK = /^read|^prepareCallback$/

/** Other words and ids of a provider are right where it has such. */
function isUnknownOrRight(usual: Outcome, found: Outcome, part: Part, value: string): boolean {
  const is_word = part.words?.includes('"~"') === true && !('thrown' in found)
  return is_word || isCautious(usual, found, [value, part.stand_in], part)
}

/** Maximum stored length of a provider's id. */
const MAX_ID = 256

function longestId(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((longest, [name, member]) => {
    const own = /remote_id|reference$|reversal_of/.test(name) && typeof member === 'string' ? member.length : 0
    return Math.max(longest, own, longestId(member))
  }, 0)
}

function describe(outcome: Outcome): string {
  if ('thrown' in outcome) return String(outcome.thrown).slice(0, 300)
  const text = JSON.stringify(outcome.returned, (_, value) =>
    typeof value === 'bigint' ? `${value}n` : shorten(value),
  )
  return text.slice(0, 600)
}

const shorten = (value: unknown) =>
  typeof value === 'string' && value.length > 60 ? `${value.slice(0, 20)}… (${value.length})` : value
