import { Agent, request as httpRequest } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { type HostileCase, hostileCases, type Target } from './hostile-bodies.ts'

/*
 * The thread of an attacker. It makes and sends one request after the other, so that what the thread of the service takes is the
 * service's alone.
 */

/** Result of one request. */
export interface Sent {
  target: number
  what: string
  status: number
  bytes: number
}

const { url, targets } = workerData as { url: string; targets: Target[] }
const port = parentPort!
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const { hostname, port: to } = new URL(url)

/** Each request comes from another address, so that none is refused before it is read. */
let addresses = 0
const nextAddress = () => {
  addresses += 1
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

const send = ({ method, path, headers, body }: HostileCase): Promise<number> =>
  new Promise((resolve) => {
    const length: Record<string, string> = method === 'GET' ? {} : { 'content-length': String(body.length) }
    const request = httpRequest({
      agent,
      hostname,
      port: to,
      method,
      path,
      headers: { ...headers, ...length, 'x-forwarded-for': nextAddress() },
    })
    request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode!)))
    // The service closes the connection of a body that it does not read.
    request.on('error', () => resolve(0))
    request.end(body)
  })

const cases = (function* () {
  for (const [target, one] of targets.entries()) for (const hostile of hostileCases(one)) yield { target, hostile }
})()
let current: { target: number; hostile: HostileCase } | undefined

/** `next` sends the next request, `again` the same once more. */
port.on('message', async (message: 'next' | 'again') => {
  if (message === 'next') current = cases.next().value ?? undefined
  if (!current) return port.postMessage(null)
  const { target, hostile } = current
  const sent: Sent = { target, what: hostile.what, status: await send(hostile), bytes: hostile.body.length }
  port.postMessage(sent)
})
