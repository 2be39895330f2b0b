import { Readable } from 'node:stream'
import type { UnknownOutcome } from '../adapter-types.ts'
import { getMessage } from '../messages/message.ts'
import { isBoundedJson } from '../structured-input.ts'

/** HTTP call to a service that the operator of this installation chose. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string> | Headers
  /** The exact text to send; left out for none. */
  body?: string | null
  /** The time for everything together: connection, request, answer. */
  timeout_ms: number
  /** The rest of a longer answer is not read. */
  max_answer_bytes?: number
  /** Name of the called service in messages, such as `biller`. */
  callee: string
  /** True if a redirect is followed. By default its 3xx status is the answer. */
  follow_redirects?: boolean
  /** Ends the call early. */
  signal?: AbortSignal
  /** Transport of the call; `fetch` unless given. */
  transport?: Transport
}

/** Sends a call and returns the beginning of the answer. It rejects when there is no status line. */
export type Transport = (
  call: Required<Pick<HttpCall, 'method' | 'url' | 'headers' | 'signal'>> & { body: string | null },
) => Promise<{ status: number; headers: Headers; body: AsyncIterable<Uint8Array> | null }>

/** Answer to the call. `incomplete` is the reason why `text` is not the whole body; null when it is. */
export interface HttpAnswer {
  outcome: 'answered'
  status: number
  headers: Headers
  text: string
  incomplete: string | null
}

/** A complete answer. `body` is undefined when the text is not JSON. */
export interface JsonAnswer {
  outcome: 'answered'
  status: number
  body: unknown
}

export type JsonCall = Omit<HttpCall, 'body'> & {
  body?: object
  /** Secrets of the call. Where the answer repeats one it has `***`, because messages of answers are stored and shown. */
  secrets?: readonly string[]
}

/** An adapter reads a few kB at most. More than this is a mistake at the other end and must not fill the memory. */
export const MAX_ANSWER_BYTES = 1024 * 1024

/**
 * Makes one HTTP call. It never throws: without a status line the outcome is `unknown`, because the call may have taken
 * effect. Once the status is known, an answer that breaks off or is too long is returned up to that point.
 */
export async function callHttp(call: HttpCall): Promise<HttpAnswer | UnknownOutcome> {
  const { method, url, headers, body = null, callee, max_answer_bytes = MAX_ANSWER_BYTES } = call
  const { signal, clear } = startLimit(call)
  const send: Transport =
    call.transport ?? ((sent) => fetch(sent.url, { ...sent, redirect: call.follow_redirects ? 'follow' : 'manual' }))
  try {
    const response = await send({ method, url, headers, body, signal })
    const { text, incomplete } = await readBody(response, callee, max_answer_bytes)
    return {
      outcome: 'answered',
      status: response.status,
      // Few callers read the headers, and a transport may make them only then.
      get headers() {
        return response.headers
      },
      text,
      incomplete,
    }
  } catch (error) {
    return { outcome: 'unknown', message: noAnswerMessage(callee, error) }
  } finally {
    clear()
  }
}

/** Makes the signal that ends a call, after its time or when its caller wants it. It costs less than `AbortSignal.any`. */
function startLimit({ timeout_ms, signal }: HttpCall): { signal: AbortSignal; clear(): void } {
  const limit = new AbortController()
  const endLate = () => limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const endEarly = () => limit.abort(signal!.reason)
  const timer = setTimeout(endLate, timeout_ms)
  if (signal?.aborted) endEarly()
  signal?.addEventListener('abort', endEarly)
  return {
    signal: limit.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', endEarly)
    },
  }
}

/**
 * Makes one HTTP call that sends and receives JSON. It never throws: a time-out, a refused connection, a broken answer
 * and one that is too long have the outcome `unknown`.
 */
export async function callJson({
  body,
  headers,
  secrets = [],
  ...call
}: JsonCall): Promise<JsonAnswer | UnknownOutcome> {
  const json_headers = new Headers(headers)
  if (body) json_headers.set('content-type', 'application/json')
  const answer = await callHttp({ ...call, headers: json_headers, body: body && JSON.stringify(body) })
  if (answer.outcome === 'unknown') return answer
  if (answer.incomplete !== null) return { outcome: 'unknown', message: answer.incomplete }
  return { outcome: 'answered', status: answer.status, body: parseJson(maskSecrets(answer.text, secrets)) }
}

/** A shorter word is no secret, and may be a part of many others. */
const MIN_SECRET_CHARACTERS = 6

function maskSecrets(text: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
  return long.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
}

/** The outcome of an answer that does not have the expected form. */
export function unreadableAnswer(callee: string, { status }: { status: number }): UnknownOutcome {
  return { outcome: 'unknown', message: getMessage('http.answer_cannot_understood', { callee, code: status }) }
}

/**
 * The value that a JSON text stands for; undefined when the text is not JSON, or would take long to read (`isBoundedJson`). A
 * number that a double would change, such as an id above 2^53, is the text that was sent.
 */
export function parseJson(text: string): unknown {
  try {
    if (!isBoundedJson(text)) return undefined
    // A reviver makes parsing many times slower, so it is used only where the text has a long row of digits.
    return MAYBE_INEXACT.test(text) ? parseWithSource(text, keepDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAYBE_INEXACT = /\d[\d.]{15}/

/** The typings do not yet have the third parameter: the source text of each number (ECMAScript 2026). */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && source.length > 15 && String(value) !== source ? source : value

async function readBody(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  callee: string,
  max_bytes: number,
): Promise<Pick<HttpAnswer, 'text' | 'incomplete'>> {
  const chunks: Uint8Array[] = []
  let left_bytes = max_bytes
  /** Returns true if the answer is still within the limit. */
  const take = (chunk: Uint8Array) => {
    chunks.push(chunk.subarray(0, left_bytes))
    left_bytes -= chunk.length
    return left_bytes >= 0
  }
  try {
    const is_whole = await (body instanceof Readable ? readStream(body, take) : readInTurn(body ?? [], take))
    if (is_whole) return { text: wholeText(chunks), incomplete: null }
    return {
      text: beginningText(chunks),
      incomplete: getMessage('http.answer_longer_bytes', { callee, max: max_bytes }),
    }
  } catch (error) {
    return { text: beginningText(chunks), incomplete: noAnswerMessage(callee, error) }
  }
}

/** Takes a chunk, and returns true if more are wanted. */
type TakeChunk = (chunk: Uint8Array) => boolean

/** Reads a body until it ends or no more is wanted, and returns true if it has ended. */
async function readInTurn(body: AsyncIterable<Uint8Array> | [], take: TakeChunk): Promise<boolean> {
  // Leaving the loop early ends the connection, so the rest of a long answer is never received.
  for await (const chunk of body) if (!take(chunk)) return false
  return true
}

/** Like `readInTurn`, without its promises for each chunk. */
function readStream(body: Readable, take: TakeChunk): Promise<boolean> {
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      if (body.destroyed || take(chunk)) return
      resolve(false)
      body.destroy()
    })
    body.on('end', () => resolve(true))
    body.on('error', reject)
    body.on('close', () => {
      if (!body.readableEnded) reject(new Error('Premature close'))
    })
  })
}

/** Decoder that removes a byte order mark. */
const utf8 = new TextDecoder()

function wholeText(chunks: Uint8Array[]): string {
  return utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
}

/** The text of the first chunks of an answer, without the part of a character at their end. */
function beginningText(chunks: Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
}

/** `fetch` hides the reason in `cause`, and a failure of several addresses has a code but no message. */
function noAnswerMessage(callee: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { message, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) }
  return `The ${callee} did not answer: ${message || (code ?? 'no reason given')}`
}
