import type { App } from '../app.ts'
import {
  type CellPart,
  chooseDecoy,
  directoryToken,
  hashEmail,
  openPart,
  readCellPart,
} from '../core/cells/directory.ts'

/** The state of a cell: its part of the directory, or the reason why there is none. */
export interface CellState {
  cell: number
  address: string
  part: CellPart | null
  problem: string | null
}

/** The cells of the installation and their users, as this process knows them. */
export interface CellDirectory {
  /** Find the cell of an e-mail address; for one that none knows, always the same one. Undefined without CELLS. */
  find(email: string): Promise<number | undefined>
}

/** A part is fetched again after this time; after the shorter one, when an address is in no part. */
const FRESH_MS = 60_000
const MISSED_MS = 5_000
/** A cell that is away holds a sign-in up for so long, once in `MISSED_MS`. */
const ANSWER_MS = 2_000

/** Path of a cell's part, below its address. */
export const DIRECTORY_PATH = '/console/api/cells/directory'

/** Open the directory. It asks other cells about people without an account here, and keeps their last answers. */
export function openCellDirectory(app: Pick<App, 'config' | 'db' | 'clock'>): CellDirectory {
  const { CELL, CELLS, CELLS_SECRET: secret } = app.config
  const others = Object.entries(CELLS).filter(([cell]) => Number(cell) !== CELL)
  const kept = new Map<number, { users: ReadonlySet<string>; asked_ms: number }>()

  async function refresh(age_ms: number): Promise<void> {
    const asked_ms = performance.now()
    const old = others.filter(([cell]) => asked_ms - (kept.get(Number(cell))?.asked_ms ?? -Infinity) > age_ms)
    const states = await Promise.all(old.map(([cell, address]) => fetchPart(secret!, Number(cell), address)))
    // The last answer of a cell that is away stays.
    for (const { cell, part } of states)
      kept.set(cell, { users: part ? new Set(part.users) : (kept.get(cell)?.users ?? new Set()), asked_ms })
  }

  return {
    async find(email) {
      if (secret === undefined || others.length === 0) return undefined
      const hash = hashEmail(secret, email)
      for (const age_ms of [FRESH_MS, MISSED_MS]) {
        await refresh(age_ms)
        const found = [...kept].find(([, { users }]) => users.has(hash))
        if (found) return found[0]
      }
      const cells = [CELL, ...others.map(([cell]) => Number(cell))].sort((one, other) => one - other)
      return chooseDecoy(secret, email, cells)
    },
  }
}

/** Read the state of all cells, for an operator: this one from its database, the others from their addresses. */
export async function readCellStates(app: Pick<App, 'config' | 'db' | 'clock'>): Promise<CellState[]> {
  const { CELL, CELLS, CELLS_SECRET = '' } = app.config
  const own = await readCellPart(app.db, { cell: CELL, secret: CELLS_SECRET, now: app.clock.now() })
  const here = { cell: CELL, address: CELLS[CELL] ?? '', part: own, problem: null }
  const others = Object.entries(CELLS).filter(([cell]) => Number(cell) !== CELL)
  const states = await Promise.all(others.map(([cell, address]) => fetchPart(CELLS_SECRET, Number(cell), address)))
  return [here, ...states].sort((one, other) => one.cell - other.cell)
}

async function fetchPart(secret: string, cell: number, address: string): Promise<CellState> {
  const state = { cell, address, part: null }
  try {
    const answer = await fetch(new URL(DIRECTORY_PATH, address), {
      headers: { authorization: `Bearer ${directoryToken(secret)}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (!answer.ok) return { ...state, problem: `It answers ${answer.status}.` }
    const part = openPart(secret, cell, await answer.json())
    if (!part) return { ...state, problem: 'Its answer is not signed with this CELLS_SECRET, or it is another cell.' }
    return { ...state, part, problem: null }
  } catch {
    return { ...state, problem: 'It does not answer.' }
  }
}
