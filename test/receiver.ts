import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A notification as it reached a receiver. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A real https server on this machine, in the place of a customer's webhook receiver. */
export interface Receiver {
  /** Its address, for example `https://localhost:41234`. */
  url: string
  /** Everything that came, in the order in which it came. */
  received: Received[]
  /** Number of open requests, and its maximum so far. */
  open: number
  max_open: number
  /** Number of connections made. */
  connections: number
  close(): Promise<void>
}

/** Answer one request; what it returns, if anything, is the status of an empty answer. */
export type Responder = (received: Received, response: ServerResponse) => unknown

const FIXTURES = join(import.meta.dirname, 'fixtures')

/** The certificate of every receiver. It names localhost and 127.0.0.1, and is self-signed. */
export const certificate = readFileSync(join(FIXTURES, 'localhost-cert.pem'), 'utf8')

/** Open a receiver that answers as it is told; 200 unless it is told otherwise. */
export async function openReceiver(answer: Responder = () => 200, port = 0): Promise<Receiver> {
  const key = readFileSync(join(FIXTURES, 'localhost-key.pem'), 'utf8')
  const server = createServer({ key, cert: certificate }, (request, response) => void take(request, response))
  server.on('secureConnection', () => {
    receiver.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    received: [],
    open: 0,
    max_open: 0,
    connections: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    receiver.open += 1
    receiver.max_open = Math.max(receiver.max_open, receiver.open)
    response.on('close', () => {
      receiver.open -= 1
    })
    // Whoever hangs up in the middle of a body has sent nothing.
    const chunks: Buffer[] | undefined = await request.toArray().catch(() => undefined)
    if (!chunks) return
    const received = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() }
    receiver.received.push(received)
    const status = await answer(received, response)
    if (typeof status === 'number') response.writeHead(status).end()
  }
  return receiver
}

/** Wait this long, on the real clock. */
export function pause(wait_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait_ms))
}
