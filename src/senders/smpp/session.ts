import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverTools } from '../../drivers/contract.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Link } from '../../lib/smpp/link.ts'
import type { Pdu } from '../../lib/smpp/pdu.ts'
import { statusCode } from '../../lib/smpp/statuses.ts'
import type { SmsSession } from '../contract.ts'
import { type BindAnswer, bindTransceiver } from './bind.ts'
import type { BindSettings, Waits } from './settings.ts'

/** Session that holds itself open. */
export interface SmppSession extends SmsSession {
  /** The connection that is bound now. */
  link(): Link | undefined
  /** Resolve when the first attempt to bind has ended. */
  tried: Promise<void>
  /** Return the reason why the last attempt to bind failed; undefined if it did not. */
  fault(): Exclude<BindAnswer, { outcome: 'bound' }> | undefined
}

interface SessionOptions {
  /** Read at each bind. */
  settings(): BindSettings
  waits: Waits
  tools: Pick<DriverTools, 'alarm' | 'openSocket'>
  /** Handle an SMS or a report, and resolve with the status that answers it. `bind` counts the binds of the session. */
  onMessage(pdu: Pdu, bind: number): Promise<number>
  /** Stop sending. */
  onClosing(): void
}

/** Attempt from which an unreachable provider is worth an alarm. */
const ALARMING_ATTEMPT = 3
/** Milliseconds for which a closing session waits for answers. Its lease must not end meanwhile. */
const MAX_GOODBYE_MS = 10_000
/** Maximum messages of the provider that wait to be stored. */
const MAX_MESSAGES = 200

/** Open a session, and open it again with growing waits until it is closed. */
export function openSession(options: SessionOptions): SmppSession {
  const { waits, tools } = options
  const closing = new AbortController()
  const messages = createInbox(options)
  let link: Link | undefined
  let fault: Exclude<BindAnswer, { outcome: 'bound' }> | undefined
  let bind = 0
  let endFirst = () => {}
  const tried = new Promise<void>((resolve) => {
    endFirst = resolve
  })

  /** Binds, and resolves when the session has ended. */
  const runOnce = async (): Promise<BindAnswer> => {
    bind += 1
    let onClose = (_reason: string) => {}
    const ended = new Promise<string>((resolve) => {
      onClose = resolve
    })
    const answer = await bindTransceiver(tools, options.settings(), waits, {
      onRequest: (from, pdu) => messages.take(from, pdu, bind),
      onClose: (reason) => onClose(reason),
    })
    fault = answer.outcome === 'bound' ? undefined : answer
    if (answer.outcome === 'bound') link = answer.link
    endFirst()
    if (answer.outcome !== 'bound') return answer
    // It was closed during the bind.
    if (closing.signal.aborted) await leave(answer.link, waits)
    await ended
    link = undefined
    return answer
  }

  const run = async () => {
    let failures = 0
    while (!closing.signal.aborted) {
      const began = performance.now()
      const answer = await runOnce()
      const was_stable = answer.outcome === 'bound' && performance.now() - began >= waits.reconnect[1]
      failures = was_stable ? 0 : failures + 1
      if (closing.signal.aborted) return
      const refused = answer.outcome === 'refused' && answer.is_ours
      if (refused || (answer.outcome !== 'bound' && failures >= ALARMING_ATTEMPT)) tools.alarm(answer.message)
      // A wrong password is not tried often: providers lock accounts.
      await pause(refused ? waits.reconnect[1] : waitAfter(failures, waits), closing.signal)
    }
  }

  const ended = run()
  return {
    is_open: () => !closing.signal.aborted && link?.is_open() === true,
    link: () => (link?.is_open() ? link : undefined),
    tried,
    fault: () => fault,
    async close() {
      if (!closing.signal.aborted) {
        closing.abort()
        options.onClosing()
        const is_idle = () => link === undefined || (link.pending() === 0 && messages.count() === 0)
        await waitFor(is_idle, Math.min(waits.response, MAX_GOODBYE_MS))
        if (link) await leave(link, waits)
      }
      await ended
    },
  }
}

/** Answer the requests of the provider. */
function createInbox({ onMessage }: Pick<SessionOptions, 'onMessage'>) {
  const waiting = new Set<Promise<void>>()
  return {
    count: () => waiting.size,
    take(link: Link, pdu: Pdu, bind: number) {
      if (pdu.command === 'unbind') {
        link.respond(pdu)
        return link.end(getMessage('smpp.provider_ended_session'))
      }
      if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm')
        return link.respond(pdu, statusCode('ESME_RINVCMDID'))
      if (waiting.size >= MAX_MESSAGES) return link.respond(pdu, statusCode('ESME_RMSGQFUL'))
      const handled = onMessage(pdu, bind)
        .then((status) => link.respond(pdu, status))
        .finally(() => waiting.delete(handled))
      waiting.add(handled)
    },
  }
}

async function leave(link: Link, waits: Waits): Promise<void> {
  if (link.is_open()) await Promise.race([link.request('unbind'), sleep(Math.min(waits.response, 3_000))])
  link.end(getMessage('smpp.session_closed'))
}

async function waitFor(isDone: () => boolean, longest_ms: number): Promise<void> {
  const end = performance.now() + longest_ms
  while (!isDone() && performance.now() < end) await sleep(20)
}

/** Grow twofold. A fifth more or less keeps many clients from coming back at the same time. */
function waitAfter(failures: number, { reconnect: [first, longest] }: Waits): number {
  return Math.min(first * 2 ** Math.max(failures - 1, 0), longest) * (0.8 + Math.random() * 0.4)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
