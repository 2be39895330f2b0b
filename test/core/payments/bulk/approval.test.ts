import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../../src/core/access/organizations.ts'
import { countWaitingPayments, listWaitingPayments } from '../../../../src/core/payments/approval-queue.ts'
import { requireNoFile } from '../../../../src/core/payments/bulk/approval.ts'
import { listBulkPayments } from '../../../../src/core/payments/bulk/read.ts'
import {
  countWaitingFiles,
  findWaitingFile,
  listWaitingFiles,
} from '../../../../src/core/payments/bulk/waiting-files.ts'
import { setApprovalRule } from '../../../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../../../src/core/spending/approver-limits.ts'
import { begin } from '../../../../src/db/client.ts'
import { approvePayment, decideBulkPayment } from '../../approvals/decisions.ts'
import { amount, openShop, type Shop } from '../../shop.ts'
import { type Files, GROUP_ROWS, openFiles, people } from './files.ts'

let shop: Shop
let owner: number
let files: Files
let grace: number
let peter: number
beforeAll(async () => {
  shop = await openShop()
  owner = (await shop.wallet()).author
  files = openFiles(shop, owner)
  grace = await hire('grace', ['view', 'approve_payments'])
  peter = await hire('peter', ['view', 'approve_payments'])
})
afterAll(() => shop.close())
afterEach(async () => {
  await shop.db`delete from approver_limits`
  // Payments of one test are no recent payments of the next one.
  shop.testApp.clock.advance(8 * 24 * 60 * 60)
})

function hire(name: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name, email: `${name}@demo.example` })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

const demand = (second_threshold?: string) =>
  begin(shop.db, (tx) =>
    setApprovalRule(tx, {
      organization: shop.organization,
      currency: 'BXC',
      threshold: amount('45'),
      second_threshold: second_threshold === undefined ? null : amount(second_threshold),
    }),
  )

/** Starts a file of two groups that waits for approval. */
async function sendFile(first: number): Promise<number> {
  await demand()
  const id = await files.upload(people(GROUP_ROWS + 2, '10', first))
  await files.start(id)
  await files.createAll(id)
  return id
}

const decision = (bulk_payment: number, user: number) => ({ organization: shop.organization, bulk_payment, user })
const approve = (id: number, user: number) =>
  begin(shop.db, (tx) => decideBulkPayment(tx, shop.now(), 'approve', decision(id, user)))
const reject = (id: number, user: number) =>
  begin(shop.db, (tx) => decideBulkPayment(tx, shop.now(), 'reject', { ...decision(id, user), reason: 'Wrong month' }))
const queue = (user: number, may_approve = true) => ({ organization: shop.organization, user, may_approve })
const seenBy = (id: number, user: number) => findWaitingFile(shop.db, shop.now(), queue(user), id)
const limit = (per_payment: string | null, per_day: string | null) =>
  begin(shop.db, (tx) =>
    setApproverLimits(tx, {
      organization: shop.organization,
      user: grace,
      currency: 'BXC',
      per_payment: per_payment === null ? null : amount(per_payment),
      per_day: per_day === null ? null : amount(per_day),
    }),
  )

const listed = async (id: number) => {
  const { rows } = await listBulkPayments(shop.db, shop.organization, { limit: 100, offset: 0, descending: true })
  const { progress, paid_rows, failed_rows, sums } = rows.find((row) => row.id === id)!
  return { progress, paid_rows, failed_rows, sums }
}

describe('a file of payments', () => {
  it('waits for one approval, which says what it approves', async () => {
    const id = await sendFile(1_000)
    const phones = ['+80000001001', '+80000001002']
    await shop.db`
      update contacts set due_at = null, phone_is_mm_registered = 'yes', name_on_network = 'Okello Moses' where phone_number = ${phones[0]!}`
    await shop.db`update contacts set due_at = null, phone_is_mm_registered = 'no' where phone_number = ${phones[1]!}`
    expect(await countWaitingFiles(shop.db, shop.now(), queue(grace))).toEqual({ mine: 1, others: 0 })
    expect(await countWaitingFiles(shop.db, shop.now(), queue(owner))).toEqual({ mine: 0, others: 1 })
    // Its payments are not beside it in the list of payments.
    expect(await countWaitingPayments(shop.db, shop.now(), queue(grace))).toEqual({ mine: 0, others: 0 })
    expect(await listWaitingPayments(shop.db, shop.now(), queue(grace), 10)).toEqual([])
    const [file] = await listWaitingFiles(shop.db, shop.now(), queue(grace), 10)
    expect(file).toMatchObject({
      id,
      file_name: 'wages.csv',
      description: 'Wages',
      author_name: 'Demo Owner',
      uploaded_by_name: 'Demo Owner',
      recipients: GROUP_ROWS + 2,
      sums: [{ currency: 'BXC', amount: amount('50') }],
      first_row: 2,
      last_row: GROUP_ROWS + 3,
      names: { differs: 1, not_registered: 1 },
      approvals_required: 1,
      approved_by_names: [],
      obstacle: null,
    })
    const { totals } = await files.read(id)
    expect(file!.sums[0]!.fee).toBe(totals.reduce((sum, { fee }) => sum + fee, 0n))
    expect(file!.payments).toHaveLength(2)
    await expect(begin(shop.db, (tx) => requireNoFile(tx, shop.organization, file!.payments[1]!))).rejects.toThrow(
      `The payment belongs to bulk payment ${id}.`,
    )
    expect(await approve(id, grace)).toEqual(file!.payments)
    expect(await seenBy(id, grace)).toBeNull()
    await expect(approve(id, peter)).rejects.toThrow('No payment of this file waits for approval.')
  })

  it('says why a user cannot approve it, and is rejected as a whole', async () => {
    const id = await sendFile(2_000)
    expect((await seenBy(id, owner))!.obstacle).toBe('author')
    expect((await findWaitingFile(shop.db, shop.now(), queue(peter, false), id))!.obstacle).toBe('permission')
    await reject(id, peter)
    expect(await files.read(id)).toMatchObject({ awaiting_approval: [], states: { failed: 5 }, progress: 'rejected' })
  })

  it('is not decided about while its payments are created', async () => {
    await demand()
    const id = await files.upload(people(GROUP_ROWS + 2, '10', 3_000))
    await files.start(id)
    await files.step(id)
    expect((await seenBy(id, grace))!.obstacle).toBe('creating')
    await expect(approve(id, grace)).rejects.toThrow('Its payments are being created now.')
    await files.createAll(id)
    expect((await approve(id, grace)).length).toBe(2)
  })

  it('counts as one payment for the limits of an approver', async () => {
    const id = await sendFile(4_000)
    await limit('45', null)
    expect((await seenBy(id, grace))!.obstacle).toBe('amount')
    await expect(approve(id, grace)).rejects.toThrow('You may approve payments of at most BXC 45.')
    await limit(null, '45')
    expect((await seenBy(id, grace))!.obstacle).toBe('day')
    await expect(approve(id, grace)).rejects.toThrow('in 24 hours')
    expect((await files.read(id)).awaiting_approval).toHaveLength(2)
    await limit('50', '50')
    expect((await seenBy(id, grace))!.obstacle).toBeNull()
    expect(await approve(id, grace)).toHaveLength(2)
  })

  it('waits for two persons above the second amount, each of whom approves it once', async () => {
    await demand('46')
    const id = await files.upload(people(GROUP_ROWS + 2, '10', 5_000))
    await files.start(id)
    await files.createAll(id)
    await begin(shop.db, async (tx) => {
      const [payment] = (await files.read(id)).awaiting_approval
      await approvePayment(tx, shop.now(), { organization: shop.organization, payment: payment!, user: grace })
    })
    // One payment of the file is left for her, which was approved elsewhere.
    expect((await seenBy(id, grace))!.obstacle).toBeNull()
    expect(await approve(id, grace)).toHaveLength(1)
    expect(await seenBy(id, grace)).toMatchObject({ obstacle: 'approved', approved_by_names: ['grace'] })
    await expect(approve(id, grace)).rejects.toThrow('You have already approved this file.')
    expect(await seenBy(id, peter)).toMatchObject({ obstacle: null, approvals_required: 2 })
    expect(await approve(id, peter)).toHaveLength(2)
    expect((await files.read(id)).awaiting_approval).toEqual([])
  })
})

describe('the list of files', () => {
  it('says how far each one is, with what was paid and what failed', async () => {
    await begin(shop.db, (tx) =>
      setApprovalRule(tx, { organization: shop.organization, currency: 'BXC', threshold: null }),
    )
    const id = await files.upload([...people(3, '10', 6_000), 'x,Eve,7,BXC'])
    const sum = { currency: 'BXC', amount: amount('30'), paid: 0n, failed: 0n }
    expect(await listed(id)).toMatchObject({ progress: 'draft', paid_rows: 0, failed_rows: 0 })
    await shop.db`update bulk_payment_rows set decision = 'skip' where bulk_payment = ${id} and problems <> '[]'`
    expect(await listed(id)).toMatchObject({ progress: 'draft', sums: [sum] })
    await files.start(id)
    expect((await listed(id)).progress).toBe('creating')
    await files.createAll(id)
    expect((await listed(id)).progress).toBe('sending')
    const end = (row: number, state: string) => shop.db`
      update payment_recipients set state = ${state}, due_at = null
      where id = (select recipient from bulk_payment_rows where bulk_payment = ${id} and number = ${row})`
    await end(2, 'complete')
    await end(3, 'complete')
    await end(4, 'error')
    expect(await listed(id)).toEqual({
      progress: 'partly_paid',
      paid_rows: 2,
      failed_rows: 1,
      sums: [{ ...sum, paid: amount('20'), failed: amount('10') }],
    })
    await end(4, 'complete')
    expect(await listed(id)).toMatchObject({ progress: 'paid', paid_rows: 3, failed_rows: 0 })
    for (const row of [2, 3, 4]) await end(row, 'error')
    expect((await listed(id)).progress).toBe('failed')
  })

  it('says that a file waits for approval', async () => {
    const id = await sendFile(7_000)
    expect((await listed(id)).progress).toBe('awaiting_approval')
    await approve(id, grace)
    expect((await listed(id)).progress).toBe('sending')
  })
})
