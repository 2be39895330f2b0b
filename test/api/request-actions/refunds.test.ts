import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { type Json, openTestService, type TestService } from '../../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const WHY = { reason: 'not_delivered', comment: 'Sold out.' }

const paid = async () => {
  const { id } = await service.createRequest({ send_instructions: true, amount: '1000' })
  return service.advanceUntilStatus(id, 'successful')
}
const refund = (id: number, body: object, headers?: Record<string, string>) =>
  service.shop.post(`/api/collectionrequests/${id}/refund`, body, headers)
const actionsOf = async (id: number) =>
  (await service.shop.get(`/api/collectionrequests/${id}/actions`)).body.results as Json[]
const statusesOf = (calls: readonly { status: number }[]) => calls.map(({ status }) => status).sort()
const sumOf = (calls: readonly { status: number; body: Json }[]) =>
  calls.reduce((sum, { status, body }) => sum + (status === 201 ? Number(body.amount) : 0), 0)

describe('a refund of a paid request', () => {
  it('is a payment to the phone that paid, and keeps why', async () => {
    const { id, collection } = await paid()
    const { status, body } = await refund(id, { ...WHY, amount: '400' })
    expect([status, body]).toMatchObject([
      201,
      { amount: '400.0000', currency: 'BXC', phone_nos: [{ phonenumber: '+80000000003' }], author: service.user },
    ])
    expect(await actionsOf(id)).toMatchObject([
      { kind: 'refund', payment: body.id, reason: 'not_delivered', comment: 'Sold out.', author: service.user },
    ])
    const [entry] = await service.testApp
      .db`select details from audit_log where object = ${id} and action = 'refund request'`
    expect(entry).toEqual({ details: { payment: body.id, reason: 'not_delivered' } })
    const rest = await refund(id, { reason: 'other', comment: 'She left the school.' })
    expect(rest.body.amount).toBe('600.0000')
    expect((await refund(id, WHY)).body).toEqual({ collection: [expect.stringContaining('already fully')] })
    expect((await service.shop.get(`/api/collections/${collection}`)).status).toBe(200)
  })

  it('requires a reason from the list, or a text for another reason', async () => {
    const { id } = await paid()
    expect((await refund(id, {})).body).toEqual({ reason: ['This field is required.'] })
    expect((await refund(id, { reason: 'mood' })).body).toEqual({
      reason: [expect.stringContaining('"mood" is not a valid choice.')],
    })
    expect((await refund(id, { reason: 'other' })).body).toHaveProperty('comment')
    expect((await refund(id, { ...WHY, amount: '0' })).body).toHaveProperty('amount')
    expect((await refund(id, { ...WHY, amount: '1000.01' })).body).toEqual({
      amount: ['Only BXC 1,000 can still be returned or refunded.'],
    })
    expect(await actionsOf(id)).toEqual([])
  })

  it('happens once for each key, despite any number of calls and callers', async () => {
    const { id } = await paid()
    const headers = { 'duplicate-check-key': `refund ${id}` }
    const calls = await Promise.all([1, 2, 3, 4].map(() => refund(id, WHY, headers)))
    expect(statusesOf(calls)).toEqual([201, 409, 409, 409])
    const made = calls.find(({ status }) => status === 201)!.body.id
    const late = await refund(id, WHY, headers)
    expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining(`(payment ${made})`)])
    expect(await actionsOf(id)).toHaveLength(1)
  })

  it('never gives back more than was paid, with refunds under way counted', async () => {
    const { id } = await paid()
    const calls = await Promise.all([1, 2, 3, 4, 5].map(() => refund(id, { ...WHY, amount: '300' })))
    expect(statusesOf(calls)).toEqual([201, 201, 201, 400, 400])
    expect(sumOf(calls)).toBe(900)
    expect((await refund(id, WHY)).body.amount).toBe('100.0000')
  })

  it('needs an approval as every payment does', async () => {
    const { db, organization } = service.testApp
    const rule = { organization, currency: 'BXC' }
    await begin(db, (tx) => setApprovalRule(tx, { ...rule, threshold: parseAmount('50')! }))
    const { id } = await paid()
    const { body } = await refund(id, WHY)
    expect(body.state).toMatch(/^approval_/)
    expect((await refund(id, WHY)).status).toBe(400)
    await begin(db, (tx) => setApprovalRule(tx, { ...rule, threshold: null }))
  })

  it('is refused for a request that is not paid, and without the permission for payments', async () => {
    const { id } = await service.createRequest({ phonenumber: '+80000000009' })
    expect((await refund(id, WHY)).body).toEqual({
      collection_request: [expect.stringMatching(/is (pending|processing_started)/)],
    })
    const { id: own } = await paid()
    const key = await service.newKey({ permissions: ['view', 'initiate_collections'] })
    const response = await fetch(`${service.url}/api/collectionrequests/${own}/refund`, {
      method: 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(WHY),
    })
    expect(response.status).toBe(403)
    expect((await service.otherShop.post(`/api/collectionrequests/${own}/refund`, WHY)).status).toBe(403)
  })
})
