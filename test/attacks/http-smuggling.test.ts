import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../interface/test-service.ts'
import { type AttackConnection, attack, head } from './connections.ts'
import { printFigure } from './figures.ts'

/*
 * Requests that a proxy and the service may read differently: where one ends and the next begins, and for which host it is.
 * Each hides a second request. If the service answered that one, an attacker could put it before the request of a customer
 * on the same connection of the proxy. Every such request must be refused, and its connection closed.
 */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const PATH = '/api/collectionrequests'
const JSON_TYPE = { 'content-type': 'application/json' }
const keyed = () => ({ authorization: `Token ${service.key}` })

/** A second request that would create something, if the service took it for one. */
function hidden(): string {
  const body = JSON.stringify({ ...REQUIRED_FIELDS, reason: 'smuggled' })
  return `${head('POST', PATH, { ...JSON_TYPE, ...keyed(), 'content-length': body.length })}${body}`
}

/** A request whose headers are followed by these lines and then by the hidden request. */
function framed(lines: string[], body = ''): string {
  const start = head('POST', PATH, { ...JSON_TYPE, ...keyed() }).slice(0, -2)
  return `${start}${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}${hidden()}`
}

/** The head of a GET with other first lines. */
const opening = (...lines: string[]) =>
  `${lines.join('\r\n')}\r\nAuthorization: Token ${service.key}\r\n\r\n${hidden()}`

const ODD_REQUESTS: [name: string, bytes: () => string][] = [
  ['two hosts', () => opening('GET /api/currencies HTTP/1.1', 'Host: localhost', 'Host: evil.example')],
  ['two hosts, one in capitals', () => opening('GET /api/currencies HTTP/1.1', 'HOST: localhost', 'host: localhost')],
  ['no host', () => opening('GET /api/currencies HTTP/1.1', 'X: y')],
  ['a length and chunks', () => framed(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ['chunks and a length', () => framed(['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n')],
  ['two lengths', () => framed(['Content-Length: 2', 'Content-Length: 0'], '{}')],
  ['two equal lengths', () => framed(['Content-Length: 2', 'Content-Length: 2'], '{}')],
  ['a list of lengths', () => framed(['Content-Length: 2, 2'], '{}')],
  ['a length with a sign', () => framed(['Content-Length: +2'], '{}')],
  ['a hexadecimal length', () => framed(['Content-Length: 0x2'], '{}')],
  ['a length below zero', () => framed(['Content-Length: -1'])],
  ['a length above every number', () => framed(['Content-Length: 99999999999999999999999'])],
  ['a blank before the colon', () => framed(['Content-Length : 2'], '{}')],
  ['a folded length', () => framed(['Content-Length:', ' 2'], '{}')],
  ['a folded transfer coding', () => framed(['Transfer-Encoding:', ' chunked'], '0\r\n\r\n')],
  ['an unknown transfer coding', () => framed(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
  ['chunks that are not the last coding', () => framed(['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n')],
  ['chunked twice', () => framed(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n')],
  ['a vertical tab in the coding', () => framed(['Transfer-Encoding: \x0bchunked'], '0\r\n\r\n')],
  ['a null in the coding', () => framed(['Transfer-Encoding: chunked\0'], '0\r\n\r\n')],
  ['a bare line feed in a header', () => framed(['X: y\nContent-Length: 2'], '{}')],
  ['a bare carriage return', () => framed(['X: y\rContent-Length: 2'], '{}')],
  ['a chunk size with a sign', () => framed(['Transfer-Encoding: chunked'], '+2\r\n{}\r\n0\r\n\r\n')],
  ['a chunk size with a prefix', () => framed(['Transfer-Encoding: chunked'], '0x2\r\n{}\r\n0\r\n\r\n')],
  ['a chunk size above every number', () => framed(['Transfer-Encoding: chunked'], 'fffffffffffffffff1\r\n{}\r\n')],
  ['a chunk that is longer than its size', () => framed(['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n')],
  ['chunks that end with bare line feeds', () => framed(['Transfer-Encoding: chunked'], '2\n{}\n0\n\n')],
  ['no version', () => opening('GET /api/currencies', 'Host: localhost')],
  ['another version', () => opening('GET /api/currencies HTTP/3.7', 'Host: localhost')],
  ['a blank in the address', () => opening('GET /api/currencies HTTP/1.1 HTTP/1.1', 'Host: localhost')],
  ['a header without a colon', () => opening('GET /api/currencies HTTP/1.1', 'Host: localhost', 'Content-Length 2')],
  ['a header that begins with a blank', () => opening('GET /api/currencies HTTP/1.1', ' Host: localhost', 'Host: a')],
]

describe('a request that a proxy may read differently', () => {
  it.each(ODD_REQUESTS)('is refused, and nothing after it is read: %s', async (_name, bytes) => {
    const connection = await attack(service.url, bytes())
    await closed(connection)
    expect(statuses(connection)).toEqual([400])
  })

  it('creates nothing, whatever it hides', async () => {
    // A request that was taken for one would be stored after its connection was closed.
    await sleep(500)
    printFigure('http-smuggling', `${await countSmuggled()} of ${ODD_REQUESTS.length} hidden requests took effect`)
    expect(await countSmuggled()).toBe(0)
  })

  it('is one request when its body looks like another, also when it is refused before its body is read', async () => {
    const body = hidden()
    for (const [path, wanted] of [
      // A body that is not JSON ends the connection.
      [PATH, [400]],
      ['/api/nowhere', [404, 200]],
    ] as const) {
      const first = head('POST', path, { ...JSON_TYPE, ...keyed(), 'content-length': body.length })
      const next = head('GET', '/api/currencies', { ...keyed(), connection: 'close' })
      const connection = await attack(service.url, `${first}${body}${next}`)
      await closed(connection)
      expect(statuses(connection)).toEqual(wanted)
    }
    expect(await countSmuggled()).toBe(0)
  })
})

/** The statuses of all answers on a connection. */
function statuses(connection: AttackConnection): number[] {
  return Array.from(connection.received().matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => Number(status))
}

/** Wait until the service closes a connection. */
async function closed({ socket }: AttackConnection): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

async function countSmuggled(): Promise<number> {
  const [row] = await service.testApp.db<{ count: number }[]>`
    select count(*) from collection_requests where reason = 'smuggled'`
  return row!.count
}
