import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { openBrowser } from '../../console/browser.ts'
import { addPerson, PASSWORD } from '../../console/shop.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'

/* Purchases that people make in the console. */

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
let url: string

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService()).url
  owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
})
afterAll(() => testApp.close())

const electricity = (changes: object = {}) => ({
  kind: 'electricity',
  service_type: 'ikeja_electric_prepaid',
  account_number: '04042404048',
  phone: '08031234567',
  amount: '5000',
  agentReference: `console-${Math.random()}`,
  ...changes,
})

describe('a quote', () => {
  it('names the holder, the amount, the fee and the balance, and buys nothing', async () => {
    const { status, body } = await owner.post('/purchase-quotes', electricity())
    expect([status, body]).toMatchObject([
      200,
      { amount: '5000.0000', currency: 'NGN', holder: { name: 'TESTMETER1' } },
    ])
    expect(Number(body.balance)).toBeGreaterThan(5_000)
    expect((await owner.get('/purchases')).body.count).toBe(0)
  })

  it('refuses wrong fields at their fields', async () => {
    const wrong = await owner.post('/purchase-quotes', electricity({ account_number: '1', amount: 'lots' }))
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['amount']])
    const meter = await owner.post('/purchase-quotes', electricity({ account_number: '1' }))
    expect([meter.status, Object.keys(meter.body)]).toEqual([400, ['account_number']])
  })
})

describe('a purchase in the console', () => {
  it('is made once for each key, however often it is sent, and is in the audit log', async () => {
    const order = electricity()
    const send = () => owner.send('POST', '/purchases', order, { 'duplicate-check-key': 'form-1' })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([201, 409])
    const { id } = first.body
    const bought = await eventually('the token', async () => {
      const { body } = await owner.get(`/purchases/${id}`)
      return body.vended?.token ? body : undefined
    })
    expect(bought).toMatchObject({ status: 'success', agent_reference: order.agentReference, sms: [] })
    const lines = await testApp.db`select action, object from audit_log where action = 'buy bill'`
    expect(lines).toEqual([{ action: 'buy bill', object: id }])

    expect((await owner.post(`/purchases/${id}/send-token`)).status).toBe(204)
    const again = await owner.post(`/purchases/${id}/send-token`)
    expect([again.status, again.body]).toEqual([400, { token: ['The SMS with the token exists already.'] }])
    const { body } = await owner.get(`/purchases/${id}`)
    expect(body.sms).toMatchObject([{ phonenumber: '+2348031234567' }])
  })

  it('needs the permission to pay bills', async () => {
    const viewer = openBrowser(url)
    await addPerson(testApp, {
      email: 'viewer@shop.example',
      organization: testApp.organization,
      permissions: ['view'],
    })
    await viewer.signIn('viewer@shop.example', PASSWORD)
    for (const path of ['/purchases', '/purchase-quotes', '/purchases/1/send-token'])
      expect([path, (await viewer.post(path, electricity())).status]).toEqual([path, 403])
  })
})
