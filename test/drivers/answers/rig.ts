import type { DriverTools, OpenedConnection, OutgoingCall } from '../../../src/drivers/contract.ts'
import type { UnknownOutcome } from '../../../src/lib/adapter-types.ts'
import type { HttpAnswer } from '../../../src/lib/http/http-call.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { WrongStatement } from '../../../src/lib/statements/statement-line.ts'
import { type Bound, openBound } from '../bound.ts'
import { ABSENT, type MutatedBody, mutatedBodies, mutatedForms, writeForm } from './mutations.ts'

/*
 * Answers of providers, as they write them, and what a driver makes of each when one member is missing or is something else.
 */

/** A text that a provider sends: the answer to a call, or a callback. */
export interface Part {
  body: unknown
  /** The HTTP status of an answer; 200 unless given. */
  status?: number
  headers?: Record<string, string>
  /** Format of the body. Default: JSON. */
  as?: 'form' | 'text'
  /**
   * The members that decide: state, ids, amounts, and what proves them. `*` stands for any name or index. All others are not
   * needed. What contains a deciding member decides, too.
   */
  decides?: readonly string[]
  /** Mutations of deciding members that are words of the provider, such as `false`. */
  words?: readonly string[]
  /** The id that stands for one of the provider that cannot be read. */
  stand_in?: string
  /** The text comes before an order is sent, so that without it nothing was sent. */
  comes_first?: true
}

/** Operation of a driver with the texts that the provider sends for it, by name. */
export interface Recording {
  /** The operation as the driver names it, and what is special about this recording. */
  operation: string
  about?: string
  parts: Readonly<Record<string, Part>>
  /** Run the driver on these texts. */
  run(texts: Readonly<Record<string, SentText>>): unknown
}

export interface SentText extends Pick<Part, 'status' | 'headers'> {
  text: string
  /** Make the call to a server that sends this text; without it the text is there at once. */
  call?(call: OutgoingCall): Promise<HttpAnswer | UnknownOutcome>
}

/** The texts of a recording, what the driver makes of them, and how it is asked with others. */
export async function openRecording(recording: Recording) {
  const texts = Object.fromEntries(Object.entries(recording.parts).map(([name, part]) => [name, toText(part)]))
  const ask = (changed: Record<string, SentText> = {}) => outcomeOf(() => recording.run({ ...texts, ...changed }))
  const usual = await ask()
  if ('thrown' in usual) throw usual.thrown
  if (saysNothing(usual)) throw new Error(`The recording itself says nothing: ${JSON.stringify(usual.returned)}`)
  return { texts, ask, usual }
}

/** Try the driver on each mutation of a recording, and return its faults. */
export async function tryRecording(recording: Recording): Promise<{ faults: string[]; count: number }> {
  const { texts, ask, usual } = await openRecording(recording)
  const faults: string[] = []
  let count = 0
  for (const [name, part] of Object.entries(recording.parts)) {
    for (const mutated of mutationsOf(part)) {
      const is_deciding = decides(part, mutated.path)
      if (is_deciding && isNoGarbage(part, mutated)) continue
      count += 1
      const found = await ask({ [name]: { ...texts[name]!, text: mutated.text } })
      const is_allowed = is_deciding
        ? isCautious(usual, found, [mutated.said, part.stand_in], part)
        : isSame(usual, found)
      if (!is_allowed) faults.push(`${name}: ${mutated.path} ${mutated.what} makes ${show(found)} of ${show(usual)}`)
    }
    for (const broken of brokenTexts(part, texts[name]!, recording.operation === 'send')) {
      count += 1
      const found = await ask({ [name]: broken })
      if (!isSame(usual, found) && !isOpen(found) && !(part.comes_first && isNotSent(found)))
        faults.push(`${name}: HTTP ${broken.status} ${broken.text.slice(0, 80)} makes ${show(found)}`)
    }
  }
  return { faults, count }
}

/** Return true if a mutation is a word of the provider, or a list without one of its items. */
function isNoGarbage({ words = [] }: Part, { path, what }: MutatedBody): boolean {
  return words.includes(what) || (what === ABSENT && /(?:^|\.)\d+$/.test(path))
}

function toText({ body, as, ...rest }: Part): SentText {
  return { ...rest, text: as === 'form' ? writeForm(body) : as === 'text' ? String(body) : JSON.stringify(body) }
}

function mutationsOf({ body, as }: Part): MutatedBody[] {
  return as === 'form' ? mutatedForms(body) : mutatedBodies(body, JSON.stringify)
}

/** Return true if a body has a member, in which `*` stands for any name or index. */
export function hasMember(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  if (name === '*') return Object.values(value).some((one) => hasMember(one, rest))
  return Object.hasOwn(value, name) && hasMember((value as Record<string, unknown>)[name], rest)
}

/** Return true if a member decides, or contains one that does. */
function decides({ decides: patterns = [] }: Part, path: string): boolean {
  const names = path.split('.')
  return patterns.some((pattern) => {
    const wanted = pattern.split('.')
    return names.length <= wanted.length && names.every((name, at) => wanted[at] === '*' || wanted[at] === name)
  })
}

/** Texts that are no answer of the provider: another text, or the beginning of one, and statuses that say nothing. */
function brokenTexts({ as, words = [] }: Part, sent: SentText, is_sms: boolean): SentText[] {
  // The rest of a cut form is a form.
  if (as === 'form') return []
  const { text } = sent
  const cuts = Array.from({ length: CUTS }, (_, index) => text.slice(0, Math.floor((index * text.length) / CUTS)))
  const others = ['{}', '[]', 'null', '{"', 'true', '0', '"OK"', '~', '<html><h1>502 Bad Gateway</h1></html>', '\u0000']
  return [
    ...[...cuts, ...others].filter((other) => !words.includes(other)).map((other) => ({ ...sent, text: other })),
    ...[...OTHER_STATUSES, ...(is_sms ? [] : REFUSALS)].map((status) => ({ ...sent, status, text: '<html></html>' })),
  ]
}

/** In how many places a text is cut. */
const CUTS = 24

const OTHER_STATUSES = [204, 301, 500, 502, 503]
/** These say of an SMS that it was not taken, which may be sent again. Of an order and a purchase they say nothing. */
const REFUSALS = [403, 404, 409, 418, 429]

/** Outcome of an operation: its result, or the error of an incomplete statement. Another error is a fault. */
export type Outcome = { returned: unknown } | { thrown: unknown }

async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { returned: await run() }
  } catch (error) {
    return { thrown: error }
  }
}

function saysNothing(outcome: Outcome): boolean {
  if ('thrown' in outcome) return outcome.thrown instanceof WrongStatement
  const { outcome: word, subject } = (outcome.returned ?? { outcome: 'unknown' }) as Record<string, unknown>
  return word === 'unknown' || subject === 'unrecognized'
}

/** Return true if the outcome says nothing, an order is still open, or a callback only causes a query. */
function isOpen(outcome: Outcome): boolean {
  if (saysNothing(outcome)) return true
  if ('thrown' in outcome) return false
  const { outcome: word, subject, verified, answer, reports } = outcome.returned as Record<string, unknown>
  if (subject === 'reports') return (reports as { state: string }[]).every(({ state }) => state === 'sent')
  if (subject === 'order' || subject === 'vend')
    return verified === false || (answer !== null && isOpen({ returned: answer }))
  return word === 'accepted' || word === 'asked'
}

/** Return true if an order was certainly not sent. */
function isNotSent(outcome: Outcome): boolean {
  if ('thrown' in outcome) return false
  const { outcome: word, reason } = outcome.returned as Record<string, unknown>
  return word === 'failed' && (reason === 'unreachable' || reason === 'no_answer')
}

/** Return true if the deciding members are equal. */
function isSame(one: Outcome, other: Outcome): boolean {
  return !('thrown' in one) && !('thrown' in other) && show(one) === show(other)
}

/**
 * Return true if a deciding member was read with care. The outcome is open, or it is the usual one, whose ids and
 * amounts may be missing or come from the member.
 */
export function isCautious(
  usual: Outcome,
  found: Outcome,
  said: readonly (string | undefined)[],
  { comes_first }: Part,
): boolean {
  if (isOpen(found) || isSame(usual, found) || (comes_first && isNotSent(found))) return true
  if ('thrown' in found || 'thrown' in usual) return false
  return isLike(decidingOf(usual.returned), decidingOf(found.returned), said)
}

function isLike(usual: unknown, found: unknown, said: readonly (string | undefined)[]): boolean {
  if (usual === found || found === undefined || found === null) return true
  if (Array.isArray(found)) return found.every((one) => (usual as unknown[]).some((other) => isLike(other, one, said)))
  if (typeof found === 'object')
    return Object.entries(found).every(([name, one]) => isLike((usual as Record<string, unknown>)?.[name], one, said))
  return said.some(
    (text = '') => isSameWord(found, text) || String(found) === String(Number(text)) || found === parseAmount(text),
  )
}

/** Return true if this is a word in any case; a driver may put its own mark before an id, such as `biller:`. */
function isSameWord(found: unknown, text: string): boolean {
  const word = String(found).toLowerCase()
  return word === text.toLowerCase() || word.endsWith(`:${text.toLowerCase()}`)
}

/** Return the deciding part of an outcome, without its words and details. */
function decidingOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decidingOf)
  if (value instanceof Date || typeof value !== 'object' || value === null) return value
  // These are the payer's text, and the id of an inbound SMS, which may be made of its content.
  const is_detail = (name: string) =>
    DETAILS.has(name) || (name === 'reference' && 'receiver' in value) || (name === 'remote_id' && 'text' in value)
  const members = Object.entries(value).filter(([name, member]) => !is_detail(name) && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, decidingOf(member)]))
}

/** Words, dates, prices and other details, which may be missing or have a stand-in. */
const DETAILS: ReadonlySet<string> = new Set([
  'message',
  'name',
  'reason',
  'code',
  'retry',
  'retry_after_s',
  'fee',
  'paid_at',
  'at',
  'parts',
  'cost',
  'charged',
  'phonenumber',
  'phonenumbers',
  'order_reference',
  'hides_order',
  'payment',
  'account_number',
  'holder',
  'other_ids',
  'amount_of_power',
  'pins',
  'provider_message',
  'raw_output',
  'more',
  'min',
  'max',
  'decimals',
  'commission_percent',
])

function show(outcome: Outcome): string {
  if ('thrown' in outcome) return `the error ${String(outcome.thrown)}`
  return JSON.stringify(decidingOf(outcome.returned), (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Find the answer to a call. */
type Answering = (call: OutgoingCall) => SentText

const byVerb =
  (texts: Readonly<Record<string, SentText>>): Answering =>
  ({ verb }) => {
    const sent = texts[verb]
    if (!sent) throw new Error(`The call "${verb}" has no recorded answer.`)
    return sent
  }

/** Tools of a driver whose calls get recorded answers. */
function recordedTools(answering: Answering, now: Date): DriverTools {
  return {
    async http(call: OutgoingCall): Promise<HttpAnswer | UnknownOutcome> {
      const sent = answering(call)
      if (sent.call) return sent.call(call)
      const { status = 200, headers = {}, text } = sent
      return { outcome: 'answered', status, headers: new Headers(headers), text, incomplete: null }
    },
    openSocket: () => Promise.reject(new Error('No recorded driver opens a socket.')),
    tokens: {
      async get(_, fetch) {
        const fetched = await fetch()
        return 'token' in fetched ? { outcome: 'token', token: fetched.token } : fetched
      },
      refuse: () => {},
    },
    now: () => now,
    callbackUrl: (reference, purpose) => [CALLBACK_URL, reference, purpose].filter(Boolean).join('/'),
    alarm: () => {},
  }
}

export const CALLBACK_URL = 'https://pay.example.com/api/callbacks/own/00ff'

/** A driver with its recordings. */
export interface RecordedDriver {
  code: string
  name: string
  /** The operations that it offers with the settings of the recordings. */
  offers: readonly string[]
  recordings: readonly Recording[]
}

/** Return a recorder that opens a driver whose calls get recorded answers, and records its operations. */
export function recorder<Operations extends object>(
  driver: {
    code: string
    name: string
    settings: { parse(values: unknown): unknown }
    open(connection: OpenedConnection<never>, tools: DriverTools): Operations
  },
  connection: { environment: string; hosts: Record<string, string>; settings: Record<string, unknown>; now: Date },
) {
  const { environment, hosts, settings, now } = connection
  const openWith = (answering: Answering, given: Record<string, unknown> = {}) =>
    openBound(
      driver,
      { slug: 'own', environment, hosts, settings: driver.settings.parse({ ...settings, ...given }) } as never,
      recordedTools(answering, now),
    )
  const open = (texts: Readonly<Record<string, SentText>>, given: Record<string, unknown>) =>
    openWith(byVerb(texts), given)
  return {
    openWith,
    open,
    recorded: (recordings: readonly Recording[]): RecordedDriver => ({
      code: driver.code,
      name: driver.name,
      offers: Object.keys(open({}, {})),
      recordings,
    }),
    /** A recording of an operation that makes calls; the names of the parts are the verbs of the calls. */
    calls: (
      operation: keyof Operations & string,
      ask: (operations: Required<Bound<Operations>>) => unknown,
      parts: Recording['parts'],
      { about, given = {} }: { about?: string; given?: Record<string, unknown> } = {},
    ): Recording => ({
      operation,
      ...(about && { about }),
      parts,
      run: (texts) => ask(open(texts, given) as Required<Bound<Operations>>),
    }),
  }
}

/** All lines of a statement, which the provider gives out page by page. */
export async function linesOf<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const all: Line[] = []
  for await (const line of lines) all.push(line)
  return all
}
