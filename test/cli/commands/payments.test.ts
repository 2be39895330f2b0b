import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { readEvents } from '../../recorded-events.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>
let api: ReturnType<typeof createApiClient>
const OWNER = 'owner@demo.example'
const APPROVER = 'finance@demo.example'

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService()
  api = createApiClient(service.url, testApp.api_key)
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  await begin(testApp.db, async (tx) => {
    const user = await createUser(tx, testApp.clock.now(), { name: 'Finance', email: APPROVER })
    const membership = { organization: testApp.organization, user: user.id }
    await setMembership(tx, testApp.clock.now(), { ...membership, permissions: ['view', 'approve_payments'] })
  })
  await kusanya(['organizations', 'approval', 'set', 'bxc', '1,000'])
})
afterAll(() => testApp.close())

async function pay(change: object = {}) {
  const body = { phonenumber: '+80000000003', amount: '2000', currency: 'BXC', description: 'Rent', ...change }
  return (await api.post('/api/payments', body)).body
}

async function states(id: number) {
  const { body } = await api.get(`/api/payments/${id}`)
  return [body.state, ...body.phone_nos.map((one: { state: string }) => one.state)]
}

async function balance() {
  const [row] = await testApp.db<
    { balance: bigint }[]
  >`select balance from accounts where currency = 'BXC' and kind = 'local'`
  return row!.balance
}

describe('payments', () => {
  it('are approved by a second person, never by their initiator', async () => {
    const { id, state } = await pay()
    expect(state).toBe('approval_requested')
    const { out } = await kusanya(['payments', 'list', '--state', 'approval_requested'])
    expect(out).toMatch(/Rent/)
    const own = await kusanya(['payments', 'approve', String(id), '--user', OWNER])
    expect(own).toMatchObject({ code: 1, err: 'The user who initiated a payment cannot approve or reject it.' })
    const done = await kusanya(['payments', 'approve', String(id), '--user', APPROVER])
    expect(done.out).toBe(`Payment ${id} is approved.`)
    expect((await kusanya(['payments', 'approve', String(id), '--user', APPROVER])).code).toBe(1)
    await eventually('the payment to be sent', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      return (await states(id)).join() === 'processed,complete' || undefined
    })
    const events = await readEvents(testApp.db, 'payment.status.changed')
    expect(events.map(({ data }) => data.state)).toEqual(['approval_requested', 'approved', 'completed'])
  })

  it('are rejected with a reason, and their money is released', async () => {
    const before = await balance()
    const { id } = await pay({ start_date: 'tomorrow' })
    expect(await balance()).toBe(before - 20_000_000n)
    const done = await kusanya(['payments', 'reject', String(id), '--user', APPROVER, '--reason', 'Too much'])
    expect(done.out).toBe(`Payment ${id} is rejected.`)
    expect(await balance()).toBe(before)
    expect(await states(id)).toEqual(['rejected', 'aborted'])
    expect((await api.get(`/api/payments/${id}`)).body).toMatchObject({ rejected_reason: 'Too much' })
  })

  it('wait for their start after the approval, and can be cancelled until then', async () => {
    const before = await balance()
    const { id } = await pay({ start_date: 'tomorrow' })
    await kusanya(['payments', 'approve', String(id), '--user', APPROVER])
    expect(await states(id)).toEqual(['scheduled', 'new'])
    const refused = await kusanya(['payments', 'cancel', String(id), '--user', APPROVER])
    expect(refused).toMatchObject({ code: 1, err: 'You do not have permission to perform this action.' })
    const done = await kusanya(['payments', 'cancel', String(id), '--user', OWNER, '--reason', 'Paid in cash'])
    expect(done.out).toBe(`Payment ${id} is cancelled.`)
    expect(await balance()).toBe(before)
    const again = await kusanya(['payments', 'cancel', String(id), '--user', OWNER])
    expect(again.err).toContain('it can no longer be cancelled')
    const shown = await kusanya(['payments', 'show', String(id)])
    expect(shown.out).toContain('cancelled Paid in cash')
    expect(shown.out).toContain('+80000000003  2,000  aborted')
  })

  it('reports an unknown payment', async () => {
    expect((await kusanya(['payments', 'show', '999'])).err).toBe('There is no payment 999.')
    expect((await kusanya(['payments', 'approve', '999'])).err).toBe('There is no payment 999.')
  })
})

describe('approvals and fees', () => {
  it('lists and removes approval rules', async () => {
    expect((await kusanya(['organizations', 'approval', 'list'])).out).toContain('1,000')
    expect((await kusanya(['organizations', 'approval', 'set', 'XYZ', '1'])).err).toContain('is not a valid choice')
    await kusanya(['organizations', 'approval', 'set', 'KES', '5'])
    await kusanya(['organizations', 'approval', 'remove', 'KES'])
    const rules = JSON.parse((await kusanya(['organizations', 'approval', 'list', '--json'])).out)
    expect(rules).toMatchObject([{ organization: testApp.organization, currency: 'BXC', threshold: '1000.0000' }])
  })

  it('that were sent after a failure are listed until a person has looked into them', async () => {
    const none = await kusanya(['payments', 'late'])
    expect(none.out).toBe('No network has sent money after it had reported a failure.')
    const { id } = await pay({ phonenumber: '+80000000111', amount: '20' })
    await eventually('the payment to be sent after all', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      return (await states(id)).join() === 'processed,complete' || undefined
    })
    const [late] = JSON.parse((await kusanya(['payments', 'late', '--json'])).out)
    expect(late).toMatchObject({ payment: id, amount: '20.0000', booked: true, reviewed: null })
    expect((await kusanya(['payments', 'show', String(id)])).out).toContain('after it had reported a failure')
    expect((await kusanya(['doctor'])).out).toContain(`The network sent BXC 20 of payment ${id}`)
    const orders = JSON.parse((await kusanya(['payments', 'show', String(id), '--json'])).out).phone_nos[0].orders
    expect(orders).toMatchObject([{ kind: 'payout', connection: 'sandbox', state: 'successful', attempt: 1 }])
    const outcomes = orders[0].answers.map((said: { outcome: string }) => said.outcome)
    expect(outcomes.slice(outcomes.indexOf('failed'))).toEqual(['failed', 'successful'])
    const { out: shown } = await kusanya(['payments', 'show', String(id)])
    expect(shown).toContain(`Z  payout ${orders[0].reference} on sandbox: successful\n`)
    expect(shown).toMatch(/Z {2}failed \((reply|status|callback)\): /)
    const reviewed = await kusanya(['payments', 'review', String(id), '--by', OWNER])
    expect(reviewed.out).toBe(`Payment ${id} no longer needs attention.`)
    expect((await kusanya(['payments', 'late'])).out).toBe(none.out)
    expect((await kusanya(['payments', 'late', '--all'])).out).toContain('+80000000111')
    expect((await kusanya(['doctor'])).code).toBe(0)
    const again = await kusanya(['payments', 'review', String(id)])
    expect(again).toMatchObject({ code: 1, err: `Payment ${id} has no late payout that waits for a person.` })
  })

  it('sets, lists and removes fees', async () => {
    expect((await kusanya(['fees', 'list'])).out).toBe('There are no fees: nothing is charged.')
    const set = await kusanya([
      'fees',
      'set',
      '--kind',
      'bill',
      '--currency',
      'NGN',
      '--percent',
      '1.5',
      '--max',
      '100',
    ])
    expect(set.out).toContain('1.5 %, at most 100 for each bill in NGN on every network')
    const [fee] = JSON.parse((await kusanya(['fees', 'list', '--json'])).out)
    expect(fee).toMatchObject({ kind: 'bill', percent: '1.5000', max_fee: '100.0000', network: null })
    expect((await kusanya(['fees', 'remove', String(fee.id)])).out).toContain('No longer charged')
    const nothing = ['fees', 'set', '--kind', 'payment', '--currency', 'NGN']
    expect((await kusanya(nothing)).err).toContain('Give the amount with --fixed, --percent or --min.')
    const wrong = await kusanya([...nothing, '--fixed', '1', '--network', 'nowhere'])
    expect(wrong.err).toMatch(/^network: "nowhere" is not a valid choice\. There are: .*sandbox/)
  })
})

describe('collections', () => {
  it('are returned and refunded as payments', async () => {
    const receiver = await testApp.db<{ number: string }[]>`
      select number from connection_places r join accounts a on a.id = r.account where a.currency = 'BXC'`
    await testApp.app.simulator!.pay({
      phonenumber: '+80000000055',
      amount: 5_000_000n,
      currency: 'BXC',
      receiver: receiver[0]!.number,
    })
    const id = await eventually('the money to be there', async () => {
      const [row] = await testApp.db<{ id: number }[]>`select id from collections order by id desc limit 1`
      return row?.id
    })
    const refused = await kusanya(['collections', 'refund', String(id), '--amount', '100'])
    expect(refused.err).toContain('Return unmatched money instead.')
    const { out } = await kusanya(['collections', 'return', String(id)])
    expect(out).toMatch(/^Payment \d+ of BXC 500 to \+80000000055 is new\.$/)
    const again = await kusanya(['collections', 'return', String(id)])
    expect(again.err).toContain('The collection is already fully returned')
  })
})
