import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the provider received. */
export interface ProviderRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** The provider's answer. `hang`: it receives the request and never answers. */
export type ProviderReply = { status: number; body?: string; headers?: Record<string, string> } | 'hang' | 'hang up'

export interface Provider {
  url: string
  requests: ProviderRequest[]
  /** Choose the answer to each request; 200 by default. */
  reply: (request: ProviderRequest) => ProviderReply
  close(): Promise<void>
}

/** Start an SMS provider on this machine that records its requests. */
export async function openProvider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    // A request without its whole body does not count.
    const chunks: string[] | undefined = await request
      .setEncoding('utf8')
      .toArray()
      .catch(() => undefined)
    if (!chunks) return
    const received = { method: request.method!, path: request.url!, headers: request.headers, body: chunks.join('') }
    provider.requests.push(received)
    const reply = provider.reply(received)
    if (reply === 'hang') return
    if (reply === 'hang up') return request.socket.destroy()
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    reply: () => ({ status: 200 }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}
