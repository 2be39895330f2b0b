import { begin, connect } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'

/*
 * The process that time-limits.slow.test.ts freezes: it locks the row of an account, says so, and writes to it once it is told
 * to go on.
 */
const [url, account] = process.argv.slice(2)
const limits = { statement: 30, lock: 15, idle_transaction: 1 }
const db = connect(url!, { connections: 2, application: 'frozen', limits })
const told = new Promise((resolve) => process.once('message', resolve))

try {
  await begin(db, async (tx) => {
    await tx`select id from accounts where id = ${Number(account)} for update`
    process.send!('locked')
    await told
    await tx`update accounts set name = 'written by the frozen process' where id = ${Number(account)}`
  })
  process.send!('committed')
} catch {
  // The pool goes on: the next statement gets a connection that works.
  const [row] = await db<{ one: number }[]>`select ${sql`1`} as one`
  process.send!(`failed, then read ${row!.one}`)
}
await db.end()
process.disconnect()
