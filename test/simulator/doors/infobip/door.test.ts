import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('answers 200 to what it takes and to what it rejects', async () => {
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

it('repeats a report that is not taken, and keeps a log', async () => {
  const webhooks = { delivery: { url: `${door.listener}/dlr` }, callbackData: 'ours' }
  await send({ destinations: [{ to: '256772000611', messageId: 'own-2' }], webhooks })
  await door.advance(3)
  expect(door.heard.map(({ body }) => JSON.parse(body).results[0])).toMatchObject([
    { messageId: 'own-2', callbackData: 'ours', status: { groupId: 2 }, error: { id: 27 }, messageCount: 1 },
  ])
  const { text } = await door.call('/sms/3/logs?messageId=own-2', { headers })
  expect(JSON.parse(text).results).toMatchObject([{ messageId: 'own-2', status: { groupId: 2 } }])
})
