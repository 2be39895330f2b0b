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

it('answers 201 to what it takes, with the price of the country', async () => {
  const { status, data } = await send({ to: '+254711000001' })
  expect(status).toBe(201)
  expect(data.Message).toBe('Sent to 1/1 Total Cost: KES 0.8000')
  expect(data.Recipients).toMatchObject([
    { statusCode: 101, number: '+254711000001', status: 'Success', messageParts: 1 },
  ])
})

it('answers 201 also to what it refuses, and has no recipients for a wrong sender', async () => {
  expect((await send({ to: '+256772000602' })).data.Recipients).toMatchObject([{ statusCode: 406, messageId: 'None' }])
  expect(await send({ to: '+256772000001', from: 'NOTMINE' })).toMatchObject({
    ...{ status: 201, data: { Message: 'InvalidSenderId', Recipients: [] } },
  })
})

it('answers a wrong key with a text', async () => {
  expect(await send({ to: '+256772000001' }, 'wrong')).toMatchObject({
    ...{ status: 401, text: 'The supplied authentication is invalid' },
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
