import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An SMS that the provider was asked to send, as it came over the wire. */
export interface ProviderRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** How the provider answers; `hang` takes the request and never says anything. */
export type ProviderReply = { status: number; body?: string; headers?: Record<string, string> } | 'hang' | 'hang up'

export interface Provider {
  url: string
  requests: ProviderRequest[]
  /** Chosen for each request; 200 unless a test says otherwise. */
  reply: (asked: ProviderRequest) => ProviderReply
  close(): Promise<void>
}

/** A provider of SMS on this machine that a test can look into. */
export async function openProvider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    // Whoever hangs up in the middle of a body has asked nothing.
    const parts: string[] | undefined = await request
      .setEncoding('utf8')
      .toArray()
      .catch(() => undefined)
    if (!parts) return
    const asked = { method: request.method!, path: request.url!, headers: request.headers, body: parts.join('') }
    provider.requests.push(asked)
    const reply = provider.reply(asked)
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
