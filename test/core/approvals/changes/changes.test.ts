import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../src/core/access/api-keys.ts'
import { createUser, getMember, setMembership } from '../../../../src/core/access/organizations.ts'
import { type ChangeContext, listChanges, requestChange } from '../../../../src/core/approvals/changes/changes.ts'
import type { ControlRequest } from '../../../../src/core/approvals/changes/kinds.ts'
import { readApprovalRule } from '../../../../src/core/spending/approval-rules.ts'
import { readApproverLimits } from '../../../../src/core/spending/approver-limits.ts'
import { readPaymentLimits } from '../../../../src/core/spending/limits.ts'
import { begin } from '../../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../../shop.ts'
import { type ChangeDecision, decideChange } from '../decisions.ts'

const HOUR_MS = 3_600_000

let shop: Shop
let owner: number
let till: number
let partner: number | undefined

beforeAll(async () => {
  shop = await openShop()
  ;({ author: owner } = await shop.wallet())
  till = await hire('till@demo.example', ['view'])
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.db`delete from control_changes`
  await shop.db`delete from mails`
  await shop.db`delete from approval_rules`
  await shop.db`update memberships set permissions = '{view}' where "user" = ${till}`
})

function hire(email: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name: email.split('@')[0]!, email })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

function context(): ChangeContext {
  const mail = { service_name: 'Kusanya', console_url: 'https://pay.example/console' }
  return {
    now: shop.now(),
    real: shop.now(),
    approver_wait_ms: 24 * HOUR_MS,
    pending_ms: 72 * HOUR_MS,
    base_url: 'https://pay.shop.example',
    mail,
  }
}

const ask = (user: number | null, request: ControlRequest) =>
  begin(shop.db, (tx) => requestChange(tx, context(), { organization: shop.organization, user }, request))
const decide = (user: number | null, id: number, verdict: ChangeDecision['verdict']) =>
  begin(shop.db, (tx) => decideChange(tx, context(), { organization: shop.organization, user }, { id, verdict }))
const rule = (threshold: string | null): ControlRequest => ({
  kind: 'approval_rule',
  currency: 'BXC',
  threshold: threshold === null ? null : amount(threshold),
})
const threshold = async () => (await readApprovalRule(shop.db, shop.organization, 'BXC')).threshold
const mails = async () =>
  (await shop.db<{ recipient: string; subject: string }[]>`select recipient, subject from mails order by id`).map(
    ({ recipient, subject }) => `${recipient}: ${subject}`,
  )

describe('with one manager, a change', () => {
  it('is made at once, and those concerned are told', async () => {
    const change = { kind: 'permissions', user: till, permissions: ['view', 'approve_payments'] } as const
    const { is_pending, change: made } = await ask(owner, { ...change, permissions: [...change.permissions] })
    expect(is_pending).toBe(false)
    expect(made).toMatchObject({
      state: 'applied',
      description: 'till (till@demo.example) may also: Approve Payments.',
      author: owner,
      expires: null,
    })
    const member = await getMember(shop.db, shop.organization, till)
    expect(member.permissions).toEqual(['view', 'approve_payments'])
    expect(member.approves_from).toEqual(new Date(shop.now().getTime() + 24 * HOUR_MS))
    expect(await mails()).toEqual([
      'owner@demo.example: Kusanya: Demo Owner has made a change of Demo Shop',
      'till@demo.example: Kusanya: Demo Owner has made a change of Demo Shop',
    ])
  })

  it('that concerns no money tells nobody', async () => {
    const result = await ask(owner, { kind: 'permissions', user: till, permissions: ['view', 'manage_contacts'] })
    expect(result).toMatchObject({ is_pending: false, change: null })
    expect(await mails()).toEqual([])
  })
})

describe('with a second manager, a change that weakens control', () => {
  beforeAll(async () => {
    partner = await hire('partner@demo.example', ['view', 'manage_organization'])
  })

  it('waits until the other manager confirms it', async () => {
    await ask(owner, rule('100'))
    await shop.db`delete from mails`
    const { is_pending, change } = await ask(owner, rule('100000'))
    expect(is_pending).toBe(true)
    expect(change).toMatchObject({
      state: 'pending',
      description: 'Payments in BXC: with approval above 100,000 (before: with approval above 100).',
    })
    expect(await threshold()).toBe(amount('100'))
    await expect(ask(owner, rule('100000'))).rejects.toThrow('is already waiting for a second manager')
    const confirmed = await decide(partner!, change!.id, 'confirm')
    expect(confirmed.change).toMatchObject({ state: 'confirmed', decided_by_name: 'partner' })
    expect(await threshold()).toBe(amount('100000'))
    await expect(decide(partner!, change!.id, 'reject')).rejects.toThrow('The change is already confirmed.')
    expect(await mails()).toEqual([
      'owner@demo.example: Kusanya: Demo Owner asks for a change of Demo Shop',
      'partner@demo.example: Kusanya: Demo Owner asks for a change of Demo Shop',
      'owner@demo.example: Kusanya: partner has confirmed a change of Demo Shop',
      'partner@demo.example: Kusanya: partner has confirmed a change of Demo Shop',
    ])
  })

  it('removes no second factor that the user has set up meanwhile', async () => {
    const setUp = (confirmed: Date) =>
      shop.db`update users set totp_secret = 'sealed', totp_confirmed = ${confirmed} where id = ${till}`
    const reset = async () => (await ask(owner, { kind: 'second_factor_reset', user: till })).change!.id
    await setUp(shop.now())
    const late = await reset()
    await setUp(new Date(shop.now().getTime() + 1))
    await expect(decide(partner!, late, 'confirm')).rejects.toThrow('has changed since')
    await decide(partner!, late, 'reject')
    const wrong = await reset()
    await shop.db`update memberships set permissions = '{view,approve_payments}' where "user" = ${till}`
    await expect(decide(partner!, wrong, 'confirm')).rejects.toThrow('has changed since')
    await decide(partner!, wrong, 'reject')
    await shop.db`update memberships set permissions = '{view}' where "user" = ${till}`
    expect((await decide(partner!, await reset(), 'confirm')).change.state).toBe('confirmed')
    const [user] = await shop.db<{ totp_confirmed: Date | null }[]>`select totp_confirmed from users where id = ${till}`
    expect(user!.totp_confirmed).toBeNull()
  })

  it('changes nothing when it is rejected, withdrawn or expired', async () => {
    await ask(owner, rule('100'))
    const rejected = await ask(owner, rule(null))
    await decide(partner!, rejected.change!.id, 'reject')
    const withdrawn = await ask(owner, rule(null))
    await decide(owner, withdrawn.change!.id, 'withdraw')
    const expired = await ask(owner, rule(null))
    shop.testApp.clock.advance(72 * 3_600)
    await expect(decide(partner!, expired.change!.id, 'confirm')).rejects.toThrow('has expired')
    expect(await threshold()).toBe(amount('100'))
    const { rows } = await listChanges(shop.db, shop.now(), shop.organization, {}, { limit: 10, offset: 0 })
    expect(rows.map(({ state }) => state)).toEqual(['expired', 'withdrawn', 'rejected', 'applied'])
    // It may be asked for again.
    expect((await ask(owner, rule(null))).is_pending).toBe(true)
  })

  it('is confirmed only if what it changes is still the same', async () => {
    await ask(owner, rule('100'))
    const { change } = await ask(owner, rule('1000'))
    await ask(owner, rule('50'))
    await expect(decide(partner!, change!.id, 'confirm')).rejects.toThrow('has changed since')
    expect(await threshold()).toBe(amount('50'))
  })

  it('is void when the one who asked is no manager any more', async () => {
    await ask(owner, rule('100'))
    const { change } = await ask(owner, rule(null))
    await shop.db`
      update memberships set permissions = array_remove(permissions, 'manage_organization') where "user" = ${owner}`
    await expect(decide(partner!, change!.id, 'confirm')).rejects.toThrow('You do not have permission')
    await shop.db`
      update memberships set permissions = permissions || '{manage_organization}' where "user" = ${owner}`
    expect(await threshold()).toBe(amount('100'))
  })

  it.each<[string, (user: number) => ControlRequest]>([
    ['a new approver', (user) => ({ kind: 'permissions', user, permissions: ['view', 'approve_payments'] })],
    ['a new initiator', (user) => ({ kind: 'permissions', user, permissions: ['view', 'initiate_payments'] })],
    ['a new manager', (user) => ({ kind: 'permissions', user, permissions: ['manage_organization'] })],
    ['a manager less', () => ({ kind: 'permissions', user: partner!, permissions: ['view'] })],
    ['an invited approver', () => ({ kind: 'invitation', email: 'x@y.example', permissions: ['approve_payments'] })],
  ])('may be %s', async (_what, request) => {
    expect((await ask(owner, request(till))).is_pending).toBe(true)
  })

  it('may be a higher limit, not a lower one', async () => {
    const limits = (per_day: string | null, per_user: string | null = null): ControlRequest => {
      const read = (text: string | null) => (text === null ? null : amount(text))
      return {
        kind: 'payment_limits',
        currency: 'BXC',
        per_recipient: null,
        per_day: read(per_day),
        per_user: read(per_user),
      }
    }
    for (const [stricter, is_pending] of [
      [limits('500'), false],
      [limits('400'), false],
      [limits('400', '100'), false],
      [limits('300', '200'), true],
      [limits('400.0001', '100'), true],
      [limits('400', null), true],
      [limits(null, '100'), true],
    ] as const)
      expect((await ask(owner, stricter)).is_pending).toBe(is_pending)
    expect(await readPaymentLimits(shop.db, shop.organization, 'BXC')).toMatchObject({
      per_day: amount('400'),
      per_user: amount('100'),
    })
  })

  it('may be a later second approval or a higher limit of an approver, and holds once it is confirmed', async () => {
    const steps = (second: string | null): ControlRequest => {
      const second_threshold = second === null ? null : amount(second)
      return { kind: 'approval_rule', currency: 'BXC', threshold: amount('10'), second_threshold }
    }
    const most = (per_payment: string | null): ControlRequest => ({
      kind: 'approver_limits',
      user: till,
      currency: 'BXC',
      per_day: null,
      per_payment: per_payment === null ? null : amount(per_payment),
    })
    await ask(null, steps(null))
    for (const [change, is_pending] of [
      [steps('500'), false],
      [steps('400'), false],
      [steps('401'), true],
      [steps(null), true],
      [most('900'), false],
      [most('800'), false],
      [most(null), true],
    ] as const)
      expect((await ask(owner, change)).is_pending).toBe(is_pending)
    const { change } = await ask(owner, most('801'))
    expect(change!.description).toBe(
      'till (till@demo.example) may approve in BXC: of one payment at most 801 (before: at most 800).',
    )
    await decide(partner!, change!.id, 'confirm')
    const of = { organization: shop.organization, user: till, currency: 'BXC' }
    expect(await readApproverLimits(shop.db, of)).toEqual({ per_payment: amount('801'), per_day: null })
  })

  it('is made at once by an operator, and can be confirmed by one', async () => {
    await ask(null, rule('100'))
    expect((await ask(null, rule('5000'))).change).toMatchObject({ state: 'applied', author: null })
    const { change } = await ask(owner, rule(null))
    await decide(null, change!.id, 'confirm')
    expect(await threshold()).toBeNull()
    const rows = await shop.db`select action, details from audit_log order by id desc limit 1`
    expect(rows).toMatchObject([{ action: 'remove approval', details: { change: change!.id } }])
  })

  it('never gives a permission that the one who asks lacks', async () => {
    const request = { kind: 'permissions', user: till, permissions: ['view', 'approve_payments'] } as ControlRequest
    await expect(ask(partner!, request)).rejects.toThrow(
      'You cannot grant a permission that you do not have: Approve Payments.',
    )
    await expect(
      ask(partner!, { kind: 'invitation', email: 'x@y.example', permissions: ['pay_bills'] }),
    ).rejects.toThrow('You cannot grant a permission that you do not have: Pay Bills.')
  })

  it('is refused to the author by the database, too', async () => {
    await ask(owner, rule('100'))
    const { change } = await ask(owner, rule(null))
    await expect(shop.db`
      update control_changes set state = 'confirmed', decided_by = author, decided_at = created
      where id = ${change!.id}`).rejects.toThrow('check constraint')
  })

  it('is not confirmed at the same time as another one of the same rule', async () => {
    await ask(owner, rule('100'))
    const first = await ask(owner, rule('200'))
    const second = await ask(owner, rule('300'))
    await Promise.allSettled([
      decide(partner!, first.change!.id, 'confirm'),
      decide(partner!, second.change!.id, 'confirm'),
    ])
    const confirmed = await shop.db`select id from control_changes where state = 'confirmed'`
    expect(confirmed).toHaveLength(1)
    expect([amount('200'), amount('300')]).toContain(await threshold())
  })
})
