import type { Route } from './routes.ts'

/** A route to attack: its address and headers let the caller in. */
export interface Target extends Pick<Route, 'method' | 'path' | 'body_limit' | 'required'> {
  address: string
  headers: Record<string, string>
  /** Index of the first hostile text and structure that it gets. */
  turn: number
  /** The fields with a valid value each. */
  samples: Record<string, unknown>
  /** Fields that get a text as long as a whole body; the others have got one at other routes that read them alike. */
  alone: readonly string[]
}

/** Hostile request. */
export interface HostileCase {
  what: string
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** Texts that patterns, parsers and conversions have been slow with. */
export const TEXTS: Readonly<Record<string, string>> = {
  letters: 'a',
  dots: '.',
  zeros: '0',
  blanks: ' ',
  'lines and tabs': '\n\t',
  'accents that combine': 'e\u0301\u0323',
  'digits of phones': '+8000000010 ',
  'signs of addresses': 'a@.',
  'open brackets': '[{"a":',
  'quotes of Python': "{'a': '",
  'backslashes and quotes': '\\"',
  'percent signs': '%2',
  commas: ',0',
  slashes: '/../',
  'wide letters': '\u{1f600}ﷺ',
}

/**
 * So many of the texts are sent in all fields of one route at once; the next route gets the next ones. Each kind of field also gets
 * one alone. All routes read structures with the same code, so each gets one of them.
 */
const TEXTS_AT_ONE_ROUTE = 2

/** Return a part of the texts, beginning where the previous route's part ended. */
function textsInRotation(turn: number): [what: string, part: string][] {
  const all = Object.entries(TEXTS)
  const first = turn * TEXTS_AT_ONE_ROUTE
  return Array.from({ length: TEXTS_AT_ONE_ROUTE }, (_, index) => all[(first + index) % all.length]!)
}

/** The address and the headers of a request have 16 kB together. */
const QUERY_BYTES = 12_000

/** All hostile requests for a route. */
export function* hostileCases(target: Target): Generator<HostileCase> {
  if (target.method === 'GET') return yield* hostileQueries(target)
  const type = 'application/json'
  for (const [what, body] of jsonBodies(target))
    yield { ...toCase(target, what, body), headers: { ...target.headers, 'content-type': type } }
  const form = 'application/x-www-form-urlencoded'
  for (const [what, body] of formBodies(target))
    yield { ...toCase(target, `a form with ${what}`, body), headers: { ...target.headers, 'content-type': form } }
}

const toCase = ({ method, address: path }: Target, what: string, body: Buffer) => ({ what, method, path, body })

function* jsonBodies(target: Target): Generator<[what: string, body: Buffer]> {
  const { body_limit: limit, samples, required, turn, alone } = target
  const names = Object.keys(samples)
  const valid = (without?: string) =>
    Object.fromEntries(required.filter((name) => name !== without).map((name) => [name, samples[name]]))
  for (const [what, part] of textsInRotation(turn)) {
    const each = writtenText(part, (limit - 200) / Math.max(1, names.length) - 60)
    const fields = names.flatMap((name, at) => [`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`, ...each])
    yield [`${what} in all fields`, join('{', ...fields, '}')]
  }
  const all = structuresOf(limit - 100)
  const [what, value] = all[turn % all.length]!
  // Each structure is the body of one route, and a field of the next route that gets it.
  yield Math.floor(turn / all.length) % 2 === 0
    ? [`${what} as the body`, value]
    : [`${what} as a field`, join('{"metadata":', value, '}')]
  if (turn % 4 === 0) yield ['paths as names', join(objectOf(limit, (index) => `"metadata.k${index}":1`))]
  for (const name of alone) {
    const others = JSON.stringify(valid(name)).slice(1, -1)
    const room = limit - others.length - name.length - 100
    if (room < 0) continue
    const [what, part] = Object.entries(TEXTS)[(turn + names.indexOf(name)) % Object.keys(TEXTS).length]!
    const before = `{${others}${others && ','}${JSON.stringify(name)}:`
    yield [`${what} in ${name}`, join(before, ...writtenText(part, room), '}')]
  }
}

const join = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))

const written = new Map<string, Buffer>()

/** A text as JSON, in parts. Each is written once, as long as it gets, because that takes longer than reading it. */
function writtenText(part: string, bytes: number): ['"', Buffer, '"'] {
  const size = Buffer.byteLength(JSON.stringify(part)) - 2
  const length = size * Math.max(1, Math.floor(bytes / size))
  let longest = written.get(part) ?? Buffer.alloc(0)
  if (longest.length < length) longest = Buffer.from(JSON.stringify(textOf(part, bytes))).subarray(1, -1)
  written.set(part, longest)
  return ['"', longest.subarray(0, length), '"']
}

const made = new Map<number, [what: string, value: Buffer][]>()

function structuresOf(bytes: number): [what: string, value: Buffer][] {
  const write = ([what, value]: [string, string]): [string, Buffer] => [what, Buffer.from(value)]
  const all = made.get(bytes) ?? Object.entries(structures(bytes)).map(write)
  made.set(bytes, all)
  return all
}

/** Values of about so many bytes. */
export function structures(bytes: number): Record<string, string> {
  const repeat = (part: string) => part.repeat(Math.max(1, Math.floor(bytes / part.length) - 1))
  return {
    'deep lists': `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
    'deep objects': `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
    'many keys': objectOf(bytes, (index) => `"k${index}":1`),
    'many numbers': `[${repeat('1,')}1]`,
    'many texts': `[${repeat('"1",')}"1"]`,
    'many objects': `[${repeat('{"a":1},')}1]`,
    'one long number': repeat('9'),
    'long fractions': `[${repeat('0.00000000000000000001,')}1]`,
  }
}

function objectOf(bytes: number, write: (index: number) => string): string {
  const parts: string[] = []
  for (let [size, index] = [2, 0]; ; index += 1) {
    const part = write(index)
    size += part.length + 1
    if (size > bytes) return `{${parts.join(',')}}`
    parts.push(part)
  }
}

function* formBodies({ body_limit: limit, samples, turn }: Target): Generator<[what: string, body: Buffer]> {
  if (turn % 4 === 0) {
    yield ['many fields', join('f=1&'.repeat(Math.min(999, limit / 4)))]
    yield ['long paths', join(`metadata${'[a]'.repeat(limit / 3 - 10)}=1`)]
  }
  const [what, part] = textsInRotation(turn)[0]!
  const names = Object.keys(samples)
  const text = encodeURIComponent(textOf(part, limit / 9 / Math.max(1, names.length) - 20))
  const fields = names.map((name) => `${encodeURIComponent(name)}=${text}`).join('&')
  yield [`${what} in all fields`, join(fields.slice(0, limit))]
}

/** Many times a part, in at most so many bytes of JSON. */
export function textOf(part: string, bytes: number): string {
  const size = Buffer.byteLength(JSON.stringify(part)) - 2
  return part.repeat(Math.max(1, Math.floor(bytes / size)))
}

/** Each text in all parameters of a list, and in the headers that are read. */
function* hostileQueries(target: Target): Generator<HostileCase> {
  const { address: path, headers, samples, turn } = target
  const names = Object.keys(samples).length > 0 ? Object.keys(samples) : ['search', 'cursor']
  const base = { method: 'GET', body: join() }
  for (const [what, part] of textsInRotation(turn)) {
    const each = encodeURIComponent(part.repeat(Math.max(1, Math.floor(QUERY_BYTES / 9 / names.length / part.length))))
    const query = names.map((name) => `${encodeURIComponent(name)}=${each}`).join('&')
    yield { ...base, what: `${what} in the query`, path: `${path}?${query}`, headers }
  }
  yield { ...base, what: 'many parameters', path: `${path}?${'a&'.repeat(QUERY_BYTES / 2)}`, headers }
}
