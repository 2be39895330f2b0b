import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { callHttp, type HttpAnswer, MAX_ANSWER_BYTES } from '../../lib/http/http-call.ts'
import { readRetryAfter } from '../../lib/http/outgoing-http.ts'
import type { Reach } from '../../lib/http/reach.ts'
import { openTransport } from '../../lib/http/transport.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type ActiveSpan, startInside } from '../../lib/tracing/tracing.ts'
import type { OutgoingCall } from '../../networks/contract.ts'
import type { EndedCall } from './breaker.ts'
import type { AnswerClass } from './metrics.ts'
import type { Operation } from './operation.ts'

/** The HTTP client of one connection. */
interface NetworkHttp {
  /** @param operation the operation that the call belongs to, if any */
  call(call: OutgoingCall, operation?: Operation): Promise<HttpAnswer | UnknownOutcome>
  /** Wait for the calls that are under way, and close the idle connections. */
  close(): Promise<void>
}

interface NetworkHttpOptions {
  /** The slug of the connection. */
  connection: string
  /** Word for the provider in messages. */
  callee?: string
  /** Addresses that may be called. Default: any. */
  reach?: Reach | undefined
  /** Default time limit of a call in seconds, except for tokens. */
  call_s: number
  real: () => Date
  log: EventLog
  /** Called once for each call, after its end. */
  onEnded: (call: EndedCall) => void
  onMeasured: (verb: string, outcome: AnswerClass, duration_ms: number) => void
  /** The network has answered 429: it wants no calls for this long. */
  onTooMany: (wait_ms: number) => void
}

/** Wait after a 429: the default, and the maximum that is believed. */
const THROTTLED_WAIT_S = { default: 1, max: 60 }

/**
 * Create the HTTP client of one connection, with connections of its own to the network. It sends exactly the headers of
 * the call besides `host`, `connection`, `content-length` and a `user-agent`: a firewall may take the further headers
 * of `fetch` for a bot. It never throws and never repeats a call, because only a driver knows whether that is safe.
 */
export function createNetworkHttp(options: NetworkHttpOptions): NetworkHttp {
  const { transport, close } = openTransport(options.reach)
  return {
    async call(call, operation) {
      const { verb, method, url, headers = {}, body, timeout_s = usualLimitS(call, options.call_s) } = call
      const started_ms = performance.now()
      const about = { 'kusanya.connection': options.connection, 'kusanya.verb': verb, 'http.request.method': method }
      const span = startInside('network_call', about)
      const answer = await callHttp({
        method,
        url,
        headers: withUserAgent(headers),
        transport,
        callee: options.callee ?? 'network',
        ...(body === undefined ? {} : { body }),
        timeout_ms: timeout_s * 1_000,
        max_answer_bytes: MAX_ANSWER_BYTES,
      })
      report(options, call, operation, answer, performance.now() - started_ms)
      if (span) endSpan(span, answer)
      return answer
    },
    close,
  }
}

/** A token is made at once or not at all, also where a charge waits for the customer's PIN. */
export const MAX_TOKEN_CALL_S = 15

function usualLimitS({ is_token }: OutgoingCall, call_s: number): number {
  return is_token ? Math.min(call_s, MAX_TOKEN_CALL_S) : call_s
}

function withUserAgent(headers: Record<string, string>): Record<string, string> {
  const has_one = Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
  return has_one ? headers : { ...headers, 'User-Agent': 'Kusanya' }
}

/** Log and measure a call that has ended. */
function report(
  { connection, log, real, onEnded, onMeasured, onTooMany }: NetworkHttpOptions,
  { verb, is_token = false }: OutgoingCall,
  operation: Operation | undefined,
  answer: HttpAnswer | UnknownOutcome,
  duration_ms: number,
): void {
  const outcome = classOf(answer)
  const status = answer.outcome === 'answered' ? answer.status : null
  const fields = { connection, verb, outcome, status, duration_ms: Math.round(duration_ms) }
  // A token serves many orders, so its call names none of them.
  const { reference = null, collection_request = null } = (!is_token && operation) || {}
  const line = { ...fields, reference, collection_request }
  onMeasured(verb, outcome, duration_ms)
  if (answer.outcome === 'answered' && answer.status === 429) onTooMany(retryAfterMs(answer, real()))
  const end = (answered: boolean) => {
    if (answered) logEvent(log, 'network_called', line)
    else logEvent(log, 'network_not_answered', { ...line, reason: reasonOf(answer) })
    onEnded({ answered, duration_ms, is_token })
  }
  // A 401 means that nothing is processed. It is an answer where the call was repeated with a new token, and that was taken.
  const is_doubtful = outcome === '5xx' || status === 401
  if (is_doubtful && operation && !is_token) operation.judgements.push(end)
  else end(!is_doubtful && outcome !== 'no_answer')
}

function endSpan(span: ActiveSpan<'network_call'>, answer: HttpAnswer | UnknownOutcome): void {
  const outcome = classOf(answer)
  if (answer.outcome === 'answered') span.set({ 'http.response.status_code': answer.status })
  if (outcome !== '2xx' && outcome !== '3xx') span.fail(outcome)
  span.end()
}

function classOf(answer: HttpAnswer | UnknownOutcome): AnswerClass {
  if (answer.outcome === 'unknown' || answer.incomplete !== null) return 'no_answer'
  if (answer.status < 300) return '2xx'
  if (answer.status < 400) return '3xx'
  return answer.status < 500 ? '4xx' : '5xx'
}

function reasonOf(answer: HttpAnswer | UnknownOutcome): string {
  return answer.outcome === 'unknown'
    ? answer.message
    : (answer.incomplete ?? getMessage('connections.answered_http', { code: answer.status }))
}

function retryAfterMs(answer: HttpAnswer, real: Date): number {
  const wait_s = readRetryAfter(answer.headers.get('retry-after') ?? undefined, real) ?? THROTTLED_WAIT_S.default
  return Math.min(wait_s, THROTTLED_WAIT_S.max) * 1_000
}
