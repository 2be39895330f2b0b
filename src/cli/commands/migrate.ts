import type { Command } from 'commander'
import { addCommand } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function addMigrate(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    name: 'migrate',
    description: 'update the database to this version; `serve` does this itself',
    access: { migrated: false },
    async run(app) {
      const applied = await app.migrate()
      const text = applied.length === 0 ? 'The database is up to date.' : ['Applied:', ...applied].join('\n  ')
      return { shown: { applied }, text }
    },
  })
}
