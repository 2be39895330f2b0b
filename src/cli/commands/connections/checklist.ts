import type { Command } from 'commander'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { toJson } from '../../print.ts'
import { describeChecklist, openChecklist } from '../../service/checklist.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** Add the command that lists the missing steps for going live. */
export function addChecklist(connections: Command, terminal: Terminal): void {
  connections
    .command('checklist')
    .description('show what is missing for going live; the exit code is 1 while something is open')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const items = await openChecklist(app)
        if (options.json) terminal.print(toJson(items))
        else for (const line of describeChecklist(terminal, items)) terminal.print(line)
        const open = items.filter(({ state }) => state === 'open').length
        if (open > 0) throw new CommandError(open === 1 ? 'One thing is open.' : `${open} things are open.`)
      }),
    )
}
