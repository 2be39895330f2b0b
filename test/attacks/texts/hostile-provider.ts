import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { MARKED } from '../../drivers/answers/mutations.ts'
import { hostileValues } from './hostile-values.ts'

/*
 * The thread of a provider that attacks. It makes and sends the answers, so that what the thread of a driver takes is the driver's
 * alone.
 */

/** An answer with a mark in the place of one member, and which hostile value is to stand there. */
export interface HostileAnswer {
  template: string
  form: boolean
  /** Index of the value. */
  index: number
  status: number
  headers: Record<string, string>
}

// The values are written once: writing one takes longer than reading it.
const json = {
  values: hostileValues(false).map(({ value, is_text }) => Buffer.from(is_text ? JSON.stringify(value) : value)),
  mark: MARKED,
}
const form = {
  values: hostileValues(true).map(({ value }) => Buffer.from(encodeURIComponent(value))),
  mark: encodeURIComponent(MARKED).replaceAll('%20', '+'),
}

function make({ template, index, ...answer }: HostileAnswer): Buffer {
  const { values, mark } = answer.form ? form : json
  const [before, ...after] = template.split(mark)
  return Buffer.concat([Buffer.from(before!), values[index]!, Buffer.from(after.join(mark))])
}

let current = { status: 200, headers: {} as Record<string, string>, body: Buffer.alloc(0) as Buffer }
const server = createServer((request, response) => {
  request.resume()
  const { status, headers, body } = current
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const port = parentPort!
port.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

port.on('message', (wanted: HostileAnswer) => {
  const body = make(wanted)
  current = { status: wanted.status, headers: wanted.headers, body }
  port.postMessage(body.length)
})
