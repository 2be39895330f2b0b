import type { Command } from 'commander'
import { jsonOption } from '../arguments.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addMigrate(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('update the database to this version; `serve` does this itself')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withApp(
        terminal,
        async (app) => {
          const applied = await app.migrate()
          const text = applied.length === 0 ? 'The database is up to date.' : ['Applied:', ...applied].join('\n  ')
          printResult(terminal, { applied }, { ...options, text })
        },
        { migrated: false },
      ),
    )
}
