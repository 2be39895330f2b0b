import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts, receiversOf } from '../../src/core/ledger/accounts.ts'
import { begin, connect } from '../../src/db/client.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'

/* Signed callbacks whose content cannot be applied at once, while the jobs run. */

let testApp: TestApp
let url: string
let receiver: string

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { DATABASE_LOCK_SECONDS: '1' } })
  url = (await testApp.startService()).url
  const [account] = await listAccounts(testApp.db, testApp.organization)
  receiver = (await receiversOf(testApp.db, [account!.id])).get(`sandbox:${account!.id}`)!
})
afterAll(() => testApp.close())

async function send(remote_id: string): Promise<number> {
  const transaction = {
    remote_id,
    status: 'successful',
    receiver,
    phonenumber: '+80000000042',
    amount: '1500',
    currency: 'BXC',
    order_reference: null,
    reference: null,
    name: null,
    paid_at: testApp.clock.now().toISOString(),
  }
  const body = JSON.stringify({ event: 'payment.received', transaction })
  const signature = createHmac('sha256', testApp.app.deriveSecret('sandbox network')).update(body).digest('hex')
  const headers = { 'x-sandbox-signature': signature }
  return (await fetch(`${url}/api/callbacks/sandbox`, { method: 'POST', body, headers })).status
}

describe('a signed callback', () => {
  it('is stored and answered while its wallet is locked for too long, and credited afterwards', async () => {
    const locker = connect(testApp.app.config.DATABASE_URL!, { connections: 1, application: 'tests' })
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const held = begin(locker, async (tx) => {
      await tx`update accounts set name = name where organization = ${testApp.organization}`
      locked.resolve()
      await release.promise
    })
    await locked.promise
    expect(await send('LATE1')).toBe(200)
    const [row] = await testApp.db`select verified, state, body from callbacks`
    expect(row).toMatchObject({ verified: true, state: 'waiting', body: expect.stringContaining('LATE1') })
    expect(await testApp.db`select 1 from collections`).toHaveLength(0)
    release.resolve()
    await held
    await locker.end()
    await eventually('the money', async () => {
      testApp.clock.advance(20)
      testApp.app.wake()
      const settled = await testApp.db`select 1 from callbacks where state = 'settled'`
      return settled.length === 1 || undefined
    })
    expect(await testApp.db`select remote_transaction_id from collections`).toEqual([
      { remote_transaction_id: 'LATE1' },
    ])
  })

  it('is tried again while a bug keeps it from the books, then kept as failed, and processed once the bug is gone', async () => {
    await testApp.db.unsafe(`
      create function refuse_late() returns trigger language plpgsql as $$ begin
        if new.remote_transaction_id = 'LATE2' then raise exception 'a bug'; end if;
        return new;
      end $$;
      create trigger refuse_late before insert on collections for each row execute function refuse_late()`)
    expect(await send('LATE2')).toBe(200)
    expect(await send('LATE3')).toBe(200)
    expect(await testApp.db`select 1 from collections where remote_transaction_id = 'LATE3'`).toHaveLength(1)
    const failed = await eventually('all attempts', async () => {
      testApp.clock.advance(3_600)
      testApp.app.wake()
      const [row] = await testApp.db<{ id: number; note: string; attempts: number }[]>`
        select id, note, attempts from callbacks where state = 'failed'`
      return row
    })
    expect(failed).toMatchObject({ note: 'a bug', attempts: 15 })
    await testApp.db.unsafe('drop trigger refuse_late on collections')
    await testApp.db`update callbacks set state = 'waiting', due_at = received where id = ${failed.id}`
    testApp.app.wake()
    await eventually('the money', async () => {
      const rows = await testApp.db`select 1 from collections where remote_transaction_id = 'LATE2'`
      return rows.length === 1 || undefined
    })
  })
})
