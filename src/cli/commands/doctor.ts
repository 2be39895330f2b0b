import type { Command } from 'commander'
import type { Database } from '../../db/client.ts'
import { runConsistencyChecks } from '../../jobs/check-consistency.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check the data: the books, money on hold, paid requests, counts')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((options: { json?: boolean }) => withApp(terminal, ({ db }) => examine(terminal, db, options)))
}

async function examine(terminal: Terminal, db: Database, options: { json?: boolean }): Promise<void> {
  const found: { check: string; finding: string }[] = []
  for await (const { check, findings } of runConsistencyChecks(db)) {
    found.push(...findings.map((finding) => ({ check, finding })))
    if (options.json) continue
    terminal.print(`${findings.length === 0 ? terminal.good('✓') : terminal.bad('✗')} ${check}`)
    for (const finding of findings) terminal.print(`    ${finding}`)
  }
  if (options.json) terminal.print(JSON.stringify(found, null, 2))
  if (found.length > 0)
    throw new CommandError(found.length === 1 ? 'One thing is wrong.' : `${found.length} things are wrong.`)
}

const NOTES = `
It only reads, and works while the service runs. The exit code is 1 when something is wrong. The service makes the same
checks every night: it logs what it finds with the event consistency_check_failed and counts it in the metric
kusanya_consistency_findings.`
