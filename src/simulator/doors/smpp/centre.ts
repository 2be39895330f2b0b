import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createLink, type Link } from '../../../lib/smpp/link.ts'
import { ESM, type FieldValues, type Pdu, TLV, type Tlvs, textField } from '../../../lib/smpp/pdu.ts'
import { writeReceipt } from '../../../lib/smpp/receipts.ts'
import { type StatusName, statusCode } from '../../../lib/smpp/statuses.ts'
import { encodeText, fitsDefault, partHeader } from '../../../lib/smpp/texts.ts'
import { splitText } from '../../../lib/sms-text.ts'
import type { OwnPort } from '../door.ts'
import { type Handover, type IncompleteSms, stateNumber, takeSubmit } from './submit.ts'
import type { SmppSwitches, SmppWorld } from './switches.ts'

export const SYSTEM_ID = 'simulated'
export const PASSWORD = 'simulat8'

/** Bound client. */
interface Bound {
  link: Link
  can_send: boolean
  can_receive: boolean
}

/** The simulated message centre (SMSC). */
interface Centre {
  listen(world: SmppWorld, address: { host: string; port: number; onError(error: unknown): void }): Promise<OwnPort>
  /** Hand something over to a client that is bound as a receiver. False: no client has taken it. */
  handOver(handover: Handover, switches: SmppSwitches): Promise<boolean>
}

const ENQUIRE_MS = 60_000
const RESPONSE_MS = 4_000

export function createCentre(): Centre {
  const clients = new Set<Bound>()
  return {
    listen(world, { host, port, onError }) {
      const sockets = new Set<Socket>()
      const incomplete: IncompleteSms = new Map()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        serve(world, socket, { clients, incomplete, onError })
      })
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          const { port: actual } = server.address() as AddressInfo
          resolve({
            hosts: { smsc: `smpp://${host.includes(':') ? `[${host}]` : host}:${actual}` },
            close: () =>
              new Promise((done) => {
                for (const socket of sockets) socket.destroy()
                server.close(() => done())
              }),
          })
        })
      })
    },
    async handOver(handover, switches) {
      const receiver = [...clients].findLast(({ can_receive }) => can_receive)
      if (!receiver) return false
      const messages =
        handover.kind === 'report' ? [reportMessage(handover, switches)] : textMessages(handover, switches)
      const answers = await Promise.all(messages.map((message) => receiver.link.request('deliver_sm', message)))
      return answers.every((answer) => answer.outcome === 'answer' && answer.status === 0)
    },
  }
}

interface Shared {
  clients: Set<Bound>
  incomplete: IncompleteSms
  onError(error: unknown): void
}

/** Serve one connection. */
function serve(world: SmppWorld, socket: Socket, { clients, incomplete, onError }: Shared): void {
  let bound: Bound | undefined
  const take = async (pdu: Pdu) => {
    if (pdu.command?.startsWith('bind_')) {
      const status = bound ? 'ESME_RALYBND' : bindStatus(pdu, await world.switches())
      if (status === 'ESME_ROK') {
        bound = {
          link,
          can_send: pdu.command !== 'bind_receiver',
          can_receive: pdu.command !== 'bind_transmitter',
        }
        clients.add(bound)
      }
      return link.respond(pdu, statusCode(status), { system_id: 'KUSANYA' })
    }
    if (pdu.command === 'unbind') {
      if (bound) clients.delete(bound)
      link.respond(pdu)
      return link.end('The client has ended the session.')
    }
    if (pdu.command !== 'submit_sm' && pdu.command !== 'data_sm') return link.respond(pdu, statusCode('ESME_RINVCMDID'))
    if (!bound?.can_send) return link.respond(pdu, statusCode('ESME_RINVBNDSTS'))
    await takeSubmit(world, link, pdu, incomplete)
  }
  const link: Link = createLink(socket, {
    enquire_ms: ENQUIRE_MS,
    response_ms: RESPONSE_MS,
    onRequest: (pdu) =>
      void take(pdu).catch((error: unknown) => {
        onError(error)
        link.respond(pdu, statusCode('ESME_RSYSERR'))
      }),
    onClose() {
      if (bound) clients.delete(bound)
    },
  })
}

const BINDS: Record<SmppSwitches['bind'], StatusName> = {
  accepted: 'ESME_ROK',
  'wrong password': 'ESME_RINVPASWD',
  'wrong system id': 'ESME_RINVSYSID',
  failed: 'ESME_RBINDFAIL',
  'bound already': 'ESME_RALYBND',
}

function bindStatus(pdu: Pdu, { bind }: SmppSwitches): StatusName {
  if (textField(pdu, 'system_id') !== SYSTEM_ID) return 'ESME_RINVSYSID'
  return textField(pdu, 'password') === PASSWORD ? BINDS[bind] : 'ESME_RINVPASWD'
}

interface Message {
  fields: FieldValues
  tlvs: Tlvs
}

const INTERNATIONAL = { source_addr_ton: 1, source_addr_npi: 1 }

function reportMessage(report: Extract<Handover, { kind: 'report' }>, switches: SmppSwitches): Message {
  const { message_id, state, error, submitted, done, text, phonenumber, sender } = report
  const written = writeReceipt({
    message_id,
    state,
    error,
    text: text.replace(/[^\x20-\x7e]/g, '?'),
    submitted: new Date(submitted),
    done: new Date(done),
  })
  const fields = {
    ...INTERNATIONAL,
    source_addr: phonenumber.slice(1),
    destination_addr: sender,
    esm_class: ESM.delivery_receipt,
    ...(switches.reports !== 'parameters' && { short_message: Buffer.from(written, 'latin1') }),
  }
  if (switches.reports === 'text') return { fields, tlvs: {} }
  const tlvs: Record<number, Uint8Array> = {
    [TLV.receipted_message_id]: Buffer.from(`${message_id}\0`),
    [TLV.message_state]: Uint8Array.of(stateNumber(state)),
  }
  // 3: a GSM network.
  if (error !== '000') tlvs[TLV.network_error_code] = Uint8Array.of(3, 0, Number(error))
  return { fields, tlvs }
}

let next_reference = 0

function textMessages(
  { phonenumber, to, text }: Extract<Handover, { kind: 'incoming' }>,
  { alphabet }: SmppSwitches,
): Message[] {
  const { parts } = splitText(text, fitsDefault(text, alphabet) ? 'gsm' : 'ucs-2')
  next_reference = (next_reference + 1) & 0xff
  return parts.map((part, index) => {
    const { data_coding, octets } = encodeText(part, text, alphabet)
    const header = parts.length > 1 ? partHeader(next_reference, parts.length, index + 1) : new Uint8Array()
    return {
      fields: {
        ...INTERNATIONAL,
        source_addr: phonenumber.slice(1),
        destination_addr: to,
        data_coding,
        esm_class: parts.length > 1 ? ESM.udh : 0,
        short_message: Buffer.concat([header, octets]),
      },
      tlvs: {},
    }
  })
}
