import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allPermissions, type Permission } from '../../../src/core/access/api-keys.ts'
import {
  createInvitation,
  createPasswordReset,
  findLink,
  listInvitations,
  redeemLink,
  revokeInvitation,
} from '../../../src/core/access/invitations.ts'
import {
  createOrganization,
  createUser,
  listMembers,
  setMembership,
  type User,
} from '../../../src/core/access/organizations.ts'
import { findUserByPassword } from '../../../src/core/access/passwords.ts'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { PASSWORD, PASSWORD_HASH } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

let testApp: TestApp
let author: User
let organization: number
let password_hash: string
const now = new Date('2030-01-15T12:00:00Z')

beforeAll(async () => {
  testApp = await buildTestApp()
  author = await begin(testApp.db, (tx) => createUser(tx, now, { name: 'Ann', email: 'ann@shop.example' }))
  password_hash = PASSWORD_HASH
})
afterAll(() => testApp.close())
beforeEach(async () => {
  organization = (await begin(testApp.db, (tx) => createOrganization(tx, now, 'Kampala Books'))).id
  await allow(allPermissions)
})

describe('an invitation', () => {
  it('makes a new person a user with exactly the permissions of the invitation', async () => {
    const { token, invitation } = await invite(' New@Shop.example ', ['view', 'pay_bills'])
    expect(invitation).toMatchObject({ email: 'new@shop.example', author: author.id })
    expect(await findLink(testApp.db, now, token)).toMatchObject({
      purpose: 'invitation',
      organization_name: 'Kampala Books',
      known: false,
    })
    const { user } = await redeem({ token, name: ' Nora ', password_hash })
    expect(user).toMatchObject({ name: 'Nora', email: 'new@shop.example' })
    expect(await listMembers(testApp.db, organization)).toMatchObject([
      { id: author.id },
      { id: user.id, permissions: ['view', 'pay_bills'] },
    ])
    expect(await findUserByPassword(testApp.db, 'new@shop.example', PASSWORD)).toMatchObject({ id: user.id })
  })

  it('requires a name and a password from a new person, and stays valid if they are missing', async () => {
    const { token } = await invite('forgetful@shop.example')
    await expect(redeem({ token, password_hash })).rejects.toThrow(Invalid)
    await expect(redeem({ token, name: 'Fay' })).rejects.toThrow(Invalid)
    await redeem({ token, name: 'Fay', password_hash })
  })

  it('requires nothing from a person with an account, whose name and password stay', async () => {
    const email = 'known@shop.example'
    const known = await begin(testApp.db, (tx) => createUser(tx, now, { name: 'Kim', email }))
    const { token } = await invite(email)
    const { user } = await redeem({ token, name: 'Mallory', password_hash })
    expect(user).toMatchObject({ id: known.id, name: 'Kim' })
    expect(await findUserByPassword(testApp.db, email, PASSWORD)).toBeUndefined()
    await expect(invite(email)).rejects.toThrow(Invalid)
  })

  it('works once', async () => {
    const { token } = await invite('once@shop.example')
    await redeem({ token, name: 'Olga', password_hash })
    await expect(redeem({ token, name: 'Olga', password_hash })).rejects.toThrow('This link was already used')
  })

  it('ends after a week, when it is revoked, and when a newer one is created', async () => {
    const { token, invitation } = await invite('late@shop.example')
    await findLink(testApp.db, later(7 * DAY_MS - 1), token)
    await expect(findLink(testApp.db, later(7 * DAY_MS), token)).rejects.toThrow(NotFound)
    expect(await listInvitations(testApp.db, later(7 * DAY_MS), organization)).toEqual([])

    const newer = await invite('late@shop.example')
    await expect(findLink(testApp.db, now, token)).rejects.toThrow(NotFound)
    expect(await listInvitations(testApp.db, now, organization)).toEqual([newer.invitation])
    const revoke = (id: number, owner = organization) =>
      begin(testApp.db, (tx) => revokeInvitation(tx, now, { organization: owner, id }))
    await expect(revoke(newer.invitation.id, testApp.organization)).rejects.toThrow(NotFound)
    await revoke(newer.invitation.id)
    await expect(findLink(testApp.db, now, newer.token)).rejects.toThrow(NotFound)
    await expect(revoke(invitation.id)).rejects.toThrow(NotFound)
  })

  it('ends when its author manages no more, or lacks one of its permissions', async () => {
    const { token, invitation } = await invite('second@shop.example', [
      'view',
      'approve_payments',
      'manage_integrations',
    ])
    const isOpen = async () =>
      (await listInvitations(testApp.db, now, organization)).some(({ id }) => id === invitation.id)
    for (const left of [[], ['view', 'approve_payments'], ['view', 'manage_organization']] as Permission[][]) {
      await allow(left)
      await expect(findLink(testApp.db, now, token)).rejects.toThrow(NotFound)
      await expect(redeem({ token, name: 'Self', password_hash })).rejects.toThrow(NotFound)
      expect(await isOpen()).toBe(false)
    }
    await allow(['view', 'approve_payments', 'manage_organization'])
    expect(await isOpen()).toBe(true)
    await redeem({ token, name: 'Self', password_hash })
  })

  it('is stored only as a hash', async () => {
    const { token, invitation } = await invite('secret@shop.example')
    const [row] = await testApp.db`select * from one_time_links where id = ${invitation.id}`
    expect(JSON.stringify(row)).not.toContain(token)
  })
})

describe('a password link', () => {
  it('sets a new password, once, within an hour', async () => {
    const user = await begin(testApp.db, (tx) => createUser(tx, now, { name: 'Rose', email: 'rose@shop.example' }))
    const first = await reset(user)
    const second = await reset(user)
    await expect(findLink(testApp.db, now, first)).rejects.toThrow(NotFound)
    await expect(findLink(testApp.db, later(HOUR_MS), second)).rejects.toThrow(NotFound)
    await expect(redeem({ token: second })).rejects.toThrow(Invalid)
    const { link } = await redeem({ token: second, password_hash })
    expect(link).toMatchObject({ purpose: 'password_reset', organization: null })
    expect(await findUserByPassword(testApp.db, 'rose@shop.example', PASSWORD)).toMatchObject({ id: user.id })
    await expect(redeem({ token: second, password_hash })).rejects.toThrow(NotFound)
  })
})

function invite(email: string, permissions: Permission[] = ['view']) {
  return begin(testApp.db, (tx) => createInvitation(tx, now, { organization, author: author.id, email, permissions }))
}

/** Give the author of the invitations these permissions, and no others. */
function allow(permissions: readonly Permission[]) {
  return begin(testApp.db, (tx) => setMembership(tx, now, { organization, user: author.id, permissions }))
}

function reset(user: User) {
  return begin(testApp.db, (tx) => createPasswordReset(tx, now, { user, author: author.id }))
}

function redeem(input: { token: string; name?: string; password_hash?: string }) {
  return begin(testApp.db, (tx) => redeemLink(tx, { now, real: now }, input))
}

function later(ms: number): Date {
  return new Date(now.getTime() + ms)
}
