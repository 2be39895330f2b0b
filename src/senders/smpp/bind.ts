import type { Socket } from 'node:net'
import type { DriverTools } from '../../drivers/contract.ts'
import { OutOfReach } from '../../lib/http/reach.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { createLink, type Link } from '../../lib/smpp/link.ts'
import type { Pdu } from '../../lib/smpp/pdu.ts'
import { readBindStatus } from './codes.ts'
import type { BindSettings, Waits } from './settings.ts'

/** Result of an attempt to open a session. `is_ours`: a person must repair a setting, or ask the provider. */
export type BindAnswer =
  | { outcome: 'bound'; link: Link }
  | { outcome: 'refused'; is_ours: boolean; message: string }
  | { outcome: 'unreachable'; message: string }

interface BindHandlers {
  onRequest(link: Link, pdu: Pdu): void
  onClose(reason: string): void
}

/** Connect and bind as a transceiver, which sends and receives. */
export async function bindTransceiver(
  tools: Pick<DriverTools, 'openSocket'>,
  settings: BindSettings,
  waits: Waits,
  handlers: BindHandlers,
): Promise<BindAnswer> {
  const connected = await connect(tools, settings, waits.bind)
  if (typeof connected === 'string') return { outcome: 'unreachable', message: connected }
  let ended = ''
  let is_bound = false
  const link: Link = createLink(connected, {
    enquire_ms: settings.enquire_s * 1_000,
    response_ms: waits.response,
    onRequest: (pdu) => handlers.onRequest(link, pdu),
    onClose(reason) {
      ended = reason
      if (is_bound) handlers.onClose(reason)
    },
  })
  const { system_id, password, system_type } = settings
  const answer = await link.request('bind_transceiver', {
    fields: { system_id, password, system_type, interface_version: 0x34 },
  })
  if (answer.outcome === 'answer' && answer.status === 0 && link.is_open()) {
    is_bound = true
    return { outcome: 'bound', link }
  }
  link.destroy(getMessage('smpp.session_not_begin'))
  if (answer.outcome === 'answer' && answer.status !== 0)
    return { outcome: 'refused', ...readBindStatus(answer.status) }
  const address = `${settings.host}:${settings.port}`
  return answer.outcome === 'late'
    ? {
        outcome: 'unreachable',
        message: getMessage('smpp.takes_connection_not_answer', { address }),
      }
    : {
        outcome: 'unreachable',
        message: getMessage('smpp.ends_connection_before', { address, ended }),
      }
}

/** Connect. Returns the fault as a text. */
async function connect(
  { openSocket }: Pick<DriverTools, 'openSocket'>,
  { host, port, tls, tls_certificate }: BindSettings,
  timeout_ms: number,
): Promise<Socket | string> {
  const target = { host, port, tls, ...(tls_certificate !== undefined && { ca: tls_certificate }) }
  const opened = await openSocket(target).catch((error: Error) => error)
  if (opened instanceof Error) return `${host}:${port} cannot be reached: ${adviceFor(opened)}`
  return waitForConnect(opened, target, timeout_ms)
}

function waitForConnect(
  socket: Socket,
  { host, port, tls }: Pick<BindSettings, 'host' | 'port' | 'tls'>,
  timeout_ms: number,
): Promise<Socket | string> {
  return new Promise((resolve) => {
    const fail = (why: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(`${host}:${port} cannot be reached: ${why}`)
    }
    const timer = setTimeout(
      () => fail(`no answer. Check host${tls ? ', port and tls' : ' and port'}, and the firewalls between.`),
      timeout_ms,
    )
    socket.on('error', (error: NodeJS.ErrnoException) => fail(adviceFor(error)))
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
}

function adviceFor(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error
  if (error instanceof OutOfReach) return message
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name is not known. Check host.'
  if (code === 'ECONNREFUSED') return 'nothing listens there. Check host and port.'
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return `the certificate is not trusted (${code}). Check tls_certificate.`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'it does not speak TLS there. Check tls and port.'
  return `${message}. Check host, port and tls.`
}
