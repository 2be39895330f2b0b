import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallFault, FaultList } from './faults.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Fault that a test or a person requests for this call. */
    fault: CallFault | undefined
  }
}

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'
/** Value of `Retry-After` for a rate-limited caller. */
const RETRY_AFTER_S = 3

/** Add the faults of one door to its server. They run before the door's own handlers. */
export function addFaults(
  server: FastifyInstance,
  door: string,
  options: { faults: FaultList; endTokens(): Promise<void>; onCall(verb: string): void },
): void {
  server.addHook('onRequest', async (request, reply) => {
    const { verb } = request.routeOptions.config
    options.onCall(verb ?? 'unknown')
    const fault = options.faults.takeForCall(door, verb)
    request.fault = fault
    if (!fault) return
    if (fault.kind === 'token_expired') await options.endTokens()
    else if (fault.kind === 'slow') await sleep(fault.seconds * 1_000)
    else if (!fault.taken) return answer(fault, request, reply)
  })
  server.addHook('onSend', async (request, reply, payload) => {
    const { fault } = request
    if (!fault?.taken) return payload
    return replaceAnswer(fault, request, reply, payload)
  })
}

/** Answer in place of the network, which does nothing. */
function answer({ kind }: CallFault, request: FastifyRequest, reply: FastifyReply) {
  if (kind === 'no_answer') return reply.hijack()
  if (kind === 'hang_up_before' || kind === 'hang_up_after') {
    reply.hijack()
    request.raw.socket.destroy()
    return reply
  }
  if (kind === 'html') return reply.code(502).type('text/html').send(HTML)
  if (kind === 'empty') return reply.code(200).send('')
  if (kind === 'truncated') return reply.code(200).type('application/json').send('{"sta')
  if (kind === 'error_500') return reply.code(500).type('application/json').send('{"message":"Internal server error"}')
  if (kind === 'rate_limited_retry_after') reply.header('retry-after', RETRY_AFTER_S)
  return reply.code(429).type('application/json').send('{"message":"Rate limit is exceeded."}')
}

/** Replace the answer of a network that has done the call. */
async function replaceAnswer({ kind }: CallFault, request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (kind === 'token_expired' || kind === 'slow') return payload
  if (kind === 'no_answer') return new Promise<never>(() => {})
  if (kind === 'hang_up_after' || kind === 'hang_up_before') {
    request.raw.socket.destroy()
    return payload
  }
  reply.removeHeader('content-length')
  if (kind === 'truncated') return typeof payload === 'string' ? payload.slice(0, Math.ceil(payload.length / 2)) : ''
  if (kind === 'empty') return ''
  const is_html = kind === 'html'
  reply.code(is_html ? 502 : kind === 'error_500' ? 500 : 429).type(is_html ? 'text/html' : 'application/json')
  if (kind === 'rate_limited_retry_after') reply.header('retry-after', RETRY_AFTER_S)
  return is_html ? HTML : '{"message":"Internal server error"}'
}
