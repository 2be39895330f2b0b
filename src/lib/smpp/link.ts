import type { Socket } from 'node:net'
import {
  type Command,
  createPduReader,
  encodePdu,
  type FieldValues,
  isResponse,
  nextSequence,
  type Pdu,
  type Request,
  type Tlvs,
} from './pdu.ts'
import { statusCode } from './statuses.ts'

/**
 * Outcome of a request. `late`: no answer in time. `closed`: the connection ended before the answer, or, if `was_sent`
 * is false, before the request.
 */
type LinkAnswer =
  | { outcome: 'answer'; status: number; pdu: Pdu }
  | { outcome: 'late' }
  | { outcome: 'closed'; reason: string; was_sent: boolean }

interface LinkOptions {
  /** Maximum silence of the other side before an `enquire_link`. */
  enquire_ms: number
  /** Time limit for an answer. */
  response_ms: number
  /** A request of the other side, which must be answered. `enquire_link` is answered here. */
  onRequest(pdu: Pdu): void
  /** Called once. */
  onClose(reason: string): void
}

/** Both directions of SMPP over one connection, for clients and servers. */
export interface Link {
  /**
   * Sends a request, and waits for its answer.
   * @param onLate called when the answer comes after `late`
   */
  request(command: Request, body?: Body, onLate?: (pdu: Pdu) => void): Promise<LinkAnswer>
  /** Answers a request of the other side. */
  respond(request: Pdu, status?: number, fields?: FieldValues): void
  /** Requests of ours without an answer. */
  pending(): number
  is_open(): boolean
  /** Closes when everything is sent that was written. */
  end(reason: string): void
  destroy(reason: string): void
}

interface Body {
  fields?: FieldValues
  tlvs?: Tlvs
}

/** The requests of ours that have no answer yet. */
interface Waiting {
  /** Resolves with the answer to the request with this sequence number. */
  open(sequence: number, onLate: ((pdu: Pdu) => void) | undefined): Promise<LinkAnswer>
  settle(pdu: Pdu): void
  close(reason: string): void
  count(): number
}

interface Pending {
  settle(answer: LinkAnswer): void
  onLate: ((pdu: Pdu) => void) | undefined
  /** Undefined: it is late. */
  timer: NodeJS.Timeout | undefined
}

/** Speaks SMPP over a connection that is open. */
export function createLink(socket: Socket, options: LinkOptions): Link {
  const reader = createPduReader()
  const waiting = createWaiting(options.response_ms)
  let sequence = 0
  let closed: string | undefined
  let enquiry: NodeJS.Timeout | undefined

  const close = (reason: string) => {
    if (closed !== undefined) return
    closed = reason
    clearTimeout(enquiry)
    waiting.close(reason)
    options.onClose(reason)
  }
  const send = (command: Command, number: number, status: number, body: Body = {}) => {
    if (closed === undefined && socket.writable) socket.write(encodePdu({ command, sequence: number, status, ...body }))
  }
  const link: Link = {
    async request(command, body, onLate) {
      if (closed !== undefined) return { outcome: 'closed', reason: closed, was_sent: false }
      sequence = nextSequence(sequence)
      const answer = waiting.open(sequence, onLate)
      send(command, sequence, 0, body)
      return answer
    },
    respond({ command, sequence: number }, status = 0, fields = {}) {
      if (command === undefined) return send('generic_nack', number, statusCode('ESME_RINVCMDID'))
      send(`${command}_resp` as Command, number, status, { fields })
    },
    pending: waiting.count,
    is_open: () => closed === undefined,
    end(reason) {
      close(reason)
      socket.destroySoon()
    },
    destroy(reason) {
      close(reason)
      socket.destroy()
    },
  }

  const take = (pdu: Pdu) => {
    if (isResponse(pdu)) waiting.settle(pdu)
    else if (pdu.command === 'enquire_link' || pdu.command === undefined) link.respond(pdu)
    else options.onRequest(pdu)
  }
  const enquireLater = () => {
    clearTimeout(enquiry)
    if (closed !== undefined) return
    enquiry = setTimeout(async () => {
      const answer = await link.request('enquire_link')
      if (answer.outcome === 'late') link.destroy('The other side did not answer enquire_link.')
    }, options.enquire_ms)
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    enquireLater()
    try {
      for (const pdu of reader.read(chunk)) take(pdu)
    } catch (error) {
      link.destroy(error instanceof Error ? error.message : String(error))
    }
  })
  socket.on('error', (error) => close(error.message))
  socket.on('close', () => close('The connection was closed.'))
  enquireLater()
  return link
}

/** Maximum number of requests that wait. A provider that answers nothing must not fill the memory. */
const MAX_PENDING = 1_000

function createWaiting(response_ms: number): Waiting {
  const pending = new Map<number, Pending>()
  const forgetLate = () => {
    if (pending.size < MAX_PENDING) return
    for (const [sequence, { timer }] of pending) {
      if (timer !== undefined) continue
      pending.delete(sequence)
      return
    }
  }
  return {
    open: (sequence, onLate) =>
      new Promise((resolve) => {
        forgetLate()
        const timer = setTimeout(() => {
          const one = pending.get(sequence)
          if (one) one.timer = undefined
          // It stays for the late answer, which may still accept the message.
          if (!onLate) pending.delete(sequence)
          resolve({ outcome: 'late' })
        }, response_ms)
        pending.set(sequence, { settle: resolve, onLate, timer })
      }),
    settle(pdu) {
      const one = pending.get(pdu.sequence)
      if (!one) return
      pending.delete(pdu.sequence)
      if (one.timer === undefined) return one.onLate?.(pdu)
      clearTimeout(one.timer)
      one.settle({ outcome: 'answer', status: pdu.status, pdu })
    },
    close(reason) {
      for (const { settle, timer } of pending.values()) {
        clearTimeout(timer)
        settle({ outcome: 'closed', reason, was_sent: true })
      }
      pending.clear()
    },
    count: () => [...pending.values()].filter(({ timer }) => timer !== undefined).length,
  }
}
