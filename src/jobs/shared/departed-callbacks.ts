import type { App } from '../../app.ts'
import { directoryToken } from '../../core/cells/directory.ts'
import type { IncomingPaymentReport } from '../../core/collections/incoming-payments.ts'
import type { CallbackResult, CallbackRow } from '../../core/connections/callbacks.ts'
import { toForwarded } from '../../core/connections/forwarded-callbacks.ts'
import { findDepartedCode, findDepartedPlace, listDepartedCells } from '../../core/moves.ts'
import { getMessage } from '../../lib/messages/message.ts'

/*
 * Callbacks about organizations that have moved to another cell (docs/decisions/0081). Networks and their portals keep the
 * address of the old cell, which passes the callbacks on.
 */

/** Another cell has this long to store a callback. */
const ANSWER_MS = 10_000
/** A callback waits this long while its organization moves, or while its cell is away. It is never given up. */
const WAIT_MS = 5_000
const AWAY_MS = 30_000

/** Path at which a cell takes callbacks, below its address. */
const CALLBACKS_PATH = '/console/api/cells/callbacks'

/** Pass a callback about an order that nobody knows here on to the cells to which organizations have left; undefined for none. */
export async function passUnknownOn(app: App, row: CallbackRow): Promise<CallbackResult | undefined> {
  const cells = await listDepartedCells(app.db)
  return cells.length === 0 ? undefined : passOn(app, row, cells)
}

/** Pass a report of money that cannot be booked here on to the cell of its account. While that moves, the report waits. */
export async function passMoneyOn(
  app: App,
  row: CallbackRow,
  payment: IncomingPaymentReport | undefined,
): Promise<CallbackResult> {
  const cell = payment && (await findCellOfMoney(app, payment))
  return cell === undefined ? wait(app, row, getMessage('cells.moving'), WAIT_MS) : passOn(app, row, [cell])
}

async function findCellOfMoney({ db }: App, payment: IncomingPaymentReport): Promise<number | undefined> {
  const { network, receiver: number, currency, order_reference } = payment
  const of_order = order_reference === null ? undefined : await findDepartedCode(db, order_reference)
  return of_order ?? findDepartedPlace(db, { connection: network.slug, number, currency })
}

async function passOn(app: App, row: CallbackRow, cells: readonly number[]): Promise<CallbackResult> {
  for (const cell of cells) {
    const problem = await send(app, row, cell)
    if (problem !== undefined) return wait(app, row, problem, AWAY_MS)
  }
  const note = getMessage('cells.passed_on', { cell: cells.join(', ') })
  return { id: row.id, state: 'settled', note, due_at: null }
}

function wait({ clock }: App, { id }: CallbackRow, note: string, wait_ms: number): CallbackResult {
  return { id, state: 'waiting', note, due_at: new Date(clock.now().getTime() + wait_ms) }
}

/** Send a callback to another cell. @returns the reason why it does not have it, or undefined */
async function send({ config }: App, row: CallbackRow, cell: number): Promise<string | undefined> {
  const { CELLS, CELLS_SECRET: secret } = config
  const address = CELLS[cell]
  if (address === undefined || secret === undefined) return getMessage('cells.unknown_address', { cell })
  try {
    const answer = await fetch(new URL(CALLBACKS_PATH, address), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${directoryToken(secret, 'callbacks')}`,
        'content-type': 'application/json',
        'x-requested-with': 'console',
      },
      body: JSON.stringify(toForwarded(row)),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return answer.ok ? undefined : getMessage('cells.refused_callback', { cell, status: answer.status })
  } catch {
    return getMessage('cells.no_answer', { cell })
  }
}
