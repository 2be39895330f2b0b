import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { MAX_ANSWER_BYTES } from '../../../src/lib/http/http-call.ts'
import { MARKED } from '../../drivers/answers/mutations.ts'
import { structures, TEXTS, textOf } from './hostile-bodies.ts'

/*
 * The thread of a provider that attacks. It makes and sends the answers, so that what the thread of a driver takes is the driver's
 * alone.
 */

/** An answer with a mark in the place of one member, and which hostile value is to stand there. */
export interface HostileAnswer {
  template: string
  form: boolean
  turn: number
  status: number
  headers: Record<string, string>
}

/** Replacement for the member. */
export interface MadeAnswer {
  what: string
  /** The value as a text. */
  value: string
  bytes: number
}

/** Maximum nesting that is read, less the nesting of the answers themselves. */
const LEVELS = 12
const ITEMS = 9_000

/** A list of long texts in as many lists as are read. */
function deepestList(bytes: number): string {
  const items = Array.from({ length: ITEMS }, () => `"${'a'.repeat(Math.max(1, bytes / ITEMS - 4))}"`)
  return `${'['.repeat(LEVELS)}${items.join(',')}${']'.repeat(LEVELS)}`
}

/** Bytes left for the rest of an answer. */
const BYTES = MAX_ANSWER_BYTES - 8_000

/** JSON values that are read slowly. */
const values: readonly [what: string, json: string][] = [
  ...Object.entries(TEXTS).map(([what, part]): [string, string] => [what, JSON.stringify(textOf(part, BYTES))]),
  ...Object.entries(structures(BYTES)),
  ['the deepest lists', deepestList(BYTES)],
]

function make({ template, form, turn }: HostileAnswer): { what: string; value: string; text: string } {
  if (form) {
    const [what, part] = Object.entries(TEXTS)[turn % Object.keys(TEXTS).length]!
    const mark = encodeURIComponent(MARKED).replaceAll('%20', '+')
    const value = textOf(part, BYTES / 9)
    return { what, value, text: template.replace(mark, () => encodeURIComponent(value)) }
  }
  const [what, json] = values[turn % values.length]!
  const value = json.startsWith('"') ? (JSON.parse(json) as string) : json
  return { what, value, text: template.replace(MARKED, () => json) }
}

let current = { status: 200, headers: {} as Record<string, string>, text: '' }
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(current.status, { 'content-type': 'application/json', ...current.headers }).end(current.text)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const port = parentPort!
port.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

port.on('message', (wanted: HostileAnswer) => {
  const { what, value, text } = make(wanted)
  current = { status: wanted.status, headers: wanted.headers, text }
  port.postMessage({ what, value, bytes: Buffer.byteLength(text) } satisfies MadeAnswer)
})
