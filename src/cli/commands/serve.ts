import cluster from 'node:cluster'
import { type Command, InvalidArgumentError } from 'commander'
import type { Terminal } from '../terminal.ts'

/** Add the command `serve`. Its modules are large, so they are loaded only when it runs. */
export function addServe(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('run the service: the API and the jobs')
    .option('--no-api', 'run the jobs only')
    .option('--no-jobs', 'run the API only; another process must run the jobs')
    .option('--processes <count>', 'the number of processes that share the work', parseProcessCount, 1)
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (options) => {
      if (options.processes > 1 && cluster.isPrimary) {
        const { superviseProcesses } = await import('../service/processes.ts')
        return superviseProcesses(terminal, options.processes)
      }
      const { serve } = await import('../service/serve.ts')
      try {
        await serve(terminal, options)
      } finally {
        // An open channel to the primary process would keep this process running.
        cluster.worker?.disconnect()
      }
    })
}

const MAX_PROCESSES = 64

function parseProcessCount(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MAX_PROCESSES) throw new InvalidArgumentError(`It must be from 1 to ${MAX_PROCESSES}.`)
  return count
}

const SERVE_EXAMPLES = `
Settings come from the environment; npx kusanya describe settings lists them.

Examples:
  $ npm start                                    the sandbox, with its own PostgreSQL, on http://127.0.0.1:3000
  $ PORT=8080 npx kusanya serve                  the same on another port
  $ npx kusanya serve --processes 4              on a machine with four cores
  $ DATABASE_URL=postgres://… npx kusanya serve --no-jobs`
