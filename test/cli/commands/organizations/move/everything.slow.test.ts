import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lists } from '../../../../../src/actions/lists/table.ts'
import { readArchived } from '../../../../../src/cli/commands/archive/find.ts'
import { archive } from '../../../../../src/cli/commands/archive/write.ts'
import { moveOrganization } from '../../../../../src/cli/commands/organizations/move/steps.ts'
import { prepareDemo } from '../../../../../src/cli/service/demo.ts'
import { allPermissions } from '../../../../../src/core/access/api-keys.ts'
import { setApprovalRule } from '../../../../../src/core/spending/approval-rules.ts'
import { begin } from '../../../../../src/db/client.ts'
import { startJobs } from '../../../../../src/jobs/index.ts'
import { addressesOf, fillOrganization, findObjects } from '../../../../actions/filled-organization.ts'
import { fakeSmsConnection, useSmsConnections } from '../../../../connections/fake-sms.ts'
import { addDriver, testNetwork } from '../../../../connections/test-network.ts'
import { openBrowser } from '../../../../console/browser.ts'
import { addPerson } from '../../../../console/shop.ts'
import type { TestService } from '../../../../interface/test-service.ts'
import { PASSWORD } from '../../../../password.ts'
import { createApiClient, eventually } from '../../../../test-app.ts'
import { openTwoCells, type TwoCells } from './two-cells.ts'

/* An organization in which everything was done that actions can do moves, with what it shows and what it waits for. */

const SAME_KEY = { zero: 'a'.repeat(64), three: 'a'.repeat(64) }

let cells: TwoCells
let organization: number
const jobs: { stop(): Promise<void> }[] = []
afterAll(addDriver(testNetwork))

beforeAll(async () => {
  cells = await openTwoCells(SAME_KEY, {
    settings: { SANDBOX_PASSWORD: PASSWORD, PUBLIC_URL: 'https://pay.example.com' },
    jobs: false,
  })
  const { zero, three } = cells
  organization = zero.testApp.organization
  for (const { testApp } of [zero, three]) {
    await prepareDemo(testApp.app)
    // biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React.
    useSmsConnections(testApp.app, [fakeSmsConnection('texts', { send: async () => ({ outcome: 'sent' }) })])
  }
  await three.testApp.db`update users set email = 'other@demo.example' where email = 'owner@demo.example'`
  const person = { email: 'second@shop.example', organization, permissions: allPermissions }
  await addPerson(zero.testApp, person)
  const refused = await fillOrganization(zero.testApp)
  expect([...refused].length, [...refused].join()).toBeLessThan(12)
  // A connection of the operator, which both cells have.
  await three.testApp.db`update api_keys set hash = sha256(id::text::bytea)`
  await zero.testApp.db`update connections set organization = null where slug = 'sandbox'`
  await begin(zero.testApp.db, (tx) => setApprovalRule(tx, { organization, currency: 'BXC', threshold: 10_000_000n }))
  await archiveRequest(zero)
  await useDoors(zero)
})
afterAll(async () => {
  for (const one of jobs) await one.stop()
  await cells?.close()
})

/** A request that is in the archive of the old cell, and the folder of the archive. */
let archived: { id: number; folder: string }

/** Let a request fail, make it eleven years old, and archive it. */
async function archiveRequest({ testApp, createRequest, advanceUntilStatus }: TestService): Promise<void> {
  const { app, db } = testApp
  const failing = startJobs(app)
  const { id } = await createRequest({ phonenumber: '+80000000001', amount: '25', max_attempts: 0 })
  await advanceUntilStatus(id, 'failed')
  await failing.stop()
  await db`
    update collection_requests set created = created - interval '11 years', modified = modified - interval '11 years' where id = ${id}`
  await db`
    update network_orders set created = created - interval '11 years', closed = closed - interval '11 years'
    where collection_request = ${id}`
  const folder = join(app.config.DATA_DIR, 'archive')
  const { removed } = await archive(app, { kinds: ['requests'], folder })
  expect(removed).toBe(1)
  archived = { id, folder }
}

/** Work that waits at the time of the move. */
let open: { request: number; payment: number; link: string }

/** Collect, pay, sell and issue as the shop's program does, with the jobs, until what is due is done. */
async function useDoors({ shop, testApp }: TestService): Promise<void> {
  const jobs = startJobs(testApp.app)
  const post = async (path: string, body: object) => {
    const answer = await shop.post(path, body)
    expect([path, answer.status, answer.body]).toEqual([path, expect.toBeOneOf([200, 201]), answer.body])
    return answer.body
  }
  const ask = { phonenumber: '+80000000003', currency: 'BXC' }
  const request = await post('/api/collectionrequests', { ...ask, amount: '1500' })
  const payment = await post('/api/payments', { ...ask, amount: '2000', description: 'Wages' })
  expect(payment.state).toBe('approval_requested')
  const bill = { service_type: 'mtn', plan: 'prepaid', amount: '100', agentId: '207', phone: '08031234567' }
  await post('/api/gateway/services/airtime/request', { ...bill, agentReference: 'before-the-move' })
  const line = { text: 'Fees', unit_price: '1500' }
  const invoice = await post('/api/invoices', { ...ask, due_date: '14 days', lines: [line] })
  const issued = await post(`/api/invoices/${invoice.id}/issue`, {})
  await eventually('the order of the request to be with the network', async () => {
    const sent = await testApp.db`
      select 1 from network_orders where collection_request = ${request.id} and answered is not null`
    return sent.length > 0 || undefined
  })
  await jobs.stop()
  open = { request: request.id, payment: payment.id, link: issued.url }
}

/** Lists of what a cell has for all its organizations. */
const OF_THE_CELL = ['networks', 'bill services', 'offers of bill providers', 'differences of bill providers']

/** Entries of the audit log that the move and its reader make. */
const OF_THE_MOVE = ['sign in', 'redirect organization', 'receive organization']

interface Entry {
  action: string
}

/** Last uses change with every question. */
const VOLATILE = ['last_used', 'last_seen', 'last_sign_in']

function withoutUses(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer ?? null), (name, value) => (VOLATILE.includes(name) ? undefined : value))
}

/** Answers of the API and of the console about the organization in a cell, by address. */
async function readAll({ url }: TestService, objects: Record<string, number>): Promise<Map<string, unknown>> {
  const api = createApiClient(url, cells.zero.key)
  const browser = openBrowser(url)
  expect((await browser.signIn('owner@demo.example', PASSWORD)).status).toBe(200)
  const shown = new Map<string, unknown>()
  for (const list of lists.filter(({ name }) => !OF_THE_CELL.includes(name)))
    for (const [door, path] of addressesOf(list, objects)) {
      const { status, body } = await (door === 'API' ? api : browser).get(`${path}?limit=1000`)
      if (path === '/audit') body.results = body.results.filter(({ action }: Entry) => !OF_THE_MOVE.includes(action))
      const { count, ...page } = body
      shown.set(`${door} ${path}`, withoutUses([status, page, path === '/audit' ? page.results.length : count]))
      if (door !== 'API' || !list.one || status !== 200) continue
      for (const { id } of body.results) shown.set(`${path}/${id}`, withoutUses((await api.get(`${path}/${id}`)).body))
    }
  return shown
}

describe('an organization that has everything', () => {
  it('shows the same in its new cell, in every list and every object of the API and of the console', async () => {
    const { zero, three } = cells
    let before = new Map<string, unknown>()
    const objects = await findObjects(zero.testApp.db)
    await moveOrganization(zero.testApp.app, three.testApp.app, organization, async (says) => {
      if (says === 'changes') before = await readAll(zero, objects)
    })
    const after = await readAll(three, objects)
    expect(before.size).toBeGreaterThan(100)
    expect([...after.keys()]).toEqual([...before.keys()])
    const differing = [...before].flatMap(([address, answer]) =>
      isDeepStrictEqual(after.get(address), answer) ? [] : [address],
    )
    for (const address of differing) expect([address, after.get(address)]).toEqual([address, before.get(address)])
  })

  it('is paid there for what it had asked here, once', async () => {
    const { zero, three } = cells
    const shop = createApiClient(three.url, zero.key)
    jobs.push(...[zero, three].map(({ testApp }) => startJobs(testApp.app)))
    await eventually('the request to be paid', async () => {
      for (const cell of [zero, three]) cell.advance(5)
      return (await shop.get(`/api/collectionrequests/${open.request}`)).body.status === 'successful' || undefined
    })
    const passed = await zero.testApp.db`select 1 from callbacks where note like 'Passed on%'`
    expect(passed.length).toBeGreaterThan(0)
    const booked = await three.testApp.db`select 1 from collections where collection_request = ${open.request}`
    expect(booked).toHaveLength(1)
  })

  it('has its archive: the files of the old cell are read with the keys that came along', async () => {
    const { zero, three } = cells
    const { id, folder } = archived
    const found = await readArchived(three.testApp.db, { folder, files_only: true }, 'requests', id)
    expect(found!.tables.collection_requests).toMatchObject([{ id: String(id), phonenumber: '+80000000001' }])
    expect(await readArchived(three.testApp.db, { folder }, 'requests', id)).toBeUndefined()
    const old = await readArchived(zero.testApp.db, { folder }, 'requests', id)
    expect(old!.tables.collection_requests).not.toMatchObject([{ phonenumber: '+80000000001' }])
  })

  it('pays after its second person has approved there', async () => {
    const { three, zero } = cells
    const browser = openBrowser(three.url)
    expect((await browser.signIn('second@shop.example', PASSWORD)).status).toBe(200)
    const approved = await browser.post(`/payments/${open.payment}/approve`)
    expect([approved.status, approved.body]).toEqual([200, approved.body])
    const shop = createApiClient(three.url, zero.key)
    await eventually('the payment to be processed', async () => {
      three.advance(5)
      return (await shop.get(`/api/payments/${open.payment}`)).body.state === 'processed' || undefined
    })
  })

  it('leads customers who open a link of an invoice', async () => {
    const { three, zero } = cells
    const path = new URL(open.link).pathname
    const led = await fetch(zero.url + path, { redirect: 'manual' })
    expect([led.status, led.headers.get('location')]).toEqual([307, `${path}?cell=3`])
    expect((await fetch(three.url + path, { redirect: 'manual' })).status).toBeLessThan(400)
  })
})
