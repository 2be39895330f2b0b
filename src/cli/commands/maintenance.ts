import { Argument, type Command } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import { beginMaintenanceAction, endMaintenanceAction } from '../../core/control/actions.ts'
import { readFlag } from '../../core/flags.ts'
import { jsonOption } from '../arguments.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addMaintenance(program: Command, terminal: Terminal): void {
  program
    .command('maintenance')
    .description('turn maintenance mode on or off, or show whether it is on')
    .addArgument(new Argument('<mode>', 'on, off, or status to show it').choices(['on', 'off', 'status']))
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((mode: 'on' | 'off' | 'status', options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        if (mode === 'on') await runAction(app, operator(null), beginMaintenanceAction, {})
        if (mode === 'off') await runAction(app, operator(null), endMaintenanceAction, {})
        const maintenance = (await readFlag(app.db, 'maintenance')) === 'on'
        const text = maintenance
          ? 'Maintenance is on: the API answers 503, and the jobs still run.'
          : 'Maintenance is off: the service is open.'
        printResult(terminal, { maintenance }, { ...options, text })
      }),
    )
}

const NOTES = `
Within a second every process answers 503 with Retry-After. /healthz, /readyz, /metrics and the callbacks of networks stay
open, because some networks send a callback only once. The jobs still run: they finish earlier requests and notify
webhooks.`
