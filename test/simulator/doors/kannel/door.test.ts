import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSmsDoor } from '../sms-doors-test.ts'

let door: Awaited<ReturnType<typeof openSmsDoor>>
beforeAll(async () => {
  door = await openSmsDoor('kannel')
})
afterAll(() => door.close())

const credentials = { username: 'simulated', password: 'simulated-kannel-password' }
const send = (fields: Record<string, string>) =>
  door.call(`/cgi-bin/sendsms?${new URLSearchParams({ ...credentials, from: 'SHOP', text: 'Hello', ...fields })}`)

it('answers with lines, and without an id', async () => {
  expect(await send({ to: '+256772000001' })).toEqual({ status: 202, text: '0: Accepted for delivery' })
  expect(await send({})).toMatchObject({ status: 400 })
  expect(await send({ to: '1', password: 'x' })).toEqual({ status: 403, text: 'Authorization failed for sendsms' })
  expect(await send({ to: '+256772000604' })).toEqual({ status: 403, text: 'Not routable. Do not try again.' })
})

it('drops letters that the coding lacks, and cuts a text that is too long', async () => {
  const received = async () => (await door.simulator.sms({ phonenumber: '+256772000002', limit: 1 }))[0]!.body
  await send({ to: '+256772000002', text: '“Hi” é', coding: '0' })
  expect(await received()).toBe('Hi é')
  await send({ to: '+256772000002', text: '“Hi” é', coding: '2' })
  expect(await received()).toBe('“Hi” é')
  await door.simulator.setSwitches('kannel', { max_messages: 1 })
  await send({ to: '+256772000002', text: 'a'.repeat(200) })
  expect(await received()).toBe('a'.repeat(160))
})

it('reports by GET at the template of the call, for the types of the mask', async () => {
  const to = '+256772000001'
  await send({ to, 'dlr-mask': '31', 'dlr-url': `${door.listener}/dlr?id=1&type=%d&p=%p&text=%A` })
  await send({ to, 'dlr-mask': '2', 'dlr-url': `${door.listener}/dlr?id=2&type=%d` })
  await send({ to })
  await door.advance(3)
  expect(door.heard.map(({ method, url }) => [method, url.replace(/&text=.*/, '')])).toEqual([
    ['GET', '/dlr?id=1&type=8&p=%2B256772000001'],
    ['GET', '/dlr?id=1&type=1&p=%2B256772000001'],
  ])
  expect(decodeURIComponent(door.heard[1]!.url)).toMatch(/stat:DELIVRD err:000/)
})
