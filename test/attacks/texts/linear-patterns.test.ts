import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { printFigure } from '../figures.ts'

/*
 * Outside texts that a pattern could read again and again: a megabyte of zeros, dots or blanks. Every pattern of the program is
 * proven linear, and runs over long hostile texts.
 */

/** Samples of the patterns that a file builds of parts. */
const BUILT_PATTERNS: Readonly<Record<string, readonly RegExp[]>> = {
  'src/db/sql.ts': [/\bselect\s+\*\s+from\s+(?:unnest\(|found\b(?!\())/gi],
  'src/console/connections/views.ts': [/(^|[^\w-])client_id([^\w-]|$)/],
  'src/core/bills/account-patterns.ts': [/^ZA-\d{3}\/[A-Za-z\d]{60}$/i],
  'src/core/invoices/due-days.ts': [
    /^(?<day>\d{1,2})(?:st|nd|rd|th|er)? (?:of )?(?<month>\p{L}{3,})(?: (?<year>\d{4}))?$/u,
    /^(?<month>\p{L}{3,}) (?<day>\d{1,2})(?:st|nd|rd|th|er)?(?: (?<year>\d{4}))?$/u,
  ],
  'src/core/documents/series.ts': [/^(?:INV-)?0*(\d{1,15})$/i],
  'src/lib/smpp/receipts.ts': [/(?:^|\s)stat:\s*([^\s:]+)(?=\s|$)/i],
  'src/networks/airtel-money/places.ts': [/^\+256(7[0457]\d{7})$/],
  'src/networks/pawapay/places.ts': [/^\+256(7[0457]\d{7})$/],
  'src/senders/twilio/settings.ts': [/^AC[0-9a-fA-F]{32}$/],
  'src/simulator/doors/pawapay/providers.ts': [/^256(7[0457]\d{7})$/],
}

/** The patterns of the checks of zod that the program uses. */
const ZOD_PATTERNS = [z.regexes.email, z.regexes.datetime({ offset: true }), z.regexes.datetime({}), z.regexes.uuid()]

interface Node {
  type: string
  [name: string]: unknown
}

/** The patterns of a program, each with a place where it stands, and the files that build patterns of parts. */
function collectPatterns(folders: readonly string[]) {
  const patterns = new Map<string, { pattern: RegExp; file: string }>()
  const builders = new Set<string>()
  const add = (pattern: RegExp, file: string) => patterns.set(String(pattern), { pattern, file })
  for (const file of folders.flatMap(sourcesOf))
    for (const node of walk(parseSync(file, readFileSync(file, 'utf8')).program)) {
      const regex = node.regex as { pattern: string; flags: string } | undefined
      if (regex) add(new RegExp(regex.pattern, regex.flags), file)
      if (isCallOfRegExp(node)) builders.add(file)
    }
  for (const [file, built] of Object.entries(BUILT_PATTERNS)) for (const pattern of built) add(pattern, file)
  for (const pattern of ZOD_PATTERNS) add(pattern, 'zod')
  return { patterns: [...patterns.values()], builders }
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => `${folder}/${path}`)
}

function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const part of Object.values(value)) yield* walk(part)
}

function isCallOfRegExp({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && (callee as { name?: string }).name === 'RegExp'
}

/** Patterns without repetition read each place of a text once. */
const REPEATS = /[*+?{]/
/** Some proofs are attempts with random texts. They are the same in every run. */
const PROOF_TIMEOUT_MS = 120_000

/**
 * Patterns that were proven by the version of recheck that stands above them: proving all takes a minute and a half of processor time.
 * `KUSANYA_PATTERNS=write npx vitest run test/attacks/texts/linear-patterns.test.ts` proves all, and writes the list anew.
 */
const PROVEN = new URL('proven-patterns.txt', import.meta.url)
const VERSION = `recheck ${JSON.parse(readFileSync('node_modules/recheck/package.json', 'utf8')).version}`
const writes = process.env.KUSANYA_PATTERNS === 'write'
/** So many of the list are proven again in each run. */
const SAMPLE = 20

const digestOf = (pattern: RegExp) => createHash('sha256').update(String(pattern)).digest('hex').slice(0, 16)

function readProven(): Set<string> {
  const [version, ...digests] = readFileSync(PROVEN, 'utf8').trim().split('\n')
  return new Set(writes || version !== VERSION ? [] : digests)
}

const { patterns, builders } = collectPatterns(['src', 'web', 'packages/client/src'])
const repeating = patterns.filter(({ pattern }) => REPEATS.test(pattern.source))

it('knows what every pattern looks like that is built of parts', () => {
  expect([...builders].sort()).toEqual(Object.keys(BUILT_PATTERNS).sort())
})

it('every pattern of the program is linear', { timeout: 900_000 }, async () => {
  const proven = readProven()
  const first = Math.floor(Math.random() * repeating.length)
  const isSampled = (index: number) => (index - first + repeating.length) % repeating.length < SAMPLE
  const doubtful: string[] = []
  for (const { pattern, file } of repeating.filter(
    (one, index) => isSampled(index) || !proven.has(digestOf(one.pattern)),
  )) {
    const found = await check(pattern.source, pattern.flags, { timeout: PROOF_TIMEOUT_MS, randomSeed: 1 })
    if (found.status !== 'safe')
      doubtful.push(`${file}: ${pattern} is ${found.status === 'vulnerable' ? found.complexity.summary : found.status}`)
  }
  expect(doubtful).toEqual([])
  const digests = repeating.map(({ pattern }) => digestOf(pattern)).sort()
  if (writes) writeFileSync(PROVEN, `${[VERSION, ...digests].join('\n')}\n`)
})

/** So long that what takes quadratic time takes minutes. */
const LENGTH = 200_000
/** A thousand times what a linear pattern takes. */
const LIMIT_MS = 10_000
const PARTS = [
  ' ',
  '\t',
  '\n',
  '0',
  'a',
  'A',
  '.',
  ',',
  '/',
  '-',
  '=',
  '"',
  '\\',
  '\\"',
  "'",
  '<a ',
  '{',
  '[a]',
  '(',
  ' -',
  '@.',
  '0,',
  '%',
  ':',
  '__',
]

it('no pattern takes long for a long hostile text', { timeout: 900_000 }, () => {
  const slow: string[] = []
  const context = createContext({ pattern: /x/, text: '' })
  let runs = 0
  for (const { pattern, file } of repeating)
    for (const text of hostileTexts(pattern)) {
      Object.assign(context, { pattern: new RegExp(pattern), text })
      runs += 1
      try {
        runInContext(pattern.global ? 'text.replace(pattern, "")' : 'pattern.exec(text)', context, {
          timeout: LIMIT_MS,
        })
      } catch (error) {
        slow.push(`${file}: ${pattern} on ${JSON.stringify(text.slice(0, 40))}: ${error}`)
        break
      }
    }
  expect(slow).toEqual([])
  printFigure(
    'linear-patterns',
    `${patterns.length} patterns are proven linear; ${runs} runs over hostile texts of 200 kB end in time`,
  )
})

/** Long repetitions: of common parts, and of the words of the pattern itself; each with an end that spoils a match. */
function* hostileTexts({ source }: RegExp): Generator<string> {
  const words = source.match(/[a-z][a-z ]+/gi) ?? []
  for (const part of new Set([...PARTS, ...words]))
    yield `${words[0] ?? ''}${part.repeat(Math.ceil(LENGTH / part.length))}\0`
}
