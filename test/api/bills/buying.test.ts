import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin } from '../../../src/db/client.ts'
import { openBrowser } from '../../console/browser.ts'
import { acceptedBy } from '../../console/reviewed.ts'
import { addPerson } from '../../console/shop.ts'
import { amount } from '../../core/shop.ts'
import { PASSWORD } from '../../password.ts'
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

/** Review an order, and return the function that buys it, or a changed one, under a key. */
async function reviewed(order: object, key: string) {
  const { token } = (await owner.post('/purchase-quotes', order)).body
  const headers = { 'duplicate-check-key': key, ...acceptedBy({ token }) }
  return (changed: object = order) => owner.send('POST', '/purchases', changed, headers)
}

describe('a quote', () => {
  it('has the biller, the account, the costs and the wallet, and buys nothing', async () => {
    const { status, body } = await owner.post('/purchase-quotes', electricity())
    expect([status, body]).toMatchObject([
      200,
      {
        service: 'Ikeja Prepaid',
        country: 'NG',
        account_number: '04042404048',
        phone: '08031234567',
        holder: { name: 'TESTMETER1' },
        amount: '5000.0000',
        currency: 'NGN',
        approval: { required: 0, rule: null },
        limits: [],
      },
    ])
    const { wallet, fee, total } = body
    expect(Number(total)).toBe(5_000 + Number(fee))
    expect(Number(wallet.after)).toBe(Number(wallet.before) - Number(total))
    expect((await owner.get('/purchases')).body.count).toBe(0)
  })

  it('names the approval rule and the room in the limits, and is refused above a limit', async () => {
    const { app, organization } = testApp
    const limits = { per_day: amount('6000'), per_recipient: null, per_user: null }
    await begin(app.db, async (tx) => {
      await setApprovalRule(tx, { organization, currency: 'NGN', threshold: amount('4000') })
      await setPaymentLimits(tx, { organization, currency: 'NGN', ...limits })
    })
    const { body } = await owner.post('/purchase-quotes', electricity())
    expect(body.approval).toMatchObject({ required: 1, rule: { currency: 'NGN', threshold: '4000.0000' } })
    expect(body.limits).toMatchObject([{ kind: 'per_day', limit: '6000.0000', left: '1000.0000' }])
    const above = await owner.post('/purchase-quotes', electricity({ amount: '6001' }))
    expect([above.status, above.body.amount]).toEqual([400, [expect.stringContaining('NGN 6,000')]])
    await app.db`delete from approval_rules`
    await app.db`delete from payment_limits`
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
    const unseen = await owner.post('/purchases', order)
    expect([unseen.status, unseen.body.non_field_errors]).toEqual([400, ['Review the payment before you send it.']])
    const send = await reviewed(order, 'form-1')
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

  it('is made only as it was reviewed, at the same fee', async () => {
    const setFixedFee = (fixed: string) => {
      const fee = { organization: testApp.organization, kind: 'bill' as const, currency: 'NGN', network: null }
      const rates = { fixed: amount(fixed), percent: 0n, min_fee: 0n, max_fee: null }
      return begin(testApp.db, (tx) => setFee(tx, testApp.clock.now(), { ...fee, ...rates }))
    }
    const count = async () => (await owner.get('/purchases')).body.count
    const before = await count()
    const order = electricity()
    await setFixedFee('10')
    const send = await reviewed(order, 'form-2')
    const changed = await send({ ...order, amount: '6000' })
    expect(changed.body.non_field_errors).toEqual(['The payment has changed since its review. Review it again.'])
    await setFixedFee('25')
    const refused = 'The fee has changed since the review, from NGN 10 to NGN 25. Review the payment again.'
    expect((await send()).body).toEqual({ non_field_errors: [refused] })
    expect(await count()).toBe(before)
    // A refused purchase uses up no key.
    const { status, body } = await (await reviewed(order, 'form-2'))()
    expect([status, (await owner.get(`/purchases/${body.id}`)).body.fee]).toEqual([201, '25.0000'])
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
