import type { Command } from 'commander'
import { type CellState, readCellStates } from '../../../actions/cell-directory.ts'
import { listMapEntries, type MapEntry } from '../../../core/cells/departure.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'

/** The command for the cells of an installation. */
export function addCells(program: Command, terminal: Terminal): void {
  const cells = program.command('cells').description('the cells of the installation, and how busy they are')

  addList<Listed>(cells, terminal, {
    description: 'list the cells of CELLS with their load, to choose one for a new organization',
    read: async (app) => (await readCellStates(app)).map(list),
    none: '',
    columns: {
      cell: 'cell',
      address: 'address',
      organizations: 'organizations',
      users: 'users',
      'requests in the last hour': 'requests',
      'database in GB': (row) => (row.database_bytes === null ? null : (row.database_bytes / 1e9).toFixed(1)),
      'as of (UTC)': 'made',
      problem: 'problem',
    },
  })

  addList<MapEntry>(cells, terminal, {
    description: 'list the entries of the load balancer for organizations that have left this cell',
    read: (app) => listMapEntries(app.db, app.config.CELL),
    none: 'No organization has left this cell.',
    columns: { map: 'map', entry: 'entry', cell: 'cell' },
    name: 'maps',
  })
}

type Listed = ReturnType<typeof list>

/** The users of a cell are only counted. */
function list({ cell, address, part, problem }: CellState) {
  return {
    cell,
    address,
    organizations: part?.organizations ?? null,
    users: part?.users.length ?? null,
    requests: part?.requests ?? null,
    database_bytes: part?.database_bytes ?? null,
    made: part?.made ?? null,
    problem,
  }
}
