import type { App } from '../../../../app.ts'
import { announceAccessChange } from '../../../../core/access/api-keys.ts'
import {
  CannotFollow,
  copyAll,
  copyChanges,
  type Pass,
  parkCopy,
  readLimit,
} from '../../../../core/cells/changed-rows.ts'
import { keepPlansOfChecks, passFence, raiseFence, resealRows } from '../../../../core/cells/move-rows.ts'
import {
  deleteRequestCounts,
  insertRequestCounts,
  readRequestCounts,
} from '../../../../core/collections/request-counts.ts'
import { type MoveFigures, readMove, recordStep } from '../../../../core/moves.ts'
import {
  isLockTimeout,
  listPartitionStarts,
  maintainPartitions,
  type PartitionedTable,
  partitionedTables,
} from '../../../../core/partitions.ts'
import { requeueSmsOf } from '../../../../core/sms/lost.ts'
import { deleteSmsMonths, insertSmsMonths, readSmsMonths } from '../../../../core/sms/usage-by-rows.ts'
import { begin, beginLong, type Database, type Tx } from '../../../../db/client.ts'
import { isIntegrityViolation } from '../../../../db/failures.ts'
import { CommandError } from '../../../errors.ts'
import { encryptedColumns } from '../../../service/secret-key.ts'
import { findObstacles } from './checks.ts'
import { eachTable, emptyTarget, type Sides, untilNotBusy, withLongSnapshot } from './sides.ts'

/** Time between two reports of a long copy. */
const REPORT_MS = 30_000

/**
 * Copy while the organization works on, and then what has changed meanwhile, so that little is left for the hold. The target
 * neither serves nor works on the copy. What would stop the move then stops it now. @throws CommandError
 */
export async function copyBeforeHold(sides: Sides): Promise<MoveFigures> {
  const { source, target, target_owner, organization } = sides
  await eachTable(target_owner, (tx, table) => raiseFence(tx, organization, table))
  if ((await readFigures(sides)).copied === undefined) await copyAnew(sides, 'before hold')
  const copied = await follow(sides, 'before hold')
  const obstacles = await findObstacles(source, target, organization, { is_copied: true })
  if (obstacles.length > 0) throw new CommandError(obstacles.join('\n'))
  return copied
}

/** Copy what has changed since the passes before the hold. */
export function copyInHold(sides: Sides): Promise<MoveFigures> {
  return follow(sides, 'in hold')
}

/** Bring the copy up to date, or copy anew where that is not possible. */
async function follow(sides: Sides, pass: Pass): Promise<MoveFigures> {
  const { copied: since } = await readFigures(sides)
  if (since === undefined) return copyAnew(sides, pass)
  try {
    return await withSnapshots(sides, pass, (from, to) => copyChanges(from, to, sides.organization, pass, since))
  } catch (error) {
    // Two rows may have exchanged a name.
    if (!(error instanceof CannotFollow || isIntegrityViolation(error))) throw error
    await sides.report('anew')
    return copyAnew(sides, pass)
  }
}

/** Copy all rows in one transaction of the target, from one snapshot of the source. */
async function copyAnew(sides: Sides, pass: Pass): Promise<MoveFigures> {
  await recordFigures(sides, { copied: undefined })
  await emptyTarget(sides)
  const progress = { rows: 0, next_ms: performance.now() + REPORT_MS }
  return withSnapshots(sides, pass, (from, to) =>
    copyAll(from, to, sides.organization, pass, (rows) => {
      progress.rows += rows
      if (performance.now() < progress.next_ms) return
      progress.next_ms = performance.now() + REPORT_MS
      void sides.report('rows', progress.rows)
    }),
  )
}

/** Copy from one snapshot of the source in one transaction of the target, and note which snapshot it has then. */
async function withSnapshots(
  sides: Sides,
  pass: Pass,
  copy: (from: Tx, to: Tx) => Promise<void>,
): Promise<MoveFigures> {
  const { source, target, source_owner, target_owner, organization } = sides
  for (const table of partitionedTables) await preparePartitions(source, target, target_owner, table)
  const copied = await withLongSnapshot(source_owner, async (from) => {
    const limit = await readLimit(from)
    await beginLong(target_owner, 'move', async (to) => {
      await passFence(to, organization)
      await keepPlansOfChecks(to)
      await copy(from, to)
      const keys = { columns: encryptedColumns, old: source.sealingKeys, present: target.sealingKeys }
      await resealRows(from, to, organization, keys)
      if (pass === 'before hold') {
        await requeueSmsOf(to, organization)
        await parkCopy(to, organization)
      }
      // The feed of the target shows events up to the last id that it has given.
      await to`select nextval('events_id_seq')`
      await deleteRequestCounts(to, organization)
      await insertRequestCounts(to, organization, await readRequestCounts(from, organization))
      await deleteSmsMonths(to, organization)
      await insertSmsMonths(to, organization, await readSmsMonths(from, organization))
      // A key that the target has refused is known now.
      await announceAccessChange(to)
    })
    return limit
  })
  await recordFigures(sides, { copied })
  return { copied }
}

async function readFigures({ source, organization }: Sides): Promise<MoveFigures> {
  return (await readMove(source.db, organization))!.figures
}

/** Change figures of the source's move, whose step stays. */
export async function recordFigures({ source, organization }: Sides, changed: MoveFigures): Promise<void> {
  await begin(source.db, async (tx) => {
    const { step, figures } = (await readMove(tx, organization))!
    await recordStep(tx, source.clock.now(), { organization, step, figures: { ...figures, ...changed } })
  })
}

/**
 * Make the partitions into which rows of the source fall. Without them they would be in the default partition, from which
 * maintenance moves them while everybody waits.
 */
async function preparePartitions(source: App, target: App, target_owner: Database, table: PartitionedTable) {
  const now = target.clock.now()
  const days = target.config[table.retention]
  const times = await listPartitionStarts(source.db, table)
  await untilNotBusy(() => begin(target_owner, (tx) => maintainPartitions(tx, now, table, days, times)), isLockTimeout)
}
