import { Argument, type Command } from 'commander'
import { readFlag, setFlag } from '../../core/flags.ts'
import { begin } from '../../db/client.ts'
import { jsonOption } from '../arguments.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addMaintenance(program: Command, terminal: Terminal): void {
  program
    .command('maintenance')
    .description('take the service offline for a while, or say whether it is')
    .addArgument(
      new Argument('<position>', 'where to put the switch, or where it stands').choices(['on', 'off', 'status']),
    )
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((position: 'on' | 'off' | 'status', options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        if (position !== 'status') await begin(app.db, (tx) => setFlag(tx, 'maintenance', position))
        const maintenance = (await readFlag(app.db, 'maintenance')) === 'on'
        const text = maintenance
          ? 'Maintenance is on: the API answers 503, and jobs go on.'
          : 'Maintenance is off: the service is open.'
        printResult(terminal, { maintenance }, { ...options, text })
      }),
    )
}

const NOTES = `
During maintenance every process answers 503 with Retry-After, from within a second on. Open stay /healthz, /readyz,
/metrics and the door where networks report, because some report only once. Jobs go on: what was asked for before is
collected and announced.`
