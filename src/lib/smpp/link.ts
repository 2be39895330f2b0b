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
 * What became of a request. `late`: no answer in time. `closed`: the connection ended before the answer, or, where `was_sent`
 * is false, before the request.
 */
export type LinkAnswer =
  | { outcome: 'answer'; status: number; pdu: Pdu }
  | { outcome: 'late' }
  | { outcome: 'closed'; reason: string; was_sent: boolean }

export interface LinkOptions {
  /** How long the other side may be silent before it is asked whether it is there. */
  enquire_ms: number
  /** How long an answer may take. */
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
  /** Sends what is written, and closes. */
  end(): void
  destroy(reason: string): void
}

interface Body {
  fields?: FieldValues
  tlvs?: Tlvs
}

interface Pending {
  settle(answer: LinkAnswer): void
  onLate: ((pdu: Pdu) => void) | undefined
  timer: NodeJS.Timeout | undefined
}

/** Speaks SMPP over a connection that is open. */
export function createLink(socket: Socket, options: LinkOptions): Link {
  const reader = createPduReader()
  const pending = new Map<number, Pending>()
  let sequence = 0
  let closed: string | undefined
  let enquiry: NodeJS.Timeout | undefined

  const close = (reason: string) => {
    if (closed !== undefined) return
    closed = reason
    clearTimeout(enquiry)
    for (const { settle, timer } of pending.values()) {
      clearTimeout(timer)
      settle({ outcome: 'closed', reason, was_sent: true })
    }
    pending.clear()
    options.onClose(reason)
  }
  const destroy = (reason: string) => {
    close(reason)
    socket.destroy()
  }
  const send = (command: Command, number: number, status: number, body: Body = {}) => {
    if (closed === undefined && socket.writable) socket.write(encodePdu({ command, sequence: number, status, ...body }))
  }

  const link: Link = {
    request: (command, body, onLate) =>
      new Promise((resolve) => {
        if (closed !== undefined) return resolve({ outcome: 'closed', reason: closed, was_sent: false })
        forgetLate(pending)
        sequence = nextSequence(sequence)
        const number = sequence
        const timer = setTimeout(() => {
          const one = pending.get(number)
          if (one) one.timer = undefined
          // It stays for the late answer, which says that the message was taken after all.
          if (!onLate) pending.delete(number)
          resolve({ outcome: 'late' })
        }, options.response_ms)
        pending.set(number, { settle: resolve, onLate, timer })
        send(command, number, 0, body)
      }),
    respond({ command, sequence: number }, status = 0, fields = {}) {
      if (command === undefined) return send('generic_nack', number, statusCode('ESME_RINVCMDID'))
      send(`${command}_resp` as Command, number, status, { fields })
    },
    pending: () => [...pending.values()].filter(({ timer }) => timer !== undefined).length,
    is_open: () => closed === undefined,
    end: () => socket.end(),
    destroy,
  }

  const take = (pdu: Pdu) => {
    if (!isResponse(pdu)) {
      if (pdu.command === 'enquire_link' || pdu.command === undefined) return link.respond(pdu)
      return options.onRequest(pdu)
    }
    const one = pending.get(pdu.sequence)
    if (!one) return
    pending.delete(pdu.sequence)
    if (one.timer === undefined) return one.onLate?.(pdu)
    clearTimeout(one.timer)
    one.settle({ outcome: 'answer', status: pdu.status, pdu })
  }
  const enquireLater = () => {
    clearTimeout(enquiry)
    if (closed !== undefined) return
    enquiry = setTimeout(async () => {
      const answer = await link.request('enquire_link')
      if (answer.outcome === 'late') destroy('The other side did not answer enquire_link.')
    }, options.enquire_ms)
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    enquireLater()
    try {
      for (const pdu of reader.read(chunk)) take(pdu)
    } catch (error) {
      destroy(error instanceof Error ? error.message : String(error))
    }
  })
  socket.on('error', (error) => close(error.message))
  socket.on('close', () => close('The connection was closed.'))
  enquireLater()
  return link
}

/** How many requests may wait. A provider that answers nothing must not fill the memory. */
const MAX_PENDING = 1_000

function forgetLate(pending: Map<number, Pending>): void {
  if (pending.size < MAX_PENDING) return
  for (const [number, { timer }] of pending) {
    if (timer !== undefined) continue
    pending.delete(number)
    return
  }
}
