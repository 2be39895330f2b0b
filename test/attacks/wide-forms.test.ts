import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/refusals.ts'
import { nestKeys, parseJsonBody } from '../../src/http/bodies.ts'
import { callRaw, openTestService, REQUIRED_FIELDS, type TestService } from '../interface/test-service.ts'
import { printFigure } from './figures.ts'

/*
 * Strangers send forms with very many fields to the routes of signing in, which need no key. Callers with a key send bodies
 * whose field names are paths.
 */

const FORMS = 40
const OPEN_ROUTES = ['/console/api/session', '/console/api/session/second-factor', '/console/api/links/use']
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'x-requested-with': 'console' }

let service: TestService
beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const fields = (count: number) => Array.from({ length: count }, (_, index) => `field${index}[a][b]=1`).join('&')

describe('a form with very many fields', () => {
  it('costs the routes of signing in next to nothing', async () => {
    const body = fields(35_000)
    const customer = waitTimes()
    const before = process.threadCpuUsage()
    const answers = await Promise.all(
      Array.from({ length: FORMS }, (_, index) =>
        callRaw(service.url, 'POST', OPEN_ROUTES[index % OPEN_ROUTES.length]!, { headers: FORM, body }).then(
          ({ status }) => status,
          // The service closes the connection of a body that is too large, maybe before the client reads the answer.
          () => 413,
        ),
      ),
    )
    const { user } = process.threadCpuUsage(before)
    const { lost, longest_ms } = await customer.stop()
    const reading = costToRead(body) * FORMS
    printFigure(
      'wide-forms',
      `${FORMS} forms of 35,000 fields took ${Math.round(user / 1_000)} ms of processor time with their sender, and to read ` +
        `them would take ${Math.round(reading / 1_000)} ms; a customer lost ${lost} requests and waited ${longest_ms} ms at most`,
    )
    expect(new Set(answers)).toEqual(new Set([413]))
    expect(lost).toBe(0)
    // Read or not, they must be sent, and the customer is served meanwhile. That takes the processor as well.
    expect(user).toBeLessThan(reading / 2)
  })

  it('is refused by its number of fields if it is short enough', async () => {
    const short = Array.from({ length: 1_001 }, (_, index) => `f${index}`).join('&')
    const refused = await callRaw(service.url, 'POST', OPEN_ROUTES[0]!, { headers: FORM, body: short })
    expect(refused).toMatchObject({ status: 400, body: { detail: 'A form has at most 1000 fields.' } })
    const authorization = `Token ${service.key}`
    const wide = await callRaw(service.url, 'POST', '/api/collectionrequests', {
      headers: { ...FORM, authorization },
      body: fields(35_000),
    })
    expect(wide).toMatchObject({ status: 400, body: { detail: 'A form has at most 1000 fields.' } })
  })
})

describe('field names that are paths', () => {
  it.each<[string, (count: number) => string]>([
    ['into one object', (count) => paths(count, (index) => `"metadata[a][k${index}]":1`)],
    ['with dots', (count) => paths(count, (index) => `"metadata.k${index}":1`)],
    [
      'into a text that is no object',
      (count) => `{"m":"{${'x'.repeat(10 * count)}",${paths(count, (index) => `"m.k${index}":1`).slice(1)}`,
    ],
    ['into as many objects', (count) => paths(count, (index) => `"m${index}[__proto__][constructor]":1`)],
  ])('%s cost about as much as plain names', (what, makeBody) => {
    const plain = fastest(paths(FIELDS, (index) => `"field${index}":1`))
    const ratio = fastest(makeBody(FIELDS)) / plain
    printFigure('wide-forms', `${FIELDS} paths ${what} take ${ratio.toFixed(1)} times as long as as many plain names`)
    // To read the text once for each path takes a hundred times as long.
    expect(ratio).toBeLessThan(25)
  })
})

/** The fields of a body of about a megabyte. */
const FIELDS = 30_000

const paths = (count: number, write: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => write(index)).join(',')}}`

/** The processor time of this thread in microseconds that it takes to read a form whose number of fields is not limited. */
function costToRead(form: string): number {
  const before = process.threadCpuUsage()
  for (let read = 0; read < 5; read += 1) nestKeys(Object.fromEntries(new URLSearchParams(form)))
  return process.threadCpuUsage(before).user / 5
}

/** The shortest time of three that it takes to read a body. */
function fastest(body: string): number {
  const times = [1, 2, 3].map(() => {
    const started_at = performance.now()
    try {
      parseJsonBody(body)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    return performance.now() - started_at
  })
  return Math.min(...times)
}

/** A customer that creates one request after the other until it is stopped. */
function waitTimes() {
  let running = true
  let lost = 0
  let longest_ms = 0
  const done = (async () => {
    while (running) {
      const started_at = performance.now()
      const { status } = await service.shop.post('/api/collectionrequests', REQUIRED_FIELDS)
      if (status !== 201) lost += 1
      longest_ms = Math.max(longest_ms, Math.round(performance.now() - started_at))
    }
  })()
  return {
    async stop() {
      running = false
      await done
      return { lost, longest_ms }
    },
  }
}
