import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createSigningUser, SIGNING_KEY_PURPOSE } from '../../src/core/access/signing-users.ts'
import { begin } from '../../src/db/client.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'
import { type AttackConnection, attackMany, closeAll, head } from './connections.ts'
import { printFigure } from './figures.ts'

/*
 * Twelve hundred connections send the headers of a request and no body. A customer with its own key meanwhile creates
 * collection requests.
 */

const CONNECTIONS = 1_200
const CUSTOMER_REQUESTS = 40
const NAMES = '/api/gateway/services/namefinder/query'
const JSON_BODY = { 'content-type': 'application/json', 'content-length': 500 }

let service: TestService
let open: AttackConnection[] = []

beforeAll(async () => {
  service = await openTestService({ jobs: false })
  const [key] = await service.testApp.db<{ id: number }[]>`select id from api_keys order by id limit 1`
  await begin(service.testApp.db, (tx) =>
    createSigningUser(
      tx,
      service.testApp.clock.now(),
      { username: 'integrator', api_key: key!.id },
      service.testApp.app.deriveSecret(SIGNING_KEY_PURPOSE),
    ),
  )
})
afterEach(async () => {
  closeAll(open)
  // The service notices that connections are closed a moment later.
  await sleep(500)
  await eventually('the service to answer', async () => ((await createRequest()) === 201 ? true : undefined))
})
afterAll(() => service.close())

/** A request of the customer. */
async function createRequest(): Promise<number> {
  return (await service.otherShop.post('/api/collectionrequests', REQUIRED_FIELDS)).status
}

/** Return the number of refused requests of the customer. */
async function countLost(): Promise<number> {
  const statuses: number[] = []
  for (let start = 0; start < CUSTOMER_REQUESTS; start += 10)
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, createRequest))))
  return statuses.filter((status) => status !== 201).length
}

const signed = (username: string) => ({
  authorization: `Baxi ${username}:${'A'.repeat(40)}`,
  'baxi-date': new Date().toUTCString(),
})

describe('twelve hundred connections without a body', () => {
  it.each<[string, () => string, (index: number) => string]>([
    ['signed with an unknown name', () => head('POST', NAMES, { ...JSON_BODY, ...signed('stranger') }), one],
    ['signed with a known name', () => head('POST', NAMES, { ...JSON_BODY, ...signed('integrator') }), one],
    ['with a valid key', () => head('POST', '/api/collectionrequests', { ...JSON_BODY, ...keyed() }), one],
    ['with a valid key, in chunks', () => head('POST', '/api/collectionrequests', chunked()), one],
    [
      'with a valid key, from 50 addresses',
      () => head('POST', '/api/collectionrequests', { ...JSON_BODY, ...keyed() }),
      many,
    ],
    [
      'with a known name, from 50 addresses',
      () => head('POST', NAMES, { ...JSON_BODY, ...signed('integrator') }),
      many,
    ],
  ])('%s take nothing from other customers', async (what, bytes, from) => {
    open = await attackMany(service.url, CONNECTIONS, bytes(), from)
    const lost = await countLost()
    printFigure('slow-bodies', `${what}: ${lost} of ${CUSTOMER_REQUESTS} requests of another customer lost`)
    expect(lost).toBe(0)
  })

  it('are ended: bill counters and forms after five seconds, one address above two hundred connections', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 500 }
    const [bills, forms, others] = [
      await attackMany(
        service.url,
        50,
        head('POST', NAMES, { ...JSON_BODY, ...signed('integrator') }),
        () => '127.0.1.1',
      ),
      await attackMany(
        service.url,
        50,
        head('POST', '/api/collectionrequests', { ...form, ...keyed() }),
        () => '127.0.1.2',
      ),
      await attackMany(
        service.url,
        300,
        head('POST', '/api/collectionrequests', { ...JSON_BODY, ...keyed() }),
        () => '127.0.1.3',
      ),
    ]
    open = [...bills, ...forms, ...others]
    await eventually('the bodies of the bill counter and of forms to be refused', async () =>
      [...bills, ...forms].every((one) => !one.is_open()) ? true : undefined,
    )
    expect(new Set([...bills, ...forms].map((one) => one.status()))).toEqual(new Set([408]))
    const left = others.filter((one) => one.is_open()).length
    printFigure('slow-bodies', `of 300 connections from one address ${left} may wait for their bodies`)
    expect(left).toBe(200)
    expect(others.filter((one) => one.status() === 503)).toHaveLength(100)
  })
})

const one = () => '127.0.0.1'
const many = (index: number) => `127.0.0.${2 + (index % 50)}`
const keyed = () => ({ authorization: `Token ${service.key}` })
const chunked = () => ({ 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...keyed() })
