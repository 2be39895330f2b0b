import type { AnyReader, Reader, Tx } from '../db/client.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { getMessage } from '../lib/messages/message.ts'
import { toStorableText } from '../lib/storable-text.ts'
import { Unavailable, WrongCell } from './refusals.ts'

/*
 * Moves of organizations between cells (docs/decisions/0081). Both databases have a row; the step of the source says what is
 * done. `redirected` is the point of no return: from then on the organization belongs to the other cell.
 */

/**
 * The last step that is done. A source is `open` while it is copied and works on, until the `hold`. A target has `hold` until
 * it is `open`.
 */
export type MoveStep = 'hold' | 'held' | 'copied' | 'verified' | 'redirected' | 'moved' | 'back' | 'open'

/** Rows and digest of a table, before and after. */
export interface TableFigures {
  rows: number
  digest: string
}

/** A move, as one of the two cells has it. */
export interface Move {
  organization: number
  role: 'source' | 'target'
  other_cell: number
  step: MoveStep
  /** Time when the last call that had begun before the hold is over. */
  quiet_from: Date | null
  figures: MoveFigures
}

/** Measurements of a move, and marks for a command that goes on. */
export interface MoveFigures {
  seconds?: Record<string, number>
  tables?: Record<string, TableFigures>
  /** The limit of the snapshot that the copy has; undefined while there is none to follow (src/core/cells/changed-rows.ts). */
  copied?: string
  /** Time of the hold. */
  held?: string
}

/** Read the move of an organization, if there is one. */
export async function readMove(db: Reader, organization: number): Promise<Move | undefined> {
  const [move] = await db<Move[]>`
    select organization, role, other_cell, step, quiet_from, figures from organization_moves where organization = ${organization}`
  return move
}

/** Write down that a move begins. Changes nothing if it has begun. */
export async function beginMove(
  tx: Tx,
  now: Date,
  { organization, role, other_cell }: Pick<Move, 'organization' | 'role' | 'other_cell'>,
): Promise<void> {
  const step: MoveStep = role === 'source' ? 'open' : 'hold'
  await tx`
    insert into organization_moves (organization, role, other_cell, step, started, modified)
    values (${organization}, ${role}, ${other_cell}, ${step}, ${now}, ${now}) on conflict (organization) do nothing`
}

/** Write down that a step is done, with what it has measured. */
export async function recordStep(
  tx: Tx,
  now: Date,
  { organization, step, figures }: Pick<Move, 'organization' | 'step' | 'figures'>,
): Promise<void> {
  await tx`
    update organization_moves set step = ${step}, figures = ${sql.json(figures)}, modified = ${now}
    where organization = ${organization}`
}

/** Forget a move that was undone. */
export async function forgetMove(tx: Tx, organization: number): Promise<void> {
  await tx`delete from organization_moves where organization = ${organization}`
}

/** SQL: the organization of this column is not moving and has not left, so that jobs may work for it. */
export function isHere(column: string): Fragment {
  return sql`not exists (
    select from organization_moves moving where moving.organization = ${sql.identifier(column)} and moving.step <> 'open')`
}

/** Refuse a caller of an organization that has left, or that is not here yet. @throws WrongCell, Unavailable */
export function requireHere(move: Pick<Move, 'role' | 'step' | 'other_cell'>): void {
  if (move.role === 'source' && hasLeft(move.step)) throw new WrongCell('key', move.other_cell)
  if (move.role === 'target' && move.step !== 'open') throw movingRefusal()
}

/** True after the point of no return. */
export function hasLeft(step: MoveStep): boolean {
  return step === 'redirected' || step === 'moved'
}

/** Time after which a caller tries again. */
const RETRY_S = 30

/** The refusal of a call that would change an organization while it moves. */
export function movingRefusal(): Unavailable {
  return new Unavailable(getMessage('cells.moving'), RETRY_S)
}

/** Find the cell to which the account of a number has moved; undefined if it is here or unknown. */
export async function findDepartedPlace(
  db: AnyReader,
  { connection, number, currency }: { connection: string; number: string; currency: string },
): Promise<number | undefined> {
  const [found] = await db<{ cell: number }[]>`
    select m.other_cell as cell from departed_places p join organization_moves m using (organization)
    where p.connection = ${connection} and p.number = ${number} and p.currency = ${currency}`
  return found?.cell
}

/** Refuse money of orders that have left, whose number belongs to somebody else here. @throws DepartedMoney */
export async function refuseDepartedOrders(db: Reader, references: readonly string[]): Promise<void> {
  const found = await db`select 1 from departed_codes where code = any(${[...references]}::text[]) limit 1`
  if (found.length > 0) throw new DepartedMoney('the order has moved to another cell')
}

/** As the database refuses money of numbers that have left. */
class DepartedMoney extends Error {
  code = 'KM001'
}

/** List the cells to which organizations have left. An order that nobody knows may be there. */
export async function listDepartedCells(db: Reader): Promise<number[]> {
  const found = await db<{ cell: number }[]>`
    select distinct other_cell as cell from organization_moves where role = 'source' and step in ('redirected', 'moved') order by 1`
  return found.map(({ cell }) => cell)
}

/** Find the cell to which a payment link, receipt or invoice has moved; undefined if it is here or unknown. Any text may come. */
export async function findDepartedCode(db: Reader, code: string): Promise<number | undefined> {
  const [found] = await db<{ cell: number }[]>`
    select m.other_cell as cell from departed_codes c join organization_moves m using (organization) where c.code = ${toStorableText(code)}`
  return found?.cell
}
