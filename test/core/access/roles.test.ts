import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allPermissions, controlPermissions, type Permission } from '../../../src/core/access/api-keys.ts'
import { createOrganization, createUser, listMembers, setMembership } from '../../../src/core/access/organizations.ts'
import { findRole, listRoleSets, listRoles, roleOf, standardRoles } from '../../../src/core/access/roles.ts'
import { requestChange } from '../../../src/core/approvals/changes/changes.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { decideChange } from '../approvals/decisions.ts'

let testApp: TestApp
let organization: number
let owner: number

beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  organization = (await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Shop'))).id
  owner = await hire(allPermissions)
})

let hired = 0
async function hire(permissions: readonly Permission[]): Promise<number> {
  hired += 1
  return begin(testApp.db, async (tx) => {
    const now = testApp.clock.now()
    const { id } = await createUser(tx, now, { name: `Person ${hired}`, email: `person${hired}@shop.example` })
    await setMembership(tx, now, { organization, user: id, permissions })
    return id
  })
}

const context = () => ({
  now: testApp.clock.now(),
  real: testApp.clock.real(),
  approver_wait_ms: 0,
  pending_ms: 60_000,
  base_url: 'https://pay.shop.example',
  mail: null,
})
const ask = (name: string, permissions: Permission[], role: number | null = null, user: number | null = owner) =>
  begin(testApp.db, (tx) =>
    requestChange(tx, context(), { organization, user }, { kind: 'role', role, name, permissions }),
  )
const permissionsOf = async (user: number) =>
  (await listMembers(testApp.db, organization)).find((one) => one.id === user)!.permissions
const roles = async () => listRoles(testApp.db, organization, await listMembers(testApp.db, organization))
const idOf = async (name: string) => (await roles()).find((one) => one.name === name)!.id

describe('roles', () => {
  it('are names for permissions, in any order', async () => {
    const sets = await listRoleSets(testApp.db, organization)
    expect(sets.map(({ name }) => name)).toEqual([
      'owner',
      'finance',
      'payment_maker',
      'payment_checker',
      'support',
      'developer',
      'viewer',
    ])
    expect(roleOf(sets, [...standardRoles.finance].reverse())).toBe('finance')
    expect(roleOf(sets, ['view', 'pay_bills'])).toBeNull()
    expect(roleOf(sets, [])).toBeNull()
    expect((await findRole(testApp.db, organization, ' Support ')).permissions).toEqual(standardRoles.support)
    await expect(findRole(testApp.db, organization, 'king')).rejects.toThrow()
    expect(await roles()).toMatchObject([{ name: 'owner', id: null, users: 1 }, ...Array(6).fill({ users: 0 })])
  })

  it('keep making and checking of payments apart, and people who need neither users nor erasure from both', () => {
    const { payment_maker, payment_checker, support, developer } = standardRoles
    const moves = (role: readonly Permission[]) => role.filter((one) => controlPermissions.includes(one))
    expect(moves(payment_maker)).toEqual(['initiate_payments'])
    expect(moves(payment_checker)).toEqual(['approve_payments'])
    expect(moves([...support, ...developer])).toEqual([])
    const erasing = Object.entries(standardRoles).filter(([, role]) =>
      (role as readonly Permission[]).includes('erase_contacts'),
    )
    expect(erasing.map(([name]) => name)).toEqual(['owner'])
  })

  it('of an organization change with their users, and no two are the same', async () => {
    expect(await ask('Till', ['view', 'pay_bills'])).toMatchObject({ is_pending: false })
    const till = await hire(['pay_bills', 'view'])
    expect((await roles()).at(-1)).toMatchObject({ name: 'Till', users: 1 })
    await expect(ask('TILL', ['pay_bills'])).rejects.toMatchObject({ fields: { name: expect.anything() } })
    await expect(ask('Finance', ['pay_bills'])).rejects.toMatchObject({ fields: { name: expect.anything() } })
    await expect(ask('Desk', ['pay_bills', 'view'])).rejects.toMatchObject({
      fields: { permissions: expect.anything() },
    })
    await expect(ask('Desk', [])).rejects.toMatchObject({ fields: { permissions: expect.anything() } })
    await ask('Desk', ['view', 'pay_bills', 'manage_contacts'], await idOf('Till'))
    expect(await permissionsOf(till)).toEqual(['view', 'pay_bills', 'manage_contacts'])
    expect((await roles()).at(-1)).toMatchObject({ name: 'Desk', users: 1 })
  })

  it('that weaken control wait for the second manager, and are made at once at the command line', async () => {
    await ask('Till', ['view', 'pay_bills'])
    const till = await hire(['view', 'pay_bills'])
    const role = await idOf('Till')
    const partner = await hire(allPermissions)
    expect(await ask('Counter', ['pay_bills'])).toMatchObject({ is_pending: true })
    const asked = await ask('Till', ['view', 'pay_bills', 'initiate_payments'], role)
    expect(asked).toMatchObject({
      is_pending: true,
      change: { description: 'The role Till may: View, Pay Bills, Initiate Payments. It concerns 1 user.' },
    })
    expect(await permissionsOf(till)).toEqual(['view', 'pay_bills'])
    const id = asked.change!.id
    await begin(testApp.db, (tx) =>
      decideChange(tx, context(), { organization, user: partner }, { id, verdict: 'confirm' }),
    )
    expect(await permissionsOf(till)).toEqual(['view', 'pay_bills', 'initiate_payments'])
    expect(await ask('Payer', ['initiate_payments'], null, null)).toMatchObject({ is_pending: false })
  })

  it('are not given by those who lack their permissions, nor changed by those who have them', async () => {
    const manager = await hire(['view', 'manage_organization'])
    await expect(ask('Till', ['view', 'pay_bills'], null, manager)).rejects.toThrow('do not have')
    await ask('Manager', ['view', 'manage_organization'], null, null)
    const role = await idOf('Manager')
    await expect(ask('Manager', ['manage_organization'], role, manager)).rejects.toThrow('your own permissions')
    expect(await permissionsOf(manager)).toEqual(['view', 'manage_organization'])
  })
})
