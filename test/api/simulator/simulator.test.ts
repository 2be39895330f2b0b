import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization, createUser, setMembership, setPassword } from '../../../src/core/access/organizations.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../src/core/events/webhooks.ts'
import { begin } from '../../../src/db/client.ts'
import { openBrowser } from '../../console/browser.ts'
import { PASSWORD, PASSWORD_HASH } from '../../password.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../../test-app.ts'

const OWNER = 'owner@demo.example'
/** The phone of a customer who waits for a person to act. */
const PHONENUMBER = '+80000000109'
const phone = `/simulator/phones/${encodeURIComponent(PHONENUMBER)}`

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>
let viewer: ReturnType<typeof openBrowser>
let outsider: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService()).url
  const signIn = async (email: string) => {
    const browser = openBrowser(url)
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200)
    return browser
  }
  owner = await signIn(OWNER)
  await addMember('viewer@demo.example', testApp.organization, ['view'])
  viewer = await signIn('viewer@demo.example')
  const other = await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Other Shop'))
  await addMember('outsider@other.example', other.id, ['view', 'initiate_collections'])
  outsider = await signIn('outsider@other.example')
})
afterAll(() => testApp.close())

async function addMember(email: string, organization: number, permissions: ('view' | 'initiate_collections')[]) {
  const password_hash = PASSWORD_HASH
  await begin(testApp.db, async (tx) => {
    const user = await createUser(tx, testApp.clock.now(), { name: email, email })
    await setPassword(tx, user.id, password_hash)
    await setMembership(tx, testApp.clock.now(), { organization, user: user.id, permissions })
  })
}

/** Create a request and wait until the phone shows its prompt and the network's answer is stored. */
async function createPromptedRequest(fields = {}) {
  const api = createApiClient(url, testApp.api_key)
  const default_fields = {
    phonenumber: PHONENUMBER,
    amount: '1500',
    currency: 'BXC',
    reason: 'Order 7',
    send_instructions: true,
  }
  const { body } = await api.post('/api/collectionrequests', { ...default_fields, ...fields })
  const prompt = await eventually('the prompt', async () =>
    (await owner.get(phone)).body.prompts.find(
      (one: { collection_request: number }) => one.collection_request === body.id,
    ),
  )
  await statusOf(body.id, 'instructions_sent')
  return { request: body.id as number, prompt }
}

const answer = (browser: typeof owner, reference: string, fields: object) =>
  browser.post(`${phone}/answer`, { reference, ...fields })

const statusOf = (request: number, wanted: string) =>
  eventually(`request ${request} to be ${wanted}`, async () => {
    const { body } = await owner.get(`/collectionrequests/${request}`)
    return body.status === wanted ? body : undefined
  })

describe('a phone of the sandbox', () => {
  it('shows the prompt and the SMS messages, accepts the PIN, and the timeline shows each step', async () => {
    await begin(testApp.db, (tx) =>
      createWebhook(
        tx,
        testApp.clock.now(),
        { organization: testApp.organization, user: 1, event: 'collection.received', target: 'https://127.0.0.1:9/' },
        testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE),
      ),
    )
    const { request, prompt } = await createPromptedRequest()
    expect(prompt).toMatchObject({ amount: '1500.0000', currency: 'BXC', from: 'Demo Shop', reason: 'Order 7' })
    expect((await answer(owner, prompt.reference, { answer: 'approve', pin: '1234' })).status).toBe(200)
    await statusOf(request, 'successful')
    const shown = await eventually('the success message', async () => {
      const { body } = await owner.get(phone)
      return body.texts.length === 2 ? body : undefined
    })
    expect(shown).toMatchObject({ prompts: [], latest_request: request })
    expect(shown.texts.map((text: { why: string }) => text.why)).toEqual(['instructions', 'success'])
    expect(shown.texts[1].body).toContain('-Powered by Kusanya')

    const timeline = await eventually('an attempt at the webhook', async () => {
      const { results } = (await owner.get(`/collectionrequests/${request}/timeline`)).body
      return results.some((entry: { attempts?: unknown[] }) => entry.attempts?.length) ? results : undefined
    })
    // The clock stands still, so the order of the timeline does not come from times.
    // When the answer about an SMS comes depends on its job.
    const kinds: string[] = timeline
      .map((entry: { kind: string }) => entry.kind)
      .filter((kind: string) => kind !== 'text_answer')
    expect(kinds.slice(0, 8).join(' ')).toBe('created move event order answer move event text')
    expect(kinds.slice(8).join(' ')).toBe('callback answer collection move event event text delivery')
    const statuses = timeline.filter((entry: { kind: string }) => entry.kind === 'move')
    expect(statuses.map((move: { to_status: string }) => move.to_status)).toEqual([
      'processing_started',
      'instructions_sent',
      'successful',
    ])
  })

  it('fails with a wrong PIN, and when the customer refuses', async () => {
    const wrong = await createPromptedRequest({ amount: '10' })
    await answer(owner, wrong.prompt.reference, { answer: 'approve', pin: '9999' })
    expect((await statusOf(wrong.request, 'failed')).error_message).toBe('The customer entered a wrong PIN.')
    const refused = await createPromptedRequest({ amount: '20' })
    await answer(owner, refused.prompt.reference, { answer: 'refuse' })
    expect((await statusOf(refused.request, 'failed')).error_message).toBe('Cancelled By User')
    expect((await answer(owner, refused.prompt.reference, { answer: 'approve' })).status).toBe(404)
  })

  it('accepts an API key, too, and answers the oldest prompt by default', async () => {
    const api = createApiClient(url, testApp.api_key)
    const { request } = await createPromptedRequest({ amount: '22' })
    const { status, body } = await api.post(`/api${phone}/answer`, { answer: 'approve', pin: '1234' })
    expect([status, body]).toEqual([200, {}])
    await statusOf(request, 'successful')
    const again = await api.post(`/api${phone}/answer`, { answer: 'approve' })
    expect([again.status, again.body.detail]).toEqual([404, 'No prompt waits on this phone.'])
    expect((await createApiClient(url, 'wrong').get(`/api${phone}`)).status).toBe(401)
  })

  it('lets an unanswered prompt expire, and the timeline shows the answer of the network', async () => {
    const { request } = await createPromptedRequest({ amount: '25', max_attempts: 0 })
    testApp.clock.advance(301)
    testApp.app.wake()
    const callback = await eventually('the callback', async () => {
      const { results } = (await owner.get(`/collectionrequests/${request}/timeline`)).body
      return results.find((entry: { kind: string }) => entry.kind === 'callback')
    })
    expect(JSON.parse(callback.body)).toMatchObject({ event: 'order.failed' })
    expect((await owner.get(phone)).body.prompts).toEqual([])
  })

  it('sends an unrequested payment', async () => {
    const payment = { amount: '77.5', currency: 'BXC', reference: 'for the goat' }
    expect((await owner.post(`${phone}/pay`, payment)).body.remote_id).toMatch(/^SBX/)
    await eventually('the collection', async () => {
      const { body } = await owner.get('/collections?reference=for%20the%20goat')
      return body.count === 1 ? body : undefined
    })
    expect((await owner.post(`${phone}/pay`, { amount: 'lots', currency: 'BXC' })).body).toHaveProperty('amount')
    expect((await owner.post(`${phone}/pay`, { amount: '5', currency: 'XAF' })).body).toHaveProperty('currency')
  })

  it('shows nothing to other organizations', async () => {
    const { request, prompt } = await createPromptedRequest({ amount: '30' })
    expect((await viewer.get(phone)).body.prompts).toHaveLength(1)
    expect((await answer(viewer, prompt.reference, { answer: 'refuse' })).status).toBe(403)
    expect((await viewer.post(`${phone}/pay`, { amount: '5', currency: 'BXC' })).status).toBe(403)
    expect((await outsider.get(phone)).body).toMatchObject({ prompts: [], texts: [], latest_request: null })
    expect((await answer(outsider, prompt.reference, { answer: 'refuse' })).status).toBe(404)
    expect((await outsider.get(`/collectionrequests/${request}/timeline`)).status).toBe(403)
    expect((await openBrowser(url).get(phone)).status).toBe(401)
    expect((await owner.get('/simulator/phones/seven')).status).toBe(400)
  })
})

it('answers 404 for phones in live mode', async () => {
  const live = await buildTestApp({
    settings: { MODE: 'live', SECRET_KEY: 'k'.repeat(32) },
    overrides: { connections: testApp.app.connections.list() },
  })
  try {
    await addOwner(live)
    const { url } = await live.startService({ jobs: false })
    const browser = openBrowser(url)
    expect((await browser.signIn('owner@live.example', PASSWORD)).status).toBe(200)
    expect((await browser.get('/collectionrequests')).status).toBe(200)
    expect((await browser.get(phone)).status).toBe(404)
    expect((await browser.post(`${phone}/answer`, { reference: 'KR1-1', answer: 'approve' })).status).toBe(404)
  } finally {
    await live.close()
  }
})

async function addOwner(live: TestApp) {
  const password_hash = PASSWORD_HASH
  await begin(live.db, async (tx) => {
    const user = await createUser(tx, live.clock.now(), { name: 'Owner', email: 'owner@live.example' })
    await setPassword(tx, user.id, password_hash)
    const { organization } = live
    await setMembership(tx, live.clock.now(), {
      organization,
      user: user.id,
      permissions: ['view', 'initiate_collections'],
    })
  })
}
