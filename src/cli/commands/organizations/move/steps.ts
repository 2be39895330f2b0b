import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../../app.ts'
import { announceAccessChange } from '../../../../core/access/api-keys.ts'
import { recordAudit } from '../../../../core/access/audit.ts'
import { departOrganization } from '../../../../core/cells/departure.ts'
import { copyTable, dropFence, parkRows, passFence, raiseFence, releaseRows } from '../../../../core/cells/move-rows.ts'
import { movedTables } from '../../../../core/cells/moved-tables.ts'
import { lockConnections } from '../../../../core/connections/changes-lock.ts'
import {
  beginMove,
  forgetMove,
  hasLeft,
  type Move,
  type MoveFigures,
  type MoveStep,
  readMove,
  recordStep,
} from '../../../../core/moves.ts'
import { requeueSmsOf } from '../../../../core/sms/lost.ts'
import { begin, beginLong, type Tx } from '../../../../db/client.ts'
import { CommandError } from '../../../errors.ts'
import { findObstacles } from './checks.ts'
import { copyBeforeHold, copyInHold, recordFigures } from './copy.ts'
import { deleteTables, eachTable, emptyTarget, type Report, type Sides, withLongSnapshot } from './sides.ts'
import { verify } from './verify.ts'

/** Work between two steps. It may be killed at any point and run again. */
interface Work {
  /** The step that is done with it. */
  to: MoveStep
  says: string
  run(sides: Sides): Promise<MoveFigures | undefined>
  /** Changes of the source in the transaction that records the step. */
  commit?(tx: Tx, sides: Sides): Promise<void>
}

/** The work that follows a step. */
const works: Partial<Record<MoveStep, Work>> = {
  open: { to: 'hold', says: 'copy', run: copyBeforeHold },
  hold: { to: 'held', says: 'hold', run: hold },
  held: { to: 'copied', says: 'changes', run: copyInHold },
  copied: { to: 'verified', says: 'verify', run: verify },
  verified: { to: 'redirected', says: 'redirect', run: untilQuiet, commit: redirect },
  redirected: { to: 'moved', says: 'release', run: release },
}

/**
 * Move an organization to another cell, or go on where an earlier move was interrupted.
 * @throws CommandError
 */
export async function moveOrganization(source: App, target: App, organization: number, report: Report): Promise<Move> {
  return withSides({ source, target, organization, report }, async (sides) => {
    let move = await startMove(sides)
    for (let work = works[move.step]; work; work = works[move.step]) {
      await report(work.says)
      const began_ms = performance.now()
      const measured = await work.run(sides)
      const seconds = { ...move.figures.seconds, ...measured?.seconds, [work.says]: secondsSince(began_ms) }
      const { to: step, commit } = work
      await begin(source.db, async (tx) => {
        await commit?.(tx, sides)
        await recordStep(tx, source.clock.now(), {
          organization,
          step,
          figures: { ...move.figures, ...measured, seconds },
        })
      })
      move = (await readMove(source.db, organization))!
    }
    await report('moved')
    return move
  })
}

function secondsSince(began_ms: number): number {
  return Math.round(performance.now() - began_ms) / 1_000
}

/** Undo a move before the point of no return: the organization goes on where it was. @throws CommandError */
export async function undoMove(source: App, target: App, organization: number, report: Report): Promise<void> {
  await withSides({ source, target, organization, report }, async (sides) => {
    const move = await readMove(source.db, organization)
    if (move && hasLeft(move.step))
      throw new CommandError(`It belongs to cell ${move.other_cell} now. Run the command without --back to finish.`)
    requireTarget(move, target)
    if (move)
      await begin(source.db, (tx) =>
        recordStep(tx, source.clock.now(), { organization, step: 'back', figures: move.figures }),
      )
    await report('back')
    await emptyTarget(sides)
    await eachTable(sides.target_owner, (tx, table) => dropFence(tx, organization, table))
    await begin(target.db, (tx) => forgetMove(tx, organization))
    await untilQuiet(sides)
    await begin(source.db, (tx) => releaseRows(tx, organization, source.clock.real()))
    await eachTable(sides.source_owner, (tx, table) => dropFence(tx, organization, table))
    await begin(source.db, async (tx) => {
      await forgetMove(tx, organization)
      if (move) await recordMove(tx, source, organization, 'undo move', { cell: target.config.CELL })
    })
    source.wake()
  })
}

/** Open connections of both owners, and keep other processes from moving the organization. */
function withSides<T>(
  given: Omit<Sides, 'source_owner' | 'target_owner'>,
  work: (sides: Sides) => Promise<T>,
): Promise<T> {
  const { source, target, organization } = given
  return source.asOwner((source_owner) =>
    target.asOwner(async (target_owner) => {
      const session = await source.db.reserve('move')
      try {
        const [lock] = await session<{ acquired: boolean }[]>`
          select pg_try_advisory_lock(hashtextextended(${`move ${organization}`}, 0)) as acquired`
        if (!lock!.acquired) throw new CommandError('Another process is moving this organization.')
        return await work({ ...given, source_owner, target_owner })
      } finally {
        session.release()
      }
    }),
  )
}

/** Write a new move down in both cells, the target first; or return the one that was interrupted. @throws CommandError */
async function startMove({ source, target, organization }: Sides): Promise<Move> {
  const known = await readMove(source.db, organization)
  requireTarget(known, target)
  if (known?.step === 'back') throw new CommandError('The move is being undone. Run the command with --back to finish.')
  if (known?.role === 'source') return known
  const obstacles = await findObstacles(source, target, organization)
  if (obstacles.length > 0) throw new CommandError(obstacles.join('\n'))
  const [here, there] = [source.config.CELL, target.config.CELL]
  await begin(target.db, (tx) => beginMove(tx, target.clock.now(), { organization, role: 'target', other_cell: here }))
  await begin(source.db, async (tx) => {
    // An organization that came from elsewhere is of this cell now.
    await forgetMove(tx, organization)
    await beginMove(tx, source.clock.now(), { organization, role: 'source', other_cell: there })
    await recordMove(tx, source, organization, 'move organization', { to_cell: there })
  })
  return (await readMove(source.db, organization))!
}

/** @throws CommandError if the organization is on its way to another cell */
function requireTarget(move: Move | undefined, target: App): void {
  if (move?.role === 'target' && move.step !== 'open')
    throw new CommandError(`It is on its way here from cell ${move.other_cell}. Run the command there.`)
  if (move?.role === 'source' && move.other_cell !== target.config.CELL)
    throw new CommandError(`It is on its way to cell ${move.other_cell}. Go on with that, or undo it with --back.`)
}

/** Enter a step in the audit log of one of the cells. */
async function recordMove(
  tx: Tx,
  app: App,
  organization: number,
  action: string,
  details: Record<string, number>,
): Promise<void> {
  const about = { organization, user: null, object_type: 'organization', object: organization } as const
  await recordAudit(tx, app.clock.now(), { ...about, action, details: { by: 'an operator', ...details } })
}

/** Refuse writes, and keep rows from jobs. Writes to the copy are refused since it was begun. */
async function hold(sides: Sides): Promise<MoveFigures> {
  const { source, source_owner, organization } = sides
  const { figures } = (await readMove(source.db, organization))!
  const held = figures.held ?? source.clock.real().toISOString()
  await recordFigures(sides, { held })
  await eachTable(source_owner, (tx, table) => raiseFence(tx, organization, table))
  await beginLong(source.db, 'move', async (tx) => {
    await passFence(tx, organization)
    await requeueSmsOf(tx, organization)
    await parkRows(tx, organization)
  })
  return { held }
}

/** Wait until calls from before the hold are over, so that the new cell does not begin them a second time. */
async function untilQuiet({ source, organization }: Sides): Promise<undefined> {
  const move = await readMove(source.db, organization)
  if (move?.quiet_from) await sleep(Math.max(0, move.quiet_from.getTime() - source.clock.real().getTime()))
}

async function redirect(tx: Tx, { source, target, organization }: Sides): Promise<void> {
  await departOrganization(tx, source.clock.now(), organization)
  await lockConnections(tx)
  await recordMove(tx, source, organization, 'redirect organization', { cell: target.config.CELL })
}

/** Open the organization in the target, and then delete its rows in the source. */
async function release(sides: Sides): Promise<MoveFigures> {
  const { source, source_owner, organization } = sides
  const began_ms = performance.now()
  await openTarget(sides)
  const { figures } = (await readMove(source.db, organization))!
  const refused = (source.clock.real().getTime() - new Date(figures.held!).getTime()) / 1_000
  const seconds = { open: secondsSince(began_ms), refused }
  const leaving = Object.keys(movedTables).filter((table) => !movedTables[table]!.is_kept)
  await deleteTables(source_owner, organization, leaving)
  await eachTable(source_owner, (tx, table) => dropFence(tx, organization, table))
  source.wake()
  return { seconds }
}

async function openTarget({ source, target, source_owner, target_owner, organization }: Sides): Promise<void> {
  const move = await readMove(target.db, organization)
  if (move?.step !== 'open')
    await withLongSnapshot(source_owner, (from) =>
      beginLong(target_owner, 'move', async (to) => {
        await releaseRows(to, organization, target.clock.real())
        await copyTable(from, to, organization, 'audit_log')
        const now = target.clock.now()
        await recordStep(to, now, { organization, step: 'open', figures: {} })
        await recordMove(to, target, organization, 'receive organization', { from_cell: source.config.CELL })
        await announceAccessChange(to)
        await lockConnections(to)
      }),
    )
  await eachTable(target_owner, (tx, table) => dropFence(tx, organization, table))
  target.wake()
}
