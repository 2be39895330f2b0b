import { createServer, type IncomingMessage, type RequestOptions, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Mishap of one request: a lost answer, no answer, or another answer than the service's. */
export type Mishap = 'answer-lost' | 'no-answer' | { status: number; headers?: Record<string, string>; body: string }

/** A request as it came from the client. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
}

/** A network between a client and the service on which things go wrong. */
export interface FaultyProxy {
  url: string
  /** The service; may change, as behind a load balancer. */
  target: string
  /** Mishaps of the next requests, in order. */
  mishaps: Mishap[]
  seen: SeenRequest[]
  close(): Promise<void>
}

/** Open a proxy on a free port of this machine. */
export async function openProxy(target: string): Promise<FaultyProxy> {
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    proxy.seen.push({ method, path, headers })
    const mishap = proxy.mishaps.shift()
    if (mishap === 'no-answer') return
    if (typeof mishap === 'object')
      return void request.resume().on('end', () => response.writeHead(mishap.status, mishap.headers).end(mishap.body))
    const { hostname, port } = new URL(proxy.target)
    const options: RequestOptions = { hostname, port, path, method, headers, agent: false }
    const onward = sendRequest(options, (answer) => {
      // The service has done its work by the time of its answer.
      if (mishap === 'answer-lost') return void request.socket.destroy()
      response.writeHead(answer.statusCode!, answer.headers)
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => request.socket.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    mishaps: [],
    seen: [],
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
