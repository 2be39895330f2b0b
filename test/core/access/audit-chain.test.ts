import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAudit } from '../../../src/core/access/audit.ts'
import { checkAuditChain, readChainHead, verifyChain } from '../../../src/core/access/audit-chain.ts'
import { takeTurns } from '../../../src/core/archive/segments.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await buildTestApp()
})
afterAll(() => shop.close())

const record = (action: string, details = {}) =>
  begin(shop.app.db, (tx) =>
    recordAudit(tx, shop.clock.now(), { organization: shop.organization, user: null, action, details }),
  )

/** Change a table as its owner can: without its triggers. */
const change = (table: string, statement: string) =>
  shop.db.unsafe(`alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user`)

describe('the chain of the audit log', () => {
  it('has every entry in the order of the commits, and its digests fit', async () => {
    await record('set fee', { kind: 'payment', text: 'Ünïcode, "quotes", \\ and a , comma' })
    await Promise.all(Array.from({ length: 20 }, (_, index) => record('sign in', { index })))
    const report = await verifyChain(shop.db)
    expect(report).toMatchObject({ ...(await readChainHead(shop.db)), faults: [], archived: 0 })
    expect(report.position).toBe(21)
    const [row] = await shop.db`select count(*) from audit_chain`
    expect(row).toEqual({ count: 21 })
  })

  it('does not have the entries of failed transactions, and no gap in their place', async () => {
    const { position } = await readChainHead(shop.db)
    const failing = begin(shop.app.db, async (tx) => {
      await recordAudit(tx, shop.clock.now(), { organization: null, user: null, action: 'change password' })
      throw new Error('not so')
    })
    await expect(failing).rejects.toThrow('not so')
    await record('revoke key')
    expect(await verifyChain(shop.db)).toMatchObject({ position: position + 1, faults: [] })
  })

  it('does not make transactions wait that hold what the others need', async () => {
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const work = (mine: PromiseWithResolvers<void>, other: Promise<void>) =>
      begin(shop.app.db, async (tx) => {
        await recordAudit(tx, shop.clock.now(), { organization: null, user: null, action: 'change password' })
        mine.resolve()
        await other
      })
    await Promise.all([work(one, two.promise), work(two, one.promise)])
    expect(await checkAuditChain(shop.db)).toEqual([])
  })

  it('does not wait for the archive, which locks rows that audited actions hold', async () => {
    await begin(shop.app.db, async (tx) => {
      await takeTurns(tx)
      await begin(shop.db, async (other) => {
        await other`set local lock_timeout = '3s'`
        await recordAudit(other, shop.clock.now(), { organization: null, user: null, action: 'change password' })
      })
    })
    expect(await checkAuditChain(shop.db)).toEqual([])
  })

  it('is verified over the pages in which it is read', async () => {
    await shop.db`
      insert into audit_log (organization, action, details, created)
      select ${shop.organization}, 'sign in', '{}', now() from generate_series(1, 5100)`
    expect(await verifyChain(shop.db)).toMatchObject({ faults: [] })
  })

  it('says which entry was changed, removed or added, and that a noted head is gone', async () => {
    const head = await readChainHead(shop.db)
    const [entry] = await shop.db<{ id: number }[]>`
      select entry as id from audit_chain where position = ${head.position - 3}`
    const place = `(position ${head.position - 3})`
    await change('audit_log', `update audit_log set action = 'set fee' where id = ${entry!.id}`)
    expect(await checkAuditChain(shop.db)).toEqual([
      `Entry ${entry!.id} of the audit log is not the one that was recorded, or the one before it is not ${place}.`,
    ])
    await change('audit_log', `update audit_log set action = 'sign in' where id = ${entry!.id}`)
    expect(await checkAuditChain(shop.db)).toEqual([])

    await change('audit_chain', `delete from audit_chain where position = ${head.position}`)
    expect(await checkAuditChain(shop.db)).toEqual([
      expect.stringMatching(/^Entry \d+ of the audit log is not in its chain/),
    ])
    expect((await verifyChain(shop.db, { kept: [head] })).faults).toContain(
      `The audit log ends before position ${head.position}, which it had when its head was noted.`,
    )
  })
})
