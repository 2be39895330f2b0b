import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { createBuyer, electricityOrder } from '../../api/bills/buyer.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson } from '../shop.ts'

/* Managers' view of bill providers, and their decisions. The sandbox's biller is the operator's own connection. */

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  // Answers of the sandbox's simulated providers come at any time.
  await testApp.db`delete from bill_offers`
  await testApp.db`update connections set state = 'paused' where kind = 'bills'`
  await testApp.app.providers.refresh()
  url = (await testApp.startService()).url
  owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
})
afterAll(() => testApp.close())

const addDifference = async (remote_service: string, suggested: string | null) => {
  const [row] = await testApp.db<{ id: number }[]>`
    insert into bill_differences (connection, kind, bill_kind, country, currency, remote_service, name, after, state, found,
      suggested_service)
    values ('sandbox', 'new', 'electricity', 'NG', 'NGN', ${remote_service}, 'Power',
      '{"price":null,"commission_percent":"1","min":null,"max":null}', 'waiting', now(), (
      select id from catalogue_services where service_type = ${suggested})) returning id`
  return row!.id
}

describe('the page of bill providers', () => {
  it('approves and rejects, with an entry in the audit log', async () => {
    const [one, two] = [await addDifference('eko', 'eko_electric_prepaid'), await addDifference('unknown', null)]
    const { body } = await owner.get('/bill-differences?state=waiting')
    expect(body).toMatchObject({
      count: 2,
      results: [
        { id: two, suggestion: null, suggestion_name: null },
        { id: one, suggestion_name: ['electricity', 'Eko Prepaid'] },
      ],
    })
    expect((await owner.post(`/bill-differences/${two}/approve`)).status).toBe(400)
    expect((await owner.post(`/bill-differences/${one}/approve`)).status).toBe(204)
    expect((await owner.post(`/bill-differences/${two}/reject`)).status).toBe(204)
    expect((await owner.post(`/bill-differences/${two}/reject`)).status).toBe(400)
    expect((await owner.get('/bill-offers')).body.results).toMatchObject([
      {
        service_type: 'eko_electric_prepaid',
        service_name: 'Eko Prepaid',
        connection: 'sandbox',
        remote_service: 'eko',
      },
    ])
    expect((await owner.get('/bill-floats')).body).toEqual({ results: [] })
    const actions = await testApp.db`select action from audit_log where action like '%bill difference' order by id`
    expect(actions.map(({ action }) => action)).toEqual(['approve bill difference', 'reject bill difference'])
  })

  it('has all attempts and the SMS of a purchase', async () => {
    const order = electricityOrder({ sendToken: true })
    await createBuyer(testApp, url).post('/services/electricity/request', order)
    const { results } = (await owner.get(`/purchases?agent_reference=${order.agentReference}`)).body
    expect((await owner.get(`/purchases/${results[0].id}`)).body).toMatchObject({
      attempts: [{ attempt: 1, connection: 'sandbox', outcome: 'successful' }],
      sms: [{ phonenumber: '+2348031234567', state: expect.any(String) }],
    })
  })

  it("is for managers, and shows the operator's connections only to a sole organization", async () => {
    const email = 'cashier@shop.example'
    await addPerson(testApp, { email, organization: testApp.organization, permissions: ['pay_bills'] })
    const cashier = openBrowser(url)
    await cashier.signIn(email, PASSWORD)
    for (const path of ['/bill-differences', '/bill-offers', '/bill-floats'])
      expect([path, (await cashier.get(path)).status]).toEqual([path, 403])
    const waiting = await addDifference('later', 'eko_electric_postpaid')
    await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Another shop'))
    expect((await owner.get('/bill-differences')).body.count).toBe(0)
    expect((await owner.post(`/bill-differences/${waiting}/approve`)).status).toBe(404)
  })
})
