import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { checkServiceRole } from '../../db/service-role.ts'
import { runConsistencyChecks } from '../../jobs/check-consistency.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check the data: the books, money on hold, paid requests, counts, the audit log')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((options: { json?: boolean }) => withApp(terminal, (app) => examine(terminal, app, options)))
}

async function examine(terminal: Terminal, app: App, options: { json?: boolean }): Promise<void> {
  const found: { check: string; finding: string }[] = []
  for await (const { check, findings } of runConsistencyChecks(app.db)) {
    found.push(...findings.map((finding) => ({ check, finding })))
    if (options.json) continue
    terminal.print(`${findings.length === 0 ? terminal.good('✓') : terminal.bad('✗')} ${check}`)
    for (const finding of findings) terminal.print(`    ${finding}`)
  }
  const warnings = await findWarnings(app)
  if (options.json) terminal.print(JSON.stringify([...found, ...warnings], null, 2))
  else for (const { finding } of warnings) terminal.print(`${terminal.strong('!')} ${finding}`)
  if (found.length > 0)
    throw new CommandError(found.length === 1 ? 'One thing is wrong.' : `${found.length} things are wrong.`)
}

/** What is wrong with the installation rather than with the data. */
async function findWarnings(app: App): Promise<{ check: string; level: 'warning'; finding: string }[]> {
  const findings = await checkServiceRole(app.db)
  return findings.map((finding) => ({ check: 'the role of the service', level: 'warning', finding }))
}

const NOTES = `
It only reads, and works while the service runs. The exit code is 1 when something is wrong; lines
with ! are warnings about the installation. The service makes the same
checks every night: it logs what it finds with the event consistency_check_failed and counts it in the metric
kusanya_consistency_findings.`
