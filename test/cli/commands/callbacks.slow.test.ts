import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAccounts, receiversOf } from '../../../src/core/ledger/accounts.ts'
import type { ParsedCallback } from '../../../src/networks/callbacks.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

/*
 * Callbacks of the sandbox's network, whose connector has a bug until a test repairs it. No service runs the jobs.
 */

let testApp: TestApp
let url: string
let receiver: string
let kusanya: ReturnType<typeof openShell>
let payments = 0

beforeAll(async () => {
  testApp = await buildTestApp()
  const sandbox = testApp.app.connections.list()[0]!.operations
  const readCallback = sandbox.readCallback!
  sandbox.readCallback = (callback): ParsedCallback => {
    if (callback.body.includes('BUG')) throw new Error('a bug in the connector')
    return readCallback(callback)
  }
  url = (await testApp.startService({ jobs: false })).url
  const [account] = await listAccounts(testApp.db, testApp.organization)
  receiver = (await receiversOf(testApp.db, [account!.id])).get(`sandbox:${account!.id}`)!
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
beforeEach(() => testApp.db.unsafe('delete from callbacks'))
afterAll(() => testApp.close())

async function send(changes: Record<string, unknown>, signed = true): Promise<number> {
  payments += 1
  const transaction = {
    remote_id: `C${payments}`,
    status: 'successful',
    receiver,
    phonenumber: '+80000000042',
    amount: '1500',
    currency: 'BXC',
    order_reference: null,
    reference: null,
    name: null,
    paid_at: '2030-01-15T12:00:00Z',
    ...changes,
  }
  const body = JSON.stringify({ event: 'payment.received', transaction })
  const signature = createHmac('sha256', testApp.app.deriveSecret('sandbox network')).update(body).digest('hex')
  const headers: Record<string, string> = signed ? { 'x-sandbox-signature': signature } : {}
  const answer = await fetch(`${url}/api/callbacks/sandbox`, { method: 'POST', body, headers })
  // An unreadable callback is refused.
  expect(answer.status).toBe(body.includes('BUG') ? 400 : 200)
  const [row] = await testApp.db<{ id: number }[]>`select id from callbacks order by id desc limit 1`
  return row!.id
}

const HUGE = '9'.repeat(30)

describe('callbacks list and show', () => {
  it('show failed callbacks, with the reason and the whole text', async () => {
    const id = await send({ amount: HUGE })
    await send({}, false)
    const list = await kusanya(['callbacks', 'list', '--state', 'failed', '--json'])
    expect(JSON.parse(list.out)).toMatchObject([
      { id, network: 'sandbox', verified: true, state: 'failed', note: 'numeric field overflow' },
    ])
    const { out } = await kusanya(['callbacks', 'show', String(id)])
    expect(out).toContain(`Callback ${id} of sandbox`)
    expect(out).toContain('numeric field overflow')
    expect(out).toContain(HUGE)
    expect((await kusanya(['callbacks', 'list', '--unverified'])).out).toContain('waiting')
    expect((await kusanya(['callbacks', 'show', '999999'])).err).toContain('There is no callback 999999.')
  })
})

describe('callbacks process', () => {
  it('settles a callback that an earlier version could not read', async () => {
    const id = await send({ reference: 'BUG' })
    expect(await testApp.db`select verified, state, note from callbacks where id = ${id}`).toMatchObject([
      { verified: false, state: 'failed', note: 'The connector failed: a bug in the connector' },
    ])
    // The command has a connector without the bug.
    const { out, code } = await kusanya(['callbacks', 'process', '--failed'])
    expect(out).toBe(`Callback ${id} is settled.`)
    expect(code).toBe(0)
    expect(await testApp.db`select reference from collections where remote_transaction_id = ${`C${payments}`}`).toEqual(
      [{ reference: 'BUG' }],
    )
    expect(await testApp.db`select verified from callbacks where id = ${id}`).toEqual([{ verified: true }])
  })

  it('leaves one failed that is still impossible, and settles the others', async () => {
    const impossible = await send({ amount: HUGE })
    const read = await send({ reference: 'BUG' })
    const { out } = await kusanya(['callbacks', 'process', '--failed'])
    expect(out.split('\n')).toEqual([
      `Callback ${impossible} is failed. numeric field overflow`,
      `Callback ${read} is settled.`,
    ])
  })

  it('refuses settled callbacks, and then changes nothing', async () => {
    const settled = await send({})
    const failed = await send({ amount: HUGE })
    const { err, code } = await kusanya(['callbacks', 'process', String(failed), String(settled)])
    expect([code, err]).toEqual([1, expect.stringContaining(`Callback ${settled} is already settled.`)])
    expect(await testApp.db`select state from callbacks where id = ${failed}`).toEqual([{ state: 'failed' }])
    expect((await kusanya(['callbacks', 'process'])).err).toContain('Give either ids or --failed.')
  })
})

describe('callbacks dismiss', () => {
  it('ends failed callbacks, with the name and the reason, and doctor is content', async () => {
    const id = await send({ amount: HUGE })
    expect((await kusanya(['doctor'])).out).toContain(
      `Callback ${id} of sandbox could not be processed (numeric field overflow).`,
    )
    const { out } = await kusanya([
      'callbacks',
      'dismiss',
      String(id),
      '--reason',
      'a test of the network',
      '--by',
      'Grace',
    ])
    expect(out).toBe(`Callback ${id} is ignored. Dismissed by Grace: a test of the network`)
    expect((await kusanya(['doctor'])).code).toBe(0)
    expect((await kusanya(['callbacks', 'dismiss', String(id), '--reason', 'twice'])).err).toContain(
      'is ignored already',
    )
  })
})

describe('unassigned money', () => {
  it('is listed, named by doctor and the metrics, and assigned', async () => {
    await send({ receiver: '424242' })
    const list = JSON.parse((await kusanya(['collections', 'unassigned', '--json'])).out)
    expect(list).toMatchObject([{ receiver: '424242', state: 'unassigned', amount: '1500.0000' }])
    const doctor = await kusanya(['doctor'])
    expect([doctor.code, doctor.out]).toEqual([
      1,
      expect.stringContaining('BXC 1,500 in one payment to "424242" on sandbox'),
    ])
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('kusanya_unassigned_payments 1')
    expect(metrics).toContain('kusanya_failed_callbacks 0')

    const accounts = await listAccounts(testApp.db, testApp.organization)
    const idOf = (currency: string) => String(accounts.find((account) => account.currency === currency)!.id)
    const assign = (account: string) => kusanya(['collections', 'assign', String(list[0].id), account, '--by', 'Grace'])
    expect((await assign(idOf('UGX'))).err).toContain('is in UGX, and the payment is in BXC')
    expect((await assign(idOf('BXC'))).out).toContain(`BXC 1,500 is in account ${idOf('BXC')} now, as collection`)
    expect((await assign(idOf('BXC'))).err).toContain('It is already assigned')
    expect((await kusanya(['collections', 'unassigned'])).out).toBe('There is no such money.')
    expect((await kusanya(['doctor'])).code).toBe(0)
  })
})
