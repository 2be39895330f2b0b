import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSmsDoor } from '../sms-doors-test.ts'

let door: Awaited<ReturnType<typeof openSmsDoor>>
beforeAll(async () => {
  door = await openSmsDoor('africas-talking')
})
afterAll(() => door.close())

async function send(fields: Record<string, string>, apiKey = 'simulated-africas-talking-api-key') {
  const body = new URLSearchParams({ username: 'simulated', message: 'Hello', ...fields })
  const { status, text } = await door.call('/version1/messaging', { method: 'POST', headers: { apiKey }, body })
  return { status, text, data: status === 201 ? JSON.parse(text).SMSMessageData : undefined }
}

it('answers 201 for an accepted SMS, with the price of the country', async () => {
  const { status, data } = await send({ to: '+254711000001' })
  expect(status).toBe(201)
  expect(data.Message).toBe('Sent to 1/1 Total Cost: KES 0.8000')
  expect(data.Recipients).toMatchObject([
    { statusCode: 101, number: '+254711000001', status: 'Success', messageParts: 1 },
  ])
})

it('answers 201 even for a refusal, and has no recipients for a wrong sender', async () => {
  expect((await send({ to: '+256772000602' })).data.Recipients).toMatchObject([{ statusCode: 406, messageId: 'None' }])
  expect(await send({ to: '+256772000001', from: 'NOTMINE' })).toMatchObject({
    status: 201,
    data: { Message: 'InvalidSenderId', Recipients: [] },
  })
})

it('answers a wrong key with a text', async () => {
  expect(await send({ to: '+256772000001' }, 'wrong')).toMatchObject({
    status: 401,
    text: 'The supplied authentication is invalid',
  })
})

it('reports by a form at the address of the dashboard, first that the operator has it', async () => {
  await send({ to: '+256772000001' })
  await door.advance(3)
  expect(door.heard).toEqual([])
  await door.simulator.setSwitches('africas-talking', { delivery_reports_url: `${door.listener}/dlr` })
  await send({ to: '+256772000001' })
  await door.advance(3)
  expect(door.heard.map(({ body }) => new URLSearchParams(body).get('status'))).toEqual(['Submitted', 'Success'])
  expect(door.heard[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded')
})

it('takes many phones in one call, and answers for each', async () => {
  const to = '+256772000021,+256772000603, +256772000022,nobody'
  const { status, data } = await send({ to, message: 'x'.repeat(161) })
  expect(status).toBe(201)
  expect(data.Message).toBe('Sent to 2/4 Total Cost: UGX 140.0000')
  expect(data.Recipients).toMatchObject([
    { number: '+256772000021', statusCode: 101, cost: 'UGX 70.0000', messageParts: 2 },
    { number: '+256772000603', statusCode: 405, cost: '0', messageId: 'None' },
    { number: '+256772000022', statusCode: 101 },
    { number: 'nobody', statusCode: 403 },
  ])
  expect(data.Recipients[0].messageId).not.toBe(data.Recipients[2].messageId)
  for (const [phonenumber, count] of [
    ['+256772000021', 1],
    ['+256772000022', 1],
    ['+256772000603', 0],
  ] as const)
    expect(await door.simulator.sms({ phonenumber })).toHaveLength(count)
  expect((await send({ to: '+256772000021,+254711000001' })).data.Message).toBe(
    'Sent to 2/2 Total Cost: UGX 35.0000 + KES 0.8000',
  )
  expect((await send({ to: '+256772000601,+256772000602' })).data.Message).toBe('Sent to 0/2 Total Cost: 0')
})

it('refuses a call to many phones as a whole while there are too many, and for a wrong sender', async () => {
  const to = '+256772000023,+256772000631'
  for (const status of [429, 429, 201]) expect(await send({ to })).toMatchObject({ status })
  expect((await send({ to: '+256772000023,+256772000024', from: 'NOTMINE' })).data).toEqual({
    Message: 'InvalidSenderId',
    Recipients: [],
  })
  expect(await door.simulator.sms({ phonenumber: '+256772000023' })).toHaveLength(1)
})

it('keeps SMS of customers until they are fetched, ten at a time', async () => {
  async function fetchAfter(id: number, apiKey = 'simulated-africas-talking-api-key') {
    const path = `/version1/messaging?username=simulated&lastReceivedId=${id}`
    const { status, text } = await door.call(path, { headers: { apiKey } })
    return status === 200 ? JSON.parse(text).SMSMessageData.Messages : status
  }
  expect(await fetchAfter(0)).toEqual([])
  for (let count = 1; count <= 12; count += 1)
    await door.simulator.text({
      door: 'africas-talking',
      phonenumber: '+256772000001',
      to: '5050',
      text: `Hello ${count}`,
    })
  const first = await fetchAfter(0)
  expect(first).toHaveLength(10)
  expect(first[0]).toEqual({
    id: 1,
    from: '+256772000001',
    to: '5050',
    text: 'Hello 1',
    linkId: '',
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(await fetchAfter(first.at(-1).id)).toMatchObject([{ id: 11 }, { id: 12, text: 'Hello 12' }])
  expect(await fetchAfter(12)).toEqual([])
  expect(await fetchAfter(0, 'wrong')).toBe(401)
})
