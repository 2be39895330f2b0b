import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { networksForPayouts } from '../../../../src/connections/payout-networks.ts'
import { replacementNumber } from '../../../../src/core/contacts/erasure.ts'
import { createNextPayment, stopBulkPayment } from '../../../../src/core/payments/bulk/creation.ts'
import { decideRows, lockBulkPayment, readFailedRows } from '../../../../src/core/payments/bulk/drafts.ts'
import { listRows } from '../../../../src/core/payments/bulk/read.ts'
import { checkStart } from '../../../../src/core/payments/bulk/start.ts'
import { Invalid } from '../../../../src/core/refusals.ts'
import { setApprovalRule } from '../../../../src/core/spending/approval-rules.ts'
import { setPaymentLimits } from '../../../../src/core/spending/limits.ts'
import { begin } from '../../../../src/db/client.ts'
import { displayAmount } from '../../../../src/lib/money.ts'
import { amount, openShop, type Shop } from '../../shop.ts'
import { type Files, GROUP_ROWS, openFiles, people } from './files.ts'

const DAY_S = 24 * 60 * 60

let shop: Shop
let files: Files
const chooseNetwork = () => networksForPayouts(shop.testApp.app.connections)

beforeAll(async () => {
  shop = await openShop()
  files = openFiles(shop, (await shop.wallet()).author)
})
afterAll(() => shop.close())
// Payments of one test are not recent in the next.
afterEach(() => shop.testApp.clock.advance(8 * DAY_S))

const rowsOf = async (id: number) =>
  (await listRows(shop.db, { organization: shop.organization, id }, {}, { limit: 10_000, offset: 0 })).rows

const decide = (id: number, rows: number[] | 'warned' | 'wrong', decision: 'pay' | 'skip' | null) =>
  begin(shop.db, async (tx) => decideRows(tx, await lockBulkPayment(tx, shop.organization, id), { rows, decision }))

describe('the rows of a file', () => {
  it('say what is wrong, by column, and may be left out', async () => {
    const id = await files.upload([
      '+80000000013,Ann,1500,BXC',
      'Ann,,1.500,BXC',
      '+256772000001,Joe,5,EUR',
      '+80000000004,,1,BXC',
    ])
    const rows = await rowsOf(id)
    expect(rows.map(({ problems }) => problems.map(({ column }) => column))).toEqual([
      [],
      ['phone_number', 'amount'],
      ['currency'],
      ['amount'],
    ])
    expect(rows[0]).toMatchObject({
      id: 2,
      network: 'Sandbox Network',
      currency: 'BXC',
      state: 'open',
      fee: expect.any(BigInt),
    })
    expect((await files.start(id)).refusal!.fields.rows).toEqual([
      'Rows that cannot be paid: 3. Correct the file, or skip them.',
    ])
    await decide(id, 'wrong', 'skip')
    expect(await files.start(id)).toEqual({ started: true })
    await files.createAll(id)
    expect(await files.read(id)).toMatchObject({ state: 'created', states: { left_out: 3, waiting: 1 }, funds: [] })
  })

  it('stay left out when their person was erased', async () => {
    const id = await files.upload(people(2, '10', 16_000))
    await shop.db`
      update bulk_payment_rows set phonenumber = ${replacementNumber(1)}, name = '', cells = '{}', decision = 'skip'
      where bulk_payment = ${id} and number = 2`
    expect(await decide(id, [2, 3], null)).toBe(1)
    await files.start(id)
    await files.createAll(id)
    expect(await files.read(id)).toMatchObject({ state: 'created', states: { left_out: 1, waiting: 1 } })
  })

  it('need a decision when a person may be paid twice', async () => {
    const lines = ['+80000000003,Ann,1500,BXC', '+80000000003,Ann,20,BXC', '+80000000005,Joe,30,BXC']
    const id = await files.upload(lines)
    expect((await rowsOf(id)).map(({ warnings }) => warnings)).toEqual([
      [{ code: 'twice_in_file', rows: [3] }],
      [{ code: 'twice_in_file', rows: [2] }],
      [],
    ])
    const other = await files.upload(lines)
    expect((await files.start(id)).refusal).toBeInstanceOf(Invalid)
    await decide(id, 'warned', 'pay')
    expect(await files.start(id)).toEqual({ started: true })
    // Pressed twice.
    expect(await files.start(id)).toEqual({ started: false })

    // The other one was uploaded before. It learns at its start that the first one pays the same, also before the payments exist.
    await decide(other, 'warned', 'pay')
    const { refusal } = await files.start(other)
    expect(refusal!.fields.rows).toEqual(['Rows that may be paid twice: 3. Confirm them, or skip them.'])
    expect((await rowsOf(other))[2]!.warnings).toEqual([{ code: 'paid_recently', payments: [], bulk_payments: [id] }])
    await files.createAll(id)
    expect((await files.start(other)).refusal).toBeInstanceOf(Invalid)
    const [paid] = await rowsOf(id)
    expect((await rowsOf(other))[2]!.warnings).toEqual([
      { code: 'paid_recently', payments: [paid!.payment], bulk_payments: [] },
    ])
    expect((await files.read(other)).same_file).toEqual([id])
  })

  it('need the decision again when a person was paid once more after it', async () => {
    const lines = ['+80000000006,Ann,1500,BXC']
    const pay = async (id: number) => {
      await decide(id, 'warned', 'pay')
      expect(await files.start(id)).toEqual({ started: true })
    }
    const [first, second, third] = [await files.upload(lines), await files.upload(lines), await files.upload(lines)]
    await files.start(first)
    await files.start(third)
    await decide(third, 'warned', 'pay')
    // The row that was decided about becomes a payment meanwhile.
    await files.createAll(first)
    const { refusal } = await begin(shop.db, async (tx) => {
      const draft = await lockBulkPayment(tx, shop.organization, third)
      return { refusal: await checkStart(tx, shop.now(), draft, chooseNetwork()) }
    })
    expect(refusal).toBeUndefined()
    await files.start(second)
    await pay(second)
    expect((await files.start(third)).refusal!.fields.rows).toEqual([
      'Rows that may be paid twice: 1. Confirm them, or skip them.',
    ])
    const [paid] = await rowsOf(first)
    expect((await rowsOf(third))[0]).toMatchObject({
      decision: null,
      warnings: [{ code: 'paid_recently', payments: [paid!.payment], bulk_payments: [second] }],
    })
    await pay(third)
    for (const id of [second, third]) await files.createAll(id)
  })

  it('need a decision about money that was ordered long ago and is sent now, or will be', async () => {
    const lines = ['+80000000007,Ann,1500,BXC']
    const ordered = await files.upload(lines)
    await files.start(ordered)
    await files.createAll(ordered)
    const { payment } = (await rowsOf(ordered))[0]!
    const warningsOf = async () => (await rowsOf(await files.upload(lines)))[0]!.warnings
    const warning = { code: 'paid_recently', payments: [payment], bulk_payments: [] }
    shop.testApp.clock.advance(20 * DAY_S)
    expect(await warningsOf()).toEqual([warning])
    await shop.db`
      update payment_recipients set state = 'complete', due_at = null, sent_at = ${shop.now()} where payment = ${payment}`
    shop.testApp.clock.advance(6 * DAY_S)
    expect(await warningsOf()).toEqual([warning])
    shop.testApp.clock.advance(2 * DAY_S)
    expect(await warningsOf()).toEqual([])
  })
})

describe('the payments of a file', () => {
  it('are created in groups, each once, also when a process ends in the middle', async () => {
    const id = await files.upload(people(GROUP_ROWS + 2, '10'))
    await files.start(id)
    await expect(
      begin(shop.db, async (tx) => {
        await createNextPayment(tx, shop.now(), { id, organization: shop.organization }, chooseNetwork(), GROUP_ROWS)
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect((await files.read(id)).states.waiting).toBe(0)
    // Two processes at once: the lease has ended, and the first one goes on.
    await Promise.all([files.step(id), files.step(id)])
    await files.createAll(id)
    const { state, states } = await files.read(id)
    expect([state, states.waiting]).toEqual(['created', GROUP_ROWS + 2])
    const [paid] = await shop.db`
      select count(*) as recipients, count(distinct r.phonenumber) as phones, count(distinct r.payment) as payments
      from payment_recipients r join bulk_payment_rows b on b.recipient = r.id and b.phonenumber = r.phonenumber
        and b.amount = r.amount and b.payment = r.payment
      where b.bulk_payment = ${id}`
    expect(paid).toEqual({ recipients: GROUP_ROWS + 2, phones: GROUP_ROWS + 2, payments: 2 })
  })

  it('are refused together when the money or a limit of the day is too small, and stop when the money has gone', async () => {
    const { organization, db } = shop
    const rich = await files.upload(people(40, '5000000'))
    await expect(files.start(rich)).rejects.toThrow(/The wallet .* holds BXC .*, but the rows need/)
    const limits = { organization, currency: 'BXC', per_day: amount('50'), per_recipient: null, per_user: null }
    await begin(db, (tx) => setPaymentLimits(tx, limits))
    const id = await files.upload(people(2, '30'))
    await expect(files.start(id)).rejects.toThrow('The limit for all payments is BXC 50 in 24 hours')
    await begin(db, (tx) => setPaymentLimits(tx, { ...limits, per_day: null }))
    await files.start(id)
    await begin(db, (tx) => setPaymentLimits(tx, limits))
    const refused = await files.step(id).catch((error: unknown) => error as Invalid)
    await begin(db, (tx) => stopBulkPayment(tx, shop.now(), { id, organization }, refused as Invalid))
    expect(await files.read(id)).toMatchObject({
      state: 'stopped',
      problem: expect.stringContaining('in 24 hours'),
    })
    await begin(db, (tx) => setPaymentLimits(tx, { ...limits, per_day: null }))
    expect(await files.start(id)).toEqual({ started: true })
    await files.createAll(id)
    expect((await files.read(id)).states.waiting).toBe(2)
  })

  it('are refused when another file that was started before needs the money or the limit', async () => {
    const { organization, db } = shop
    const { balance } = await shop.wallet()
    // Six tenths of the money in ten rows, so that each file fits alone.
    const share = displayAmount((balance * 6n) / 100n).replaceAll(',', '')
    const first = await files.upload(people(10, share, 11_000))
    const second = await files.upload(people(10, share, 12_000))
    expect(await files.start(first)).toEqual({ started: true })
    const refused = /The wallet .* holds BXC .*, but the rows need .*, and started files need BXC/
    await expect(files.start(second)).rejects.toThrow(refused)
    await files.createAll(first)

    const limits = { organization, currency: 'BXC', per_day: null, per_recipient: null, per_user: null }
    shop.testApp.clock.advance(2 * DAY_S)
    await begin(db, (tx) => setPaymentLimits(tx, { ...limits, per_day: amount('50') }))
    const [small, other] = [await files.upload(people(2, '15', 13_000)), await files.upload(people(2, '15', 14_000))]
    expect(await files.start(small)).toEqual({ started: true })
    await expect(files.start(other)).rejects.toThrow(
      'The limit for all payments is BXC 50 in 24 hours; BXC 20 are left',
    )
    await files.createAll(small)
    await begin(db, (tx) => setPaymentLimits(tx, limits))
  })

  it('all wait for an approval when the file is above the threshold, although each group is below', async () => {
    const { organization, db } = shop
    await begin(db, (tx) => setApprovalRule(tx, { organization, currency: 'BXC', threshold: amount('45') }))
    const id = await files.upload(people(GROUP_ROWS + 2, '10', 5_000))
    await files.start(id)
    await files.createAll(id)
    await begin(db, (tx) => setApprovalRule(tx, { organization, currency: 'BXC', threshold: null }))
    expect((await files.read(id)).awaiting_approval).toHaveLength(2)
  })

  it('all wait for the approvals that the sum of one currency needs, those in other currencies too', async () => {
    const { organization, db } = shop
    const rule = { threshold: amount('45'), second_threshold: amount('90') }
    await begin(db, (tx) => setApprovalRule(tx, { organization, currency: 'BXC', ...rule }))
    const id = await files.upload(['+256772000777,Ann,1500,UGX', ...people(GROUP_ROWS + 7, '10', 7_000)])
    await files.start(id)
    await files.createAll(id)
    await begin(db, (tx) => setApprovalRule(tx, { organization, currency: 'BXC', threshold: null }))
    const made = await db`
      select distinct p.currency, p.approvals_required, p.state in ('approval_needed', 'approval_requested') as waits
      from payments p join bulk_payment_rows r on r.payment = p.id where r.bulk_payment = ${id} order by p.currency`
    expect(made).toEqual(['BXC', 'UGX'].map((currency) => ({ currency, approvals_required: 2, waits: true })))
  })

  it('give rows that failed to a new file', async () => {
    const id = await files.upload(people(2, '10', 9_000))
    await files.start(id)
    await files.createAll(id)
    const locked = await begin(shop.db, (tx) => lockBulkPayment(tx, shop.organization, id))
    await expect(readFailedRows(shop.db, locked)).rejects.toThrow('No row has failed.')
    await shop.db`
      update payment_recipients set state = 'error', due_at = null where id = (select recipient from bulk_payment_rows
        where bulk_payment = ${id} and number = 3)`
    expect((await readFailedRows(shop.db, locked)).rows.map(({ number }) => number)).toEqual([3])
    expect((await files.read(id)).states).toMatchObject({ failed: 1, waiting: 1 })
  })

  it('give rows that failed to a new file once, and never what that file pays', async () => {
    const id = await files.upload(people(2, '10', 15_000))
    await files.start(id)
    await files.createAll(id)
    const failAll = (file: number) => shop.db`
      update payment_recipients set state = 'error', due_at = null
      where id in (select recipient from bulk_payment_rows where bulk_payment = ${file})`
    await failAll(id)
    const again = await files.retry(id)
    await files.start(again)
    await files.createAll(again)
    await shop.db`
      update payment_recipients set state = case when r.number = 2 then 'complete' else 'error' end, due_at = null
      from bulk_payment_rows r where r.bulk_payment = ${again} and r.recipient = payment_recipients.id`
    const third = await files.retry(again)
    shop.testApp.clock.advance(8 * DAY_S)
    // The row that failed again is not paid yet.
    const numbersOf = async (file: number) => (await rowsOf(file)).map((row) => row.id)
    expect(await numbersOf(await files.retry(id))).toEqual([3])
    await files.start(third)
    await files.createAll(third)
    await expect(files.retry(id)).rejects.toThrow('No row has failed.')
    await expect(files.retry(again)).rejects.toThrow('No row has failed.')
  })
})
