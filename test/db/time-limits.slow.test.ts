import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { begin, beginLong, connect, type Database, isTimeLimitError } from '../../src/db/client.ts'
import { errorAnswerFor } from '../../src/http/errors.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

let testApp: TestApp
let account: number
beforeAll(async () => {
  testApp = await buildTestApp()
  account = (await listAccounts(testApp.db, testApp.organization))[0]!.id
})
afterAll(async () => testApp.close())

const said = (child: ChildProcess) => new Promise((resolve) => child.once('message', resolve))
const open = (limits: { statement: number; lock: number; idle_transaction: number }): Database =>
  connect(testApp.app.config.DATABASE_URL!, { connections: 2, application: 'tests', limits })
const lockAccount = (db: Database) => begin(db, (tx) => tx`select id from accounts where id = ${account} for update`)

describe('a process that stands still in a transaction', () => {
  it('loses the rows that it locked, and changes nothing when it goes on', async () => {
    const child = fork(join(import.meta.dirname, 'frozen-process.ts'), [
      testApp.app.config.DATABASE_URL!,
      String(account),
    ])
    try {
      expect(await said(child)).toBe('locked')
      child.kill('SIGSTOP')
      const [row] = await lockAccount(testApp.db)
      expect(row).toEqual({ id: account })
      child.kill('SIGCONT')
      child.send('go on')
      expect(await said(child)).toBe('failed, then read 1')
      const [name] = await testApp.db<{ name: string }[]>`select name from accounts where id = ${account}`
      expect(name!.name).not.toBe('written by the frozen process')
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('a statement that waits for a row', () => {
  it('ends after its time limit, and the caller gets 503', async () => {
    const impatient = open({ statement: 30, lock: 1, idle_transaction: 30 })
    await begin(testApp.db, async (tx) => {
      await tx`select id from accounts where id = ${account} for update`
      const error = await lockAccount(impatient).catch((reason: unknown) => reason)
      expect(isTimeLimitError(error)).toBe(true)
      expect(errorAnswerFor(error).status).toBe(503)
    })
    // The connection that waited works on.
    expect(await lockAccount(impatient)).toHaveLength(1)
    await impatient.end()
  })
})

describe('long work', () => {
  it('is not ended by the time limits', async () => {
    const limited = open({ statement: 1, lock: 1, idle_transaction: 1 })
    await expect(limited`select pg_sleep(1.5)`).rejects.toThrow('statement timeout')
    await beginLong(limited, 'maintenance', (tx) => tx`select pg_sleep(1.5)`)
    await limited.end()
  })
})
