import type { Command } from 'commander'
import { addCommand } from '../../command.ts'
import { describeChecklist, openChecklist } from '../../service/checklist.ts'
import type { Terminal } from '../../terminal.ts'

/** Add the command that lists the missing steps for going live. */
export function addChecklist(connections: Command, terminal: Terminal): void {
  addCommand(connections, terminal, {
    name: 'checklist',
    description: 'show what is missing for going live; the exit code is 1 while something is open',
    async run(app) {
      const items = await openChecklist(app)
      const open = items.filter(({ state }) => state === 'open').length
      const fault = open > 0 && (open === 1 ? 'One thing is open.' : `${open} things are open.`)
      return { shown: items, text: describeChecklist(terminal, items), fault }
    },
  })
}
