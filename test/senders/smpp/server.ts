import type { AddressInfo, Server, Socket } from 'node:net'
import smpp from 'smpp'
import { type SmppConnection, smppSettings, type Waits } from '../../../src/senders/smpp/settings.ts'

/** A message centre of a test, over the package `smpp`: somebody else's reading of the protocol. */
export interface TestServer {
  port: number
  /** All packets that came, oldest first. */
  received: smpp.Pdu[]
  /** The sessions that are open. */
  sessions: (smpp.Session & { socket: Socket })[]
  /** Handle a packet instead of accepting it; false: it is accepted. */
  onPdu(pdu: smpp.Pdu, session: smpp.Session & { socket: Socket }): boolean
  of(command: string): smpp.Pdu[]
  close(): Promise<void>
}

/** Start a message centre on loopback. It accepts every bind and message, and gives ids in order. */
export async function startServer(options: { key?: string; cert?: string } = {}): Promise<TestServer> {
  let next_id = 0
  const test: TestServer = {
    port: 0,
    received: [],
    sessions: [],
    onPdu: () => false,
    of: (command) => test.received.filter((pdu) => pdu.command === command),
    close: () =>
      new Promise((resolve) => {
        for (const session of test.sessions) session.socket.destroy()
        server.close(() => resolve())
      }),
  }
  const server: Server = smpp.createServer(options, (session) => {
    test.sessions.push(session)
    session.on('error', () => {})
    session.on('close', () => {
      test.sessions = test.sessions.filter((one) => one !== session)
    })
    session.on('pdu', (pdu) => {
      test.received.push(pdu)
      if (test.onPdu(pdu, session) || pdu.isResponse()) return
      next_id += pdu.command === 'submit_sm' ? 1 : 0
      session.send(pdu.response(pdu.command === 'submit_sm' ? { message_id: `M${next_id}` } : {}))
      if (pdu.command === 'unbind') session.close()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  test.port = (server.address() as AddressInfo).port
  return test
}

/** Wait of a driver that is tested: short, but long enough for a busy machine. */
export const SHORT: Waits = {
  bind: 5_000,
  response: 5_000,
  reconnect: [20, 100],
  throttle: [30, 200],
  send: 10_000,
  part: 100,
  incomplete: 5_000,
}

export function connectionTo(port: number, settings: Record<string, unknown> = {}): SmppConnection {
  return {
    slug: 'smpp',
    environment: 'test',
    hosts: {},
    settings: smppSettings.parse({
      host: '127.0.0.1',
      port,
      system_id: 'kusanya',
      password: 'secret',
      throughput: 1_000,
      ...settings,
    }),
  }
}

/** Wait until a condition holds. @throws Error after ten seconds */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 10_000
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
