import type { App } from '../../../../app.ts'
import { deleteHiddenUsers } from '../../../../core/cells/changed-rows.ts'
import {
  deleteRows,
  deleteStrangers,
  deleteTransfers,
  fencedTables,
  listMovedAccounts,
  listMovingUsers,
} from '../../../../core/cells/move-rows.ts'
import { movedTables } from '../../../../core/cells/moved-tables.ts'
import { deleteRequestCounts } from '../../../../core/collections/request-counts.ts'
import { deleteSmsMonths } from '../../../../core/sms/usage-by-rows.ts'
import { begin, beginLong, type Database, type Tx } from '../../../../db/client.ts'
import { isTimeLimitError } from '../../../../db/failures.ts'

/** The two cells of a move, with connections of the owners of their tables. */
export interface Sides {
  source: App
  target: App
  source_owner: Database
  target_owner: Database
  organization: number
  report: Report
}

/**
 * Report of progress.
 * @param says the work that begins, 'moved' at the end, or 'rows' and 'anew' during a copy
 * @param rows the number of copied rows
 */
export type Report = (says: string, rows?: number) => void | Promise<void>

/** Transfers that are deleted while the others of the cell wait. */
const LEDGER_PAGE_ROWS = 5_000
/** Tries to get a lock on a table, each of two seconds. */
const MAX_TRIES = 100

/** Delete what an earlier copy has left. People who came with it and belong nowhere go as well. */
export async function emptyTarget({ source, target_owner, organization }: Sides): Promise<void> {
  const people = await listMovingUsers(source.db, organization)
  const own = Object.keys(movedTables).filter((table) => !['users', 'passkeys', 'recovery_codes'].includes(table))
  await deleteTables(target_owner, organization, own)
  await begin(target_owner, async (tx) => {
    await deleteHiddenUsers(tx, organization)
    await deleteStrangers(
      tx,
      people.map(({ id }) => id),
    )
  })
}

/** Delete the rows of an organization, referring rows first. */
export async function deleteTables(owner: Database, organization: number, tables: readonly string[]): Promise<void> {
  for (const table of tables.toReversed())
    if (table === 'transfers') await deleteLedger(owner, organization)
    else await beginLong(owner, 'move', (tx) => deleteRows(tx, organization, table))
  await begin(owner, async (tx) => {
    await deleteRequestCounts(tx, organization)
    await deleteSmsMonths(tx, organization)
  })
}

/** Delete the transfers of an organization in pages, so that the bookings of others wait only shortly. */
async function deleteLedger(owner: Database, organization: number): Promise<void> {
  for (const account of await listMovedAccounts(owner, organization))
    for (let after: number | null = 0; after !== null; ) {
      const page: { account: number; after: number; limit: number } = { account, after, limit: LEDGER_PAGE_ROWS }
      after = await beginLong(owner, 'move', (tx) => deleteTransfers(tx, page))
    }
}

/** Change each fenced table in a transaction of its own. A table that is busy is tried again. */
export async function eachTable(owner: Database, change: (tx: Tx, table: string) => Promise<void>): Promise<void> {
  for (const table of fencedTables) await untilNotBusy(() => begin(owner, (tx) => change(tx, table)), isTimeLimitError)
}

/** Try again while a lock is not given in time. */
export async function untilNotBusy(work: () => Promise<void>, isBusy: (error: unknown) => boolean): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || tries === MAX_TRIES) throw error
    }
  }
}

/** Read one state of a database, for as long as it takes. */
export function withLongSnapshot<T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  const opening = 'begin isolation level repeatable read read only; set local statement_timeout = 0'
  return db.begin(`${opening}; set local idle_in_transaction_session_timeout = 0`, read)
}
