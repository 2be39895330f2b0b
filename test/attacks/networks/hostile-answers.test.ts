import { expect, it } from 'vitest'
import { parseJsonAsTexts } from '../../../src/drivers/numbers.ts'
import { redactCallback } from '../../../src/drivers/redact.ts'
import { MAX_ANSWER_BYTES, parseJson } from '../../../src/lib/http/http-call.ts'
import { printFigure } from '../figures.ts'
import { allowedTurn } from '../texts/turns.ts'

/*
 * A network, an SMS provider or a biller answers with 1 MB that is made to be read slowly. All drivers read JSON with these
 * functions.
 */

const repeat = (part: string) => part.repeat(Math.floor((MAX_ANSWER_BYTES - 10) / part.length))
const ANSWERS: Readonly<Record<string, string>> = {
  'very many names': `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  'deep lists': `${'['.repeat(MAX_ANSWER_BYTES / 2)}${']'.repeat(MAX_ANSWER_BYTES / 2)}`,
  'very many numbers': `[${repeat('1,')}1]`,
  'as many numbers as are read': `[${'1.1,'.repeat(149_000)}1]`,
  'as many objects as are read': `[${'{"a":1},'.repeat(74_000)}1]`,
  'escaped letters': `[${'"\\u0041",'.repeat(110_000)}1]`,
  backslashes: `["${repeat('\\\\')}"]`,
  'an open quote': `["${repeat('a')}`,
  quotes: repeat('"'),
  'one long number': repeat('9'),
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'as JSON': parseJson,
  'as JSON with exact numbers': parseJsonAsTexts,
  'without its secrets': (body) =>
    redactCallback({ method: 'POST', path: '', query: '', headers: {}, address: '', body: body.slice(0, 65_536) }, [
      'pin',
    ]),
}

it.each(Object.keys(READERS))('an answer read %s holds the event loop for no more than 50 ms', (how) => {
  const allowed_ms = allowedTurn()
  const times = Object.entries(ANSWERS).map(([what, text]) => {
    const tries = Array.from({ length: 4 }, () => {
      const before = process.threadCpuUsage()
      READERS[how]!(text)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    })
    return { what, ms: Math.round(Math.min(...tries)) }
  })
  const longest = times.reduce((one, other) => (other.ms > one.ms ? other : one))
  printFigure('hostile-answers', `1 MB read ${how}: at most ${longest.ms} ms of processor time (${longest.what})`)
  expect(times.filter(({ ms }) => ms > allowed_ms)).toEqual([])
})
