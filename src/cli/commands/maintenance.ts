import type { Command } from 'commander'
import { runAction } from '../../actions/run.ts'
import { readFlag } from '../../core/flags.ts'
import { beginMaintenanceAction, endMaintenanceAction } from '../../core/operations/actions.ts'
import { addCommand } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { chosen } from '../typed.ts'

export function addMaintenance(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    name: 'maintenance',
    description: 'turn maintenance mode on or off, or show whether it is on',
    typed: { mode: chosen('<mode>', 'on, off, or status to show it', ['on', 'off', 'status']) },
    help: NOTES,
    async run(app, { mode }, { actor }) {
      if (mode === 'on') await runAction(app, actor, beginMaintenanceAction, {})
      if (mode === 'off') await runAction(app, actor, endMaintenanceAction, {})
      const maintenance = (await readFlag(app.db, 'maintenance')) === 'on'
      const text = maintenance
        ? 'Maintenance is on: the API answers 503, and the jobs still run.'
        : 'Maintenance is off: the service is open.'
      return { shown: { maintenance }, text }
    },
  })
}

const NOTES = `
Within a second every process answers 503 with Retry-After. /healthz, /readyz, /metrics and the callbacks of networks stay
open, because some networks send a callback only once. The jobs still run: they finish earlier requests and notify
webhooks.`
