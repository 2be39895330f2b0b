import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSmsDoor } from '../sms-doors-test.ts'

let door: Awaited<ReturnType<typeof openSmsDoor>>
beforeAll(async () => {
  door = await openSmsDoor('infobip')
})
afterAll(() => door.close())

const headers = { Authorization: 'App simulated-infobip-api-key' }

async function send(message: object, given: Record<string, string> = headers) {
  const body = JSON.stringify({ messages: [{ content: { text: 'Hello' }, ...message }] })
  const { status, text } = await door.call('/sms/3/messages', { method: 'POST', headers: given, body })
  return { status, data: JSON.parse(text) }
}

it('answers 200 for accepted and rejected SMS', async () => {
  const taken = await send({ destinations: [{ to: '256772000001', messageId: 'own-1' }] })
  expect(taken).toMatchObject({
    status: 200,
    data: { messages: [{ messageId: 'own-1', status: { groupId: 1, id: 26 } }] },
  })
  const rejected = await send({ destinations: [{ to: '256772000603' }] })
  expect(rejected).toMatchObject({ status: 200, data: { messages: [{ status: { groupId: 5, id: 12 } }] } })
})

it('takes the same message id twice: it is no key against doubles', async () => {
  const message = { destinations: [{ to: '256772000002', messageId: 'twin' }] }
  for (const _ of [1, 2])
    expect(await send(message)).toMatchObject({ data: { messages: [{ status: { groupId: 1 } }] } })
  expect(await door.simulator.sms({ phonenumber: '+256772000002' })).toHaveLength(2)
})

it('answers wrong keys and wrong calls in its envelope', async () => {
  const wrong = await send({ destinations: [{ to: '256772000001' }] }, { Authorization: 'App wrong' })
  expect(wrong).toMatchObject({
    status: 401,
    data: { requestError: { serviceException: { messageId: 'UNAUTHORIZED' } } },
  })
  expect(await send({ destinations: [] })).toMatchObject({ status: 400 })
})

describe('authorizations', () => {
  const login = { username: 'simulated-infobip-user', password: 'simulated-infobip-password' }
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const balance = async (authorization: string) =>
    (await door.call('/account/1/balance', { headers: { authorization } })).status

  async function post(path: string, body: string, method = 'POST', given: Record<string, string> = {}) {
    const { status, text } = await door.call(path, { method, headers: given, body })
    return { status, data: JSON.parse(text) }
  }

  it('are HTTP Basic with the right username and password', async () => {
    expect(await balance(basic(`${login.username}:${login.password}`))).toBe(200)
    for (const wrong of [basic(`${login.username}:x`), basic(`x:${login.password}`), basic(''), 'Basic', ''])
      expect(await balance(wrong)).toBe(401)
  })

  it('are tokens of a session until it ends', async () => {
    const { data } = await post('/auth/1/session', JSON.stringify(login))
    expect(await balance(`IBSSO ${data.token}`)).toBe(200)
    expect(await balance(`Bearer ${data.token}`)).toBe(401)
    expect(await post('/auth/1/session', '', 'DELETE', { authorization: 'IBSSO none' })).toMatchObject({ status: 401 })
    await post('/auth/1/session', '', 'DELETE', { authorization: `IBSSO ${data.token}` })
    expect(await balance(`IBSSO ${data.token}`)).toBe(401)
    expect(await post('/auth/1/session', JSON.stringify({ ...login, password: 'x' }))).toMatchObject({ status: 401 })
  })

  it('are tokens of OAuth 2', async () => {
    const form = { client_id: login.username, client_secret: login.password, grant_type: 'client_credentials' }
    const ask = (changes: object = {}) =>
      post('/auth/1/oauth2/token', new URLSearchParams({ ...form, ...changes }).toString())
    const { data } = await ask()
    expect(data).toMatchObject({ expires_in: 3600 })
    expect(await balance(`Bearer ${data.access_token}`)).toBe(200)
    expect(await balance(`IBSSO ${data.access_token}`)).toBe(401)
    expect(await ask({ client_secret: 'x' })).toMatchObject({ status: 401 })
    expect(await ask({ grant_type: 'password' })).toMatchObject({ status: 400 })
  })
})

it('repeats an unaccepted report, and keeps a log', async () => {
  const webhooks = { delivery: { url: `${door.listener}/dlr` }, callbackData: 'ours' }
  await send({ destinations: [{ to: '256772000611', messageId: 'own-2' }], webhooks })
  await door.advance(3)
  expect(door.heard.map(({ body }) => JSON.parse(body).results[0])).toMatchObject([
    { messageId: 'own-2', callbackData: 'ours', status: { groupId: 2 }, error: { id: 27 }, messageCount: 1 },
  ])
  const { text } = await door.call('/sms/3/logs?messageId=own-2', { headers })
  expect(JSON.parse(text).results).toMatchObject([{ messageId: 'own-2', status: { groupId: 2 } }])
})

async function advanced(call: object) {
  const body = JSON.stringify(call)
  const { status, text } = await door.call('/sms/2/text/advanced', { method: 'POST', headers, body })
  return { status, data: JSON.parse(text) }
}

async function resultsOf(path: string) {
  return JSON.parse((await door.call(path, { headers })).text).results
}

it('takes the older call, and answers for each phone', async () => {
  const { status, data } = await advanced({
    bulkId: 'ours-7',
    messages: [
      {
        from: 'SHOP',
        text: 'Hello',
        destinations: [{ to: '256772000011', messageId: 'old-1' }, { to: '256772000603' }, { to: 'nobody' }],
      },
      { from: 'SHOP', text: 'x'.repeat(161), destinations: [{ to: '256772000012' }] },
    ],
  })
  expect(status).toBe(200)
  expect(data).toEqual({
    bulkId: 'ours-7',
    messages: [
      { messageId: 'old-1', to: '256772000011', smsCount: 1, status: expect.objectContaining({ groupId: 1, id: 26 }) },
      { messageId: expect.any(String), to: '256772000603', status: expect.objectContaining({ groupId: 5, id: 12 }) },
      { messageId: expect.any(String), to: 'nobody', status: expect.objectContaining({ groupId: 5, id: 52 }) },
      { messageId: expect.any(String), to: '256772000012', smsCount: 2, status: expect.objectContaining({ id: 26 }) },
    ],
  })
  expect(await door.simulator.sms({ phonenumber: '+256772000011' })).toMatchObject([{ sender: 'SHOP', body: 'Hello' }])
  expect(await advanced({ messages: [{ destinations: [{ to: '256772000011' }] }] })).toMatchObject({ status: 400 })
})

it('refuses a call as a whole while there are too many', async () => {
  const messages = [{ text: 'Hello', destinations: [{ to: '256772000013' }, { to: '256772000631' }] }]
  for (const status of [429, 429, 200]) expect(await advanced({ messages })).toMatchObject({ status })
  expect(await door.simulator.sms({ phonenumber: '+256772000013' })).toHaveLength(1)
})

it('reports to the address of the older call', async () => {
  const before = door.heard.length
  const destinations = [{ to: '256772000014', messageId: 'old-2' }]
  await advanced({
    messages: [{ text: 'Hello', destinations, notifyUrl: `${door.listener}/dlr`, callbackData: 'ours' }],
  })
  await door.advance(3)
  expect(JSON.parse(door.heard[before]!.body).results).toMatchObject([
    { messageId: 'old-2', callbackData: 'ours', status: { groupId: 3 } },
  ])
})

it.each([1, 3])(
  'hands out each report once, and shows the log as often as it is asked: version %s',
  async (version) => {
    const bulkId = `bulk-${version}`
    const phones = ['256772000015', '256772000611', '256772000624']
    await advanced({ bulkId, messages: [{ from: 'SHOP', text: 'Hello', destinations: phones.map((to) => ({ to })) }] })
    expect(await resultsOf(`/sms/${version}/reports?bulkId=${bulkId}`)).toEqual([])
    await door.advance(3)
    const first = await resultsOf(`/sms/${version}/reports?bulkId=${bulkId}&limit=1`)
    const rest = await resultsOf(`/sms/${version}/reports?bulkId=${bulkId}`)
    expect([...first, ...rest]).toMatchObject([
      { bulkId, to: '256772000611', status: { groupId: 2 }, [version === 3 ? 'messageCount' : 'smsCount']: 1 },
      { bulkId, to: '256772000015', status: { groupId: 3 } },
    ])
    expect(first).toHaveLength(1)
    expect(await resultsOf(`/sms/${version}/reports?bulkId=${bulkId}`)).toEqual([])
    for (const _ of [1, 2]) {
      const log = await resultsOf(`/sms/${version}/logs?bulkId=${bulkId}`)
      expect(log).toHaveLength(3)
      expect(log[2]).toMatchObject(
        version === 3
          ? { destination: '256772000015', sender: 'SHOP', content: { text: 'Hello' } }
          : { to: '256772000015', from: 'SHOP', text: 'Hello' },
      )
    }
    expect(await resultsOf(`/sms/${version}/logs?limit=2`)).toHaveLength(2)
  },
)
