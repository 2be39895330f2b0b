import { afterAll, beforeAll, expect, it } from 'vitest'
import { allPermissions, type Permission } from '../../src/core/access/api-keys.ts'
import { setMembership } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { openBrowser } from '../console/browser.ts'
import { addPerson, openShop, type Shop } from '../console/shop.ts'
import { PASSWORD } from '../password.ts'
import { createApiClient } from '../test-app.ts'
import { printFigure } from './figures.ts'

/*
 * A manager with all permissions tries to send money alone. Payments above 1,000 need the approval of a second person, and
 * nobody may send more than 2,000 a day. There is a second manager, who confirms nothing.
 */

const THRESHOLD = 1_000
const PER_USER = 2_000
const PARTNER = 'partner@shop.example'
const SHADOW = 'shadow@shop.example'
const CASHIER = 'cashier@shop.example'
const DAYS_20_S = 20 * 24 * 60 * 60

let shop: Shop
let partner: number
let shadow: number
let cashier: number
let manager: Shop['owner']
let second_self: Shop['owner']
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  shop = await openShop({ APPROVER_WAIT_HOURS: '24' })
  manager = shop.owner
  expect(await put('/settings/approval/BXC', { threshold: String(THRESHOLD) })).toBe(204)
  expect(await put('/settings/limits/BXC', { per_user: String(PER_USER) })).toBe(204)
  const { testApp, url } = shop
  const here = { organization: testApp.organization }
  partner = await addPerson(testApp, { ...here, email: PARTNER, permissions: allPermissions })
  shadow = await addPerson(testApp, { ...here, email: SHADOW, permissions: ['view'] })
  cashier = await addPerson(testApp, { ...here, email: CASHIER, permissions: ['view', 'pay_bills'] })
  second_self = openBrowser(url)
  await second_self.signIn(SHADOW, PASSWORD)
  await testApp.db`update users set totp_secret = 'sealed', totp_confirmed = created where kind = 'person'`
  await testApp.db`update organizations set second_factor_required = true where id = ${here.organization}`
  api = createApiClient(url, testApp.api_key)
})
afterAll(() => shop.testApp.close())

const put = async (path: string, body: object) => (await manager.send('PUT', path, body)).status
const pay = (amount: number, phonenumber = '+80000000003') =>
  api.post('/api/payments', { phonenumber, amount: String(amount), currency: 'BXC', description: 'Mine' })

/** The permissions that a user has, as the database says. */
async function permissionsOf(user: number): Promise<Permission[]> {
  const [row] = await shop.testApp.db<{ permissions: Permission[] }[]>`
    select permissions from memberships where organization = ${shop.testApp.organization} and "user" = ${user}`
  return row!.permissions
}

async function settings() {
  return (await manager.get('/settings')).body
}

/** Attempt to approve alone. Returns whether it worked. */
type Try = [way: string, attempt: () => Promise<boolean>]

const gaining = (user: number, permissions: Permission[]) => async () => {
  const before = await permissionsOf(user)
  await manager.send('PATCH', `/users/${user}`, { permissions, password: PASSWORD })
  return JSON.stringify(await permissionsOf(user)) !== JSON.stringify(before)
}

const loosening = (method: string, path: string, body?: object) => async () => {
  const before = JSON.stringify(await settings())
  await manager.send(method, path, body)
  return JSON.stringify(await settings()) !== before
}

const inviting = (email: string, permissions: Permission[]) => async () =>
  (await manager.post('/invitations', { email, permissions })).status === 201

function tries(): Try[] {
  return [
    ['approves his own payment', approveOwnPayment],
    ['changes his own permissions', async () => (await changeOwnPermissions()).status < 400],
    ['makes a colleague an approver', gaining(shadow, ['view', 'approve_payments'])],
    ['makes a colleague an initiator', gaining(shadow, ['view', 'initiate_payments'])],
    ['makes a colleague a buyer of bills', gaining(shadow, ['view', 'pay_bills'])],
    ['makes a colleague a manager', gaining(shadow, ['view', 'manage_organization'])],
    ['makes the other manager none', gaining(partner, ['view'])],
    ['invites a second self who approves', inviting('self@evil.example', ['view', 'approve_payments'])],
    ['invites a second self who initiates', inviting('self@evil.example', ['view', 'initiate_payments'])],
    ['invites a second self who buys bills', inviting('self@evil.example', ['view', 'pay_bills'])],
    ['invites a second self who manages', inviting('self@evil.example', ['manage_organization'])],
    ['invites the other manager with less', inviting(PARTNER, ['view'])],
    ['raises the rule', loosening('PUT', '/settings/approval/BXC', { threshold: '1000000' })],
    ['removes the rule', loosening('DELETE', '/settings/approval/BXC')],
    ['raises the limit', loosening('PUT', '/settings/limits/BXC', { per_user: '1000000' })],
    ['removes the limit', loosening('DELETE', '/settings/limits/BXC')],
    ['replaces one limit by another', loosening('PUT', '/settings/limits/BXC', { per_day: '1' })],
    ['demands no second factor any more', loosening('PUT', '/settings/second-factor', { required: false })],
    ['resets the factor of the other manager', resetFactor],
    ['asks for the password link of the other manager', () => showsPasswordLink(partner)],
    ['asks for the password link of a buyer of bills', () => showsPasswordLink(cashier)],
    ['confirms his own changes', confirmOwnChanges],
    ['confirms them as the colleague', confirmAsShadow],
    ['waits until they expire', waitForExpiry],
    ['splits the sum into five', splitSum],
    ['sends twenty at once', sendAtOnce],
    ['approves at once as a new approver', approveAsNewApprover],
  ]
}

async function approveOwnPayment(): Promise<boolean> {
  const { body } = await pay(THRESHOLD + 1)
  const { status } = await manager.post(`/payments/${body.id}/approve`)
  await manager.post(`/payments/${body.id}/cancel`, { reason: 'Next try' })
  return status === 200
}

async function changeOwnPermissions() {
  const { user } = (await manager.get('/session')).body
  return manager.send('PATCH', `/users/${user.id}`, { permissions: allPermissions, password: PASSWORD })
}

async function resetFactor(): Promise<boolean> {
  await manager.post(`/users/${partner}/second-factor-reset`, { password: PASSWORD })
  const [row] = await shop.testApp.db`select totp_confirmed from users where id = ${partner}`
  return row!.totp_confirmed === null
}

async function showsPasswordLink(user: number): Promise<boolean> {
  const { body } = await manager.post(`/users/${user}/password-reset`)
  return Boolean(body.path)
}

const pendingChanges = async () =>
  (await manager.get('/control-changes?state=pending&limit=100')).body.results as { id: number }[]

async function confirmOwnChanges(): Promise<boolean> {
  const changes = await pendingChanges()
  expect(changes.length).toBeGreaterThan(8)
  const statuses = await Promise.all(
    changes.map(async ({ id }) => (await manager.post(`/control-changes/${id}/confirm`)).status),
  )
  return statuses.includes(200)
}

async function confirmAsShadow(): Promise<boolean> {
  const [change] = await pendingChanges()
  return (await second_self.post(`/control-changes/${change!.id}/confirm`)).status === 200
}

async function waitForExpiry(): Promise<boolean> {
  const before = JSON.stringify([await settings(), await permissionsOf(shadow), await permissionsOf(partner)])
  shop.testApp.clock.advance(DAYS_20_S)
  const left = await pendingChanges()
  return (
    left.length > 0 ||
    JSON.stringify([await settings(), await permissionsOf(shadow), await permissionsOf(partner)]) !== before
  )
}

/** Sum that the manager has sent today without anybody's approval. */
async function sentToday(): Promise<number> {
  const [row] = await shop.testApp.db<{ sum: bigint | null }[]>`
    select sum(amount)::numeric(38,4) as sum from payments
    where state not in ('cancelled', 'rejected') and created >= ${new Date(shop.testApp.clock.now().getTime() - 3_600_000)}`
  return Number((row!.sum ?? 0n) / 10_000n)
}

async function splitSum(): Promise<boolean> {
  for (let count = 0; count < 5; count += 1) await pay(THRESHOLD)
  return (await sentToday()) > PER_USER
}

async function sendAtOnce(): Promise<boolean> {
  shop.testApp.clock.advance(24 * 60 * 60)
  await Promise.all(Array.from({ length: 20 }, (_, index) => pay(THRESHOLD / 2, `+8000000005${index % 10}`)))
  return (await sentToday()) > PER_USER
}

/** The other manager has made the colleague an approver, whose account the manager uses. */
async function approveAsNewApprover(): Promise<boolean> {
  shop.testApp.clock.advance(24 * 60 * 60)
  const { app, db, organization, clock } = shop.testApp
  const approver_wait_ms = app.config.APPROVER_WAIT_HOURS * 3_600_000
  const permissions = ['view', 'approve_payments'] as const
  await begin(db, (tx) => setMembership(tx, clock.now(), { organization, user: shadow, permissions, approver_wait_ms }))
  const { body } = await pay(THRESHOLD + 1)
  const { status, body: refusal } = await second_self.post(`/payments/${body.id}/approve`)
  expect(refusal.detail).toMatch(/A new approver waits: this user may approve payments from 2030-\d\d-\d\dT/)
  return status === 200
}

it('no manager can approve alone', async () => {
  const passed: string[] = []
  const all = tries()
  for (const [way, attempt] of all) if (await attempt()) passed.push(way)
  printFigure('approval-bypass', `${passed.length} of ${all.length} ways for a manager to approve alone passed`)
  expect(passed).toEqual([])
})
