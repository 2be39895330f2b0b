import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import {
  type ApprovalKind,
  type Decider,
  decide,
  type Proposal,
  type Verdict,
} from '../../../src/core/approvals/decide.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

/* The rules of all kinds, asked of a kind that keeps its proposals in memory. */

let shop: Shop
let author: number
let approver: number
let manager: number
beforeAll(async () => {
  shop = await openShop()
  author = await hire('author@demo.example', ['approve_payments', 'manage_organization'])
  approver = await hire('approver@demo.example', ['approve_payments'])
  manager = await hire('manager@demo.example', ['manage_organization'])
})
afterAll(() => shop.close())

function hire(email: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const { id: user } = await createUser(tx, shop.now(), { name: email, email })
    await setMembership(tx, shop.now(), { organization: shop.organization, user, permissions })
    return user
  })
}

/** Decide about a new proposal. @returns the effect; undefined if there was none */
async function attempt(by: Decider, verdict: Verdict, changes: Partial<ApprovalKind<Proposal>> = {}) {
  const effects: string[] = []
  const kind: ApprovalKind<Proposal> = {
    deciders: 'approvers',
    own: 'payments.own',
    not_own: 'changes.only_author',
    lock: async () => ({ organization: shop.organization, author }),
    closed: () => undefined,
    approve: async () => void effects.push('approved'),
    reject: async () => void effects.push('rejected'),
    ...changes,
  }
  await begin(shop.db, (tx) => decide(tx, shop.now(), kind, { id: 1, verdict, by }))
  return effects[0]
}
const as = (user: number | null): Decider => ({ organization: shop.organization, user })

describe('a proposal', () => {
  it('is decided by another person with the permission, and withdrawn by its author alone', async () => {
    expect(await attempt(as(approver), 'approve')).toBe('approved')
    expect(await attempt(as(approver), 'reject')).toBe('rejected')
    expect(await attempt(as(author), 'withdraw')).toBe('rejected')
    for (const verdict of ['approve', 'reject'] as const) {
      await expect(attempt(as(author), verdict)).rejects.toThrow('cannot approve or reject it')
      await expect(attempt(as(manager), verdict)).rejects.toThrow('You do not have permission')
    }
    await expect(attempt(as(approver), 'withdraw')).rejects.toThrow('Only')
  })

  it('is decided by a manager where it weakens control', async () => {
    const changes = { deciders: 'managers' } as const
    expect(await attempt(as(manager), 'approve', changes)).toBe('approved')
    await expect(attempt(as(approver), 'approve', changes)).rejects.toThrow('You do not have permission')
    await shop.db`update memberships set permissions = '{view}' where "user" = ${author}`
    await expect(attempt(as(author), 'withdraw', changes)).rejects.toThrow('You do not have permission')
  })

  it('is decided by an operator only where its kind says so', async () => {
    await expect(attempt(as(null), 'approve')).rejects.toThrow('You do not have permission')
    expect(await attempt(as(null), 'approve', { requireOperator: async () => {} })).toBe('approved')
  })

  it('is not approved by a new approver, who may reject it, and not after it is closed', async () => {
    await shop.db`update memberships set approves_from = '2100-01-01' where "user" = ${approver}`
    await expect(attempt(as(approver), 'approve')).rejects.toThrow('A new approver waits')
    expect(await attempt(as(approver), 'reject')).toBe('rejected')
    const closed = () => ({ state: ['It is decided.'] })
    await expect(attempt(as(approver), 'reject', { closed })).rejects.toThrow('It is decided.')
  })
})
