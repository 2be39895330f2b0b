import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPassword } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { hashPassword } from '../../src/lib/secrets.ts'
import { openBrowser } from '../console/browser.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'

let service: TestService
let key: number

beforeAll(async () => {
  service = await openTestService()
  const [row] = await service.testApp.db<{ id: number }[]>`
    select id from api_keys where organization = ${service.organization}`
  key = row!.id
})
afterAll(() => service.close())

const entries = () => service.testApp.db`
  select action, object_type, object, "user", key, address from audit_log where organization = ${service.organization} order by id`

describe('the audit log has what API keys change:', () => {
  it('webhooks and contacts, with the key, its user and the address', async () => {
    const { shop, user } = service
    const webhook = await shop.post('/api/webhooks', {
      event: 'collection.received',
      target: 'https://shop.example/hook',
    })
    const contact = await shop.post('/api/contacts', {
      first_name: 'Ann',
      last_name: 'Odoi',
      phone_number: '+80000000003',
    })
    expect([webhook.status, contact.status]).toEqual([201, 201])
    expect((await shop.send('PATCH', `/api/contacts/${contact.body.id}`, { last_name: 'Okello' })).status).toBe(200)
    const by = { user, key, address: '127.0.0.1' }
    expect(await entries()).toEqual([
      { action: 'create webhook', object_type: 'webhook', object: webhook.body.id, ...by },
      { action: 'create contact', object_type: 'contact', object: contact.body.id, ...by },
      { action: 'change contact', object_type: 'contact', object: contact.body.id, ...by },
    ])
  })

  it('nothing of a write that was refused, and no collection request', async () => {
    const { length } = await entries()
    expect((await service.shop.post('/api/webhooks', { event: 'nothing', target: 'x' })).status).toBe(400)
    await service.createRequest()
    expect(await entries()).toHaveLength(length)
  })

  it('claims of collections; a browser cannot claim', async () => {
    const { shop, testApp } = service
    const phonenumber = '+80000000003'
    await shop.post(`/api/simulator/phones/${phonenumber}/pay`, { amount: '77', currency: 'BXC' })
    let unmatched: { id: number; remote_transaction_id: string } | undefined
    while (!unmatched) {
      service.advance(1)
      unmatched = (await shop.get('/api/collections?amount=77')).body.results[0]
    }
    const query = `amount=77&phonenumber=${encodeURIComponent(phonenumber)}&remote_transaction_id=${unmatched.remote_transaction_id}&claim=True`

    const password = 'correct horse battery'
    const hash = await hashPassword(password)
    await begin(testApp.db, (tx) => setPassword(tx, service.user, hash))
    const browser = openBrowser(service.url)
    await browser.signIn('owner@demo.example', password)
    expect(await browser.get(`/collections?${query}`)).toMatchObject({
      status: 403,
      body: { detail: 'A collection is claimed with an API key.' },
    })
    expect((await browser.get(`/collections?${query.replace('&claim=True', '')}`)).body.count).toBe(1)

    expect((await shop.get(`/api/collections?${query}`)).body.count).toBe(1)
    expect((await entries()).at(-1)).toMatchObject({ action: 'claim collection', object: unmatched.id, key })
  })
})
