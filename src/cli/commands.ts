import { Command } from 'commander'
import { report } from './errors.ts'
import type { Terminal } from './terminal.ts'
import { VERSION } from './version.ts'

/** Runs one command line and returns the exit code of the process. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return report(error, terminal)
  }
}

/** Door 4: what operators do. Every command of the program stands in this table. */
function createProgram(terminal: Terminal): Command {
  const program = new Command('kusanya')
    .description('The mobile-money gateway that a business runs itself.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    })
    .showHelpAfterError('(--help shows what is possible)')

  program
    .command('serve')
    .description('run the service: the API and the jobs')
    .option('--no-api', 'run the jobs only')
    .option('--no-jobs', 'run the API only; another process runs the jobs')
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (options) => {
      // The doors are heavy, so only the command that opens them loads them.
      const { serve } = await import('./serve.ts')
      await serve(terminal, options)
    })
  return program
}

const SERVE_EXAMPLES = `
Settings come from the environment; docs/operating.md lists them.

Examples:
  $ npm start                                    the sandbox, with a PostgreSQL of its own, on http://127.0.0.1:3000
  $ PORT=8080 npx kusanya serve                  the same on another port
  $ DATABASE_URL=postgres://… npx kusanya serve --no-jobs`
