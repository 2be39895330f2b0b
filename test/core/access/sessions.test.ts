import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership } from '../../../src/core/access/organizations.ts'
import {
  deleteExpiredSessions,
  endSession,
  endSessions,
  findSession,
  isLastSeenOutdated,
  listMemberships,
  listSessions,
  recordSessionUse,
  startSession,
  switchOrganization,
  toCaller,
} from '../../../src/core/access/sessions.ts'
import { Forbidden } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const MINUTE_MS = 60 * 1_000
const HOUR_MS = 60 * MINUTE_MS
const now = new Date('2030-01-15T12:00:00Z')

let testApp: TestApp
let other: number
let user: number
let people = 0

beforeAll(async () => {
  testApp = await buildTestApp()
  other = (await begin(testApp.db, (tx) => createOrganization(tx, now, 'Kampala Books'))).id
})
afterAll(() => testApp.close())
beforeEach(async () => {
  people += 1
  const email = `person${people}@shop.example`
  user = (await begin(testApp.db, (tx) => createUser(tx, now, { name: 'Ann', email }))).id
  await allow(testApp.organization, ['view'])
})

describe('a session', () => {
  it('is found by its secret, which is stored only as a hash', async () => {
    const token = await start()
    expect(await find(token)).toMatchObject({
      user,
      name: 'Ann',
      complete: true,
      second_factor: false,
      organization: testApp.organization,
      permissions: ['view'],
    })
    expect(await find(`${token}x`)).toBeUndefined()
    const rows = await testApp.db`select * from sessions where "user" = ${user}`
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('ends after twelve hours without use, and after a week with use', async () => {
    const token = await start()
    const session = (await find(token))!
    expect(isLastSeenOutdated(session, later(MINUTE_MS))).toBe(false)
    expect(isLastSeenOutdated(session, later(MINUTE_MS + 1))).toBe(true)
    expect(await find(token, 12 * HOUR_MS)).toBeUndefined()
    for (let hour = 11; hour < 7 * 24; hour += 11)
      await begin(testApp.db, (tx) => recordSessionUse(tx, later(hour * HOUR_MS), session.id))
    expect(await find(token, 7 * 24 * HOUR_MS - 1)).toBeDefined()
    expect(await find(token, 7 * 24 * HOUR_MS)).toBeUndefined()
  })

  it('lasts ten minutes while it waits for the second factor, and is not listed', async () => {
    const token = await start(false)
    expect(await find(token, 10 * MINUTE_MS - 1)).toMatchObject({ complete: false })
    expect(await find(token, 10 * MINUTE_MS)).toBeUndefined()
    expect(await listSessions(testApp.db, now, user)).toEqual([])
  })

  it('applies changed permissions of its user at once', async () => {
    const token = await start()
    await allow(testApp.organization, ['view', 'approve_payments'])
    const session = (await find(token))!
    expect(toCaller(session)).toMatchObject({
      organization: testApp.organization,
      user,
      permissions: new Set(['view', 'approve_payments']),
      read_only: false,
    })
  })

  it('has no organization if its user has none', async () => {
    await allow(testApp.organization, [])
    const session = (await find(await start()))!
    expect(session.organization).toBeNull()
    expect(() => toCaller(session)).toThrow(Forbidden)
    expect(await listMemberships(testApp.db, user)).toEqual([])
  })

  it('switches to another organization of its user, and the next session starts there', async () => {
    const token = await start()
    await expect(move(token)).rejects.toThrow(Forbidden)
    await allow(other, ['pay_bills'])
    expect((await listMemberships(testApp.db, user)).map((one) => one.name)).toEqual(['Demo Shop', 'Kampala Books'])
    await move(token)
    expect(await find(token)).toMatchObject({ organization: other, permissions: ['pay_bills'] })
    expect(await find(await start())).toMatchObject({ organization: other })
  })
})

describe('signing out', () => {
  it('ends one session, all but one, or all', async () => {
    const [first, second, third] = [await start(), await start(), await start()]
    const { id } = (await find(first))!
    await begin(testApp.db, (tx) => endSession(tx, id))
    expect(await find(first)).toBeUndefined()
    const staying = (await find(second))!.id
    expect(await begin(testApp.db, (tx) => endSessions(tx, user, staying))).toBe(1)
    expect(await find(third)).toBeUndefined()
    expect(await listSessions(testApp.db, now, user)).toMatchObject([{ id: staying, user_agent: 'Firefox' }])
    expect(await begin(testApp.db, (tx) => endSessions(tx, user))).toBe(1)
    expect(await find(second)).toBeUndefined()
  })

  it('keeps other people signed in', async () => {
    const token = await start()
    const email = 'bob@shop.example'
    const bob = await begin(testApp.db, (tx) => createUser(tx, now, { name: 'Bob', email }))
    await begin(testApp.db, (tx) => endSessions(tx, bob.id))
    expect(await find(token)).toBeDefined()
  })
})

it('deletes only expired sessions', async () => {
  const old = await start()
  const fresh = await begin(testApp.db, (tx) => startSession(tx, later(11 * HOUR_MS), browser()))
  await begin(testApp.db, (tx) => deleteExpiredSessions(tx, later(12 * HOUR_MS)))
  expect(await find(old)).toBeUndefined()
  expect(await find(fresh, 12 * HOUR_MS)).toBeDefined()
})

function browser(complete = true) {
  return { user, complete, address: '192.0.2.1', user_agent: 'Firefox' }
}

function start(complete = true): Promise<string> {
  return begin(testApp.db, (tx) => startSession(tx, now, browser(complete)))
}

function find(token: string, after_ms = 0) {
  return findSession(testApp.db, later(after_ms), token)
}

async function move(token: string): Promise<void> {
  const session = (await find(token))!
  await begin(testApp.db, (tx) => switchOrganization(tx, session, other))
}

function allow(organization: number, permissions: Permission[]): Promise<void> {
  return begin(testApp.db, (tx) => setMembership(tx, now, { organization, user, permissions }))
}

function later(ms: number): Date {
  return new Date(now.getTime() + ms)
}
