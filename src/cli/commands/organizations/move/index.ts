import type { Command } from 'commander'
import { getOrganization } from '../../../../core/access/organizations.ts'
import type { MoveFigures } from '../../../../core/moves.ts'
import { jsonOption, toCount } from '../../../arguments.ts'
import { addEnvFile } from '../../../env-file.ts'
import { printResult } from '../../../print.ts'
import { withApp } from '../../../service/with-app.ts'
import type { Terminal } from '../../../terminal.ts'
import { moveOrganization, undoMove } from './steps.ts'

interface MoveOptions {
  to: string
  back?: boolean
  json?: boolean
}

/** The command that moves an organization to another cell. */
export function addOrganizationsMove(organizations: Command, terminal: Terminal): void {
  organizations
    .command('move')
    .description('move an organization to another cell, or go on with a move that was interrupted')
    .argument('<organization>', 'its id', toCount)
    .requiredOption('--to <file>', 'the file with the settings of the other cell')
    .option('--back', 'undo a move that is not past its redirection')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((organization: number, options: MoveOptions) =>
      withApp(terminal, (source) =>
        withApp(toTerminalOf(terminal, options.to), async (target) => {
          const { name } = await getOrganization(source.db, organization)
          const report = (says: string, rows?: number) => terminal.warn(progress[says]!(rows))
          if (options.back) {
            await undoMove(source, target, organization, report)
            printResult(terminal, { organization, moved: false }, { ...options, text: `${name} goes on in this cell.` })
            return
          }
          const { other_cell: cell, figures: measured } = await moveOrganization(source, target, organization, report)
          const { seconds, tables } = measured
          const text = `${name} is in cell ${cell}.${describe(measured)}\nGive the load balancer the maps of \`npx kusanya cells maps\`.`
          printResult(terminal, { organization, moved: true, cell, seconds, tables }, { ...options, text })
        }),
      ),
    )
}

/** The terminal of a command with the settings of another cell alone. */
function toTerminalOf(terminal: Terminal, file: string): Terminal {
  const { environment } = addEnvFile({}, { file, folder: terminal.folder })
  return { ...terminal, environment }
}

const progress: Readonly<Record<string, (rows?: number) => string>> = {
  copy: () => 'Copying its rows, while it works on. Until this ends, vacuum removes no dead rows in either cell …',
  rows: (rows) => `${rows} rows are copied …`,
  anew: () => 'Its rows cannot be brought up to date one by one. Copying them anew …',
  hold: () => 'Holding it: writes get 503, and callbacks wait …',
  changes: () => 'Copying what has changed …',
  verify: () => 'Comparing the cells …',
  redirect: () => 'Redirecting it. From here on there is no way back …',
  release: () => 'Opening it there, and deleting its rows here …',
  back: () => 'Undoing the move …',
  moved: () => 'Done.',
}

function describe({ tables = {}, seconds: { refused = 0, ...seconds } = {} }: MoveFigures): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const times = Object.entries(seconds).map(([step, taken]) => `${step} ${taken.toFixed(1)} s`)
  return ` ${rows} rows in ${Object.keys(tables).length} tables have the same digests in both; ${times.join(', ')}.
Nothing was accepted for ${refused.toFixed(1)} s.`
}

const NOTES = `
Both services may run. Rows are copied while the organization works on; then it is held, and what has changed is copied. A command
that was killed goes on when it is run again; before the redirection, --back undoes it. During the first copy, vacuum waits as
during a backup with pg_dump.
The file has DATABASE_URL, MIGRATION_DATABASE_URL, SECRET_KEY, CELL, CELLS and CELLS_SECRET of the other cell.

Example:
  $ npx kusanya organizations move 42 --to /etc/kusanya/cell1.env`
