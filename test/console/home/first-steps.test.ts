import { afterAll, beforeAll, expect, it } from 'vitest'
import { stateOfNetworks } from '../../../src/connections/choose.ts'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { PASSWORD } from '../../password.ts'
import { createApiClient, eventually } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

let shop: Shop
let other: ReturnType<typeof openBrowser>

beforeAll(async () => {
  shop = await openShop()
  other = shop.otherOwner
})
afterAll(() => shop.testApp.close())

const steps = async (who = shop.owner) => (await who.get('/first-steps')).body

it('are done once they have happened, and a webhook only when a program accepted an event', async () => {
  const { testApp, url, owner } = shop
  const none = {
    request: false,
    paid: false,
    webhook: false,
    payment_link: false,
    invoice: false,
    colleague: false,
    approval_rule: false,
  }
  expect(await steps(other)).toEqual(none)
  // The shop of the tests has a viewer beside its owner.
  expect(await steps()).toEqual({ ...none, colleague: true })

  const api = createApiClient(url, testApp.api_key)
  await api.post('/api/collectionrequests', { phonenumber: '+80000000003', amount: '500', currency: 'BXC' })
  expect(await steps()).toMatchObject({ request: true, paid: false })
  await eventually('the customer to pay', async () => {
    testApp.clock.advance(1)
    testApp.app.wake()
    return (await steps()).paid || undefined
  })
  expect(await steps()).toMatchObject({ paid: true, webhook: false })

  const link = await owner.post('/paymentlinks', { title: 'Shop', amount: '500', currency: 'BXC' })
  expect(link.status).toBe(201)
  expect(await steps()).toMatchObject({ payment_link: true, invoice: false, approval_rule: false })
  const [webhook] = await testApp.db<{ id: number }[]>`
    insert into webhooks (organization, "user", event, target, token, secret, position, created, updated)
    select organization, "user", 'x', 'https://shop.example', 'token of this test', 'x', 0, now(), now()
    from memberships where organization = ${testApp.organization} limit 1 returning id`
  const attempt = (failure: string | null) => testApp.db`
    insert into webhook_attempts (webhook, event, attempt, type, event_created, at, duration_ms, failure, signature, recorded)
    values (${webhook!.id}, 1, 1, 'x', now(), now(), 1, ${failure}, '', now())`
  await attempt('refused')
  expect(await steps()).toMatchObject({ webhook: false })
  await attempt(null)
  expect(await steps()).toMatchObject({ webhook: true })
})

it('of colleagues counts an invitation', async () => {
  expect((await other.post('/invitations', { email: 'new@other.example', permissions: ['view'] })).status).toBeLessThan(
    300,
  )
  expect(await steps(other)).toMatchObject({ colleague: true })
})

it('are for managers, and the state of the networks for all', async () => {
  expect((await shop.viewer.get('/first-steps')).status).toBe(403)
  expect((await shop.viewer.get('/networks/state')).body).toEqual({ state: 'ready' })
  await addPerson(shop.testApp, {
    email: 'second@other.example',
    permissions: allPermissions,
    organization: (await other.get('/session')).body.organization.id,
  })
  const second = openBrowser(shop.url)
  await second.signIn('second@other.example', PASSWORD)
  expect(await steps(second)).toEqual(await steps(other))
})

it('the networks of an organization are ready, unused or missing', () => {
  const own = { organization: 1, state: 'draft' } as const
  expect(stateOfNetworks([], 1)).toBe('none')
  expect(stateOfNetworks([{ ...own, state: 'active' }], 2)).toBe('none')
  expect(stateOfNetworks([own, { ...own, state: 'paused' }], 1)).toBe('unused')
  expect(stateOfNetworks([own, { organization: null, state: 'active' }], 1)).toBe('ready')
})
