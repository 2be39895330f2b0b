import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAudit, type NewAuditEntry, readAuditChoices, recordAudit } from '../../../src/core/access/audit.ts'
import { createOrganization, createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp
let user: number
let organization: number

beforeAll(async () => {
  testApp = await buildTestApp()
  const made = await begin(testApp.db, (tx) =>
    createUser(tx, testApp.clock.now(), { name: 'Ann', email: 'ann@shop.example' }),
  )
  user = made.id
})
afterAll(() => testApp.close())
beforeEach(async () => {
  organization = (await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Shop'))).id
})

describe('the audit log', () => {
  it('records the user, the action, the object, the address and the time', async () => {
    const deed = { action: 'change permissions', object_type: 'user' as const, object: 7, address: '192.0.2.1' }
    await record({ ...deed, details: { before: ['view'], after: [] } })
    const { rows, count } = await list()
    expect(count).toBe(1)
    expect(rows[0]).toMatchObject({
      ...deed,
      user,
      user_name: 'Ann',
      details: { before: ['view'], after: [] },
      created: testApp.clock.now(),
    })
  })

  it('is read page by page, in both directions, with the count of all entries', async () => {
    for (const action of ['one', 'two', 'three']) await record({ action })
    const newest = await list({}, { limit: 2, offset: 0, descending: true })
    expect(newest).toMatchObject({ count: 3, rows: [{ action: 'three' }, { action: 'two' }] })
    const oldest = await list({}, { limit: 2, offset: 2, descending: false })
    expect(oldest).toMatchObject({ count: 3, rows: [{ action: 'three' }] })
  })

  it('is filtered by user and by action', async () => {
    await record({ action: 'sign in' })
    await record({ action: 'invite user' })
    await record({ action: 'sign in', user: null })
    expect(await list({ action: 'sign in' })).toMatchObject({ count: 2 })
    expect(await list({ action: 'sign in', user })).toMatchObject({ count: 1, rows: [{ user }] })
    expect(await list({ action: 'sign' })).toEqual({ count: 0, rows: [] })
  })

  it('is filtered by object and by time, and says what it can be filtered by', async () => {
    const webhook = { action: 'edit webhook', object_type: 'webhook' as const }
    await record({ ...webhook, object: 7 })
    await record({ ...webhook, object: 8 })
    await record({ action: 'sign in', object_type: 'user', object: 7 })
    expect(await list({ object_type: 'webhook', object: 7 })).toMatchObject({ count: 1, rows: [{ object: 7 }] })
    expect(await list({ object_type: 'webhook' })).toMatchObject({ count: 2 })
    const now = testApp.clock.now()
    const earlier = new Date(now.getTime() - 1_000)
    expect(await list({ created_after: earlier })).toMatchObject({ count: 3 })
    expect(await list({ created_after: now })).toMatchObject({ count: 0 })
    expect(await list({ created_before: earlier })).toMatchObject({ count: 0 })
    await begin(testApp.db, (tx) => setMembership(tx, now, { organization, user, permissions: ['view'] }))
    expect(await readAuditChoices(testApp.db, organization)).toEqual({
      actions: ['edit webhook', 'sign in'],
      users: [{ id: user, name: 'Ann' }],
    })
  })

  it('shows an organization only its own entries', async () => {
    await record({ action: 'sign in', organization: testApp.organization })
    await record({ action: 'change password', organization: null })
    expect(await list()).toEqual({ count: 0, rows: [] })
  })

  it('cannot be changed or deleted', async () => {
    await record({ action: 'revoke key' })
    await expect(
      testApp.db`update audit_log set action = 'nothing' where organization = ${organization}`,
    ).rejects.toThrow()
    await expect(testApp.db`delete from audit_log where organization = ${organization}`).rejects.toThrow()
    expect(await list()).toMatchObject({ count: 1, rows: [{ action: 'revoke key' }] })
  })

  it('does not contain the actions of a failed transaction', async () => {
    const failing = begin(testApp.db, async (tx) => {
      await recordAudit(tx, testApp.clock.now(), { organization, user, action: 'cancel request' })
      throw new Error('the deed failed')
    })
    await expect(failing).rejects.toThrow('the deed failed')
    expect(await list()).toEqual({ count: 0, rows: [] })
  })
})

function record(entry: Partial<NewAuditEntry> & { action: string }): Promise<void> {
  return begin(testApp.db, (tx) => recordAudit(tx, testApp.clock.now(), { organization, user, ...entry }))
}

function list(filters = {}, slice = { limit: 10, offset: 0, descending: true }) {
  return listAudit(testApp.db, organization, filters, slice)
}
