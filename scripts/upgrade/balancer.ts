import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** Process of the service behind the balancer. */
interface Backend {
  url: string
  open: number
}

/** Number of answers per status that a caller got. */
export type Statuses = Map<number, number>

const PATIENCE_MS = 30_000

/** Lead callers to the processes of a service in turn, and let the calls of one end before it is stopped. */
export class Balancer {
  readonly statuses: Statuses = new Map()
  readonly #backends: Backend[] = []
  readonly #agent = new Agent({ connections: 200, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  readonly #server = createServer((incoming, response) => void this.#lead(incoming, response))
  #turn = 0

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  add(url: string): void {
    this.#backends.push({ url, open: 0 })
  }

  /** Lead no new calls to a process, and wait until those that are open have ended. */
  async drain(url: string): Promise<void> {
    const index = this.#backends.findIndex((backend) => backend.url === url)
    const [backend] = this.#backends.splice(index, 1)
    while (backend!.open > 0) await sleep(10)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#agent.close()
  }

  async #lead(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming)
    this.#turn += 1
    const backend = this.#backends[this.#turn % this.#backends.length]!
    backend.open += 1
    try {
      const { connection: _, host: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = incoming.headers
      const answer = await request(backend.url + incoming.url, {
        method: incoming.method as 'GET',
        headers: headers as Record<string, string>,
        dispatcher: this.#agent,
        ...(body.length > 0 && { body }),
      })
      const text = await answer.body.text()
      this.#count(answer.statusCode)
      const retry = String(answer.headers['retry-after'] ?? '')
      response.writeHead(answer.statusCode, {
        'content-type': 'application/json',
        ...(retry !== '' && { 'retry-after': retry }),
      })
      response.end(text)
    } catch {
      this.#count(NO_ANSWER)
      response.destroy()
    } finally {
      backend.open -= 1
    }
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}

/** Counted where a process gave no answer. */
export const NO_ANSWER = 0

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
