import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'

/*
 * A session such as a bind over SMPP belongs to one process at a time. The process holds a lease on the real clock and
 * renews it; the others see if the session is open.
 */

const sessionTable = table('sms_sessions', {
  connection: column.text().key(),
  holder: column.text(),
  leased_until: column.timestamptz(),
  is_open: column.boolean(),
})

/**
 * Takes or renews the lease of a session. Also stores if the session is open, for the other processes.
 * @returns true if this process holds it
 */
export async function holdSession(
  tx: Tx,
  session: { connection: string; holder: string; real: Date; lease_end: Date; is_open: boolean },
): Promise<boolean> {
  const { count } = await tx`
    ${insert(sessionTable.as('s'), [session], { leased_until: session.lease_end })}
    ${sessionTable.replace(['holder', 'leased_until', 'is_open'])}
    where s.holder = excluded.holder or s.leased_until <= ${session.real}`
  return count > 0
}

/** Gives sessions back, so that another process opens them at once. */
export async function releaseSessions(tx: Tx, holder: string, connections: readonly string[]): Promise<void> {
  await tx`
    delete from sms_sessions where holder = ${holder} and connection = any(${[...connections]}::text[])`
}

/** The connections whose session some process has open. */
export async function readOpenSessions(db: Reader, real: Date): Promise<Set<string>> {
  const open = await db<{ connection: string }[]>`
    select connection from sms_sessions where is_open and leased_until > ${real}`
  return new Set(open.map(({ connection }) => connection))
}
