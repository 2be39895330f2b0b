import cluster from 'node:cluster'
import { Command, Help, InvalidArgumentError } from 'commander'
import { addAccounts } from './commands/accounts.ts'
import { addBills } from './commands/bills/index.ts'
import { addClock } from './commands/clock.ts'
import { addCollections } from './commands/collections/index.ts'
import { addContacts } from './commands/contacts.ts'
import { addCurrencies } from './commands/currencies.ts'
import { addFees } from './commands/fees.ts'
import { addKeys } from './commands/keys.ts'
import { addListen } from './commands/listen.ts'
import { addMaintenance } from './commands/maintenance.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOpenApiCommand } from './commands/openapi.ts'
import { addOrganizations } from './commands/organizations/index.ts'
import { addPayments } from './commands/payments.ts'
import { addPlans } from './commands/plans.ts'
import { addReconcile } from './commands/reconcile.ts'
import { addRequests } from './commands/requests.ts'
import { addSandbox } from './commands/sandbox.ts'
import { addSetup } from './commands/setup.ts'
import { addSimulate } from './commands/simulate.ts'
import { addSms } from './commands/sms.ts'
import { addStatements } from './commands/statements.ts'
import { addTrigger } from './commands/trigger.ts'
import { addUsers } from './commands/users.ts'
import { addWebhooks } from './commands/webhooks/index.ts'
import { reportError } from './errors.ts'
import type { Terminal } from './terminal.ts'
import { VERSION } from './version.ts'

/** Runs one command line and returns the exit code of the process. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, terminal)
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
    // What a command can do besides stands in its own help; without that the tables are narrow enough to be read.
    .configureHelp({
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
      minWidthToWrap: 30,
    })
    .showHelpAfterError('(--help shows what is possible)')

  addServe(program, terminal)
  addSetup(program, terminal)
  addMigrate(program, terminal)
  addOrganizations(program, terminal)
  addUsers(program, terminal)
  addKeys(program, terminal)
  addAccounts(program, terminal)
  addBills(program, terminal)
  addContacts(program, terminal)
  addCurrencies(program, terminal)
  addRequests(program, terminal)
  addCollections(program, terminal)
  addPayments(program, terminal)
  addFees(program, terminal)
  addPlans(program, terminal)
  addWebhooks(program, terminal)
  addListen(program, terminal)
  addTrigger(program, terminal)
  addSms(program, terminal)
  addStatements(program, terminal)
  addReconcile(program, terminal)
  addSimulate(program, terminal)
  addClock(program, terminal)
  addSandbox(program, terminal)
  addMaintenance(program, terminal)
  addOpenApiCommand(program, terminal)
  return program
}

/** Stands here because the doors are heavy: only the command that opens them loads them. */
function addServe(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('run the service: the API and the jobs')
    .option('--no-api', 'run the jobs only')
    .option('--no-jobs', 'run the API only; another process runs the jobs')
    .option('--processes <count>', 'share the work between so many processes', parseProcessCount, 1)
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (options) => {
      if (options.processes > 1 && cluster.isPrimary) {
        const { superviseProcesses } = await import('./service/processes.ts')
        return superviseProcesses(terminal, options.processes)
      }
      const { serve } = await import('./service/serve.ts')
      try {
        await serve(terminal, options)
      } finally {
        // The channel to the primary would keep this process, which is done.
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
Settings come from the environment; docs/operating.md lists them.

Examples:
  $ npm start                                    the sandbox, with a PostgreSQL of its own, on http://127.0.0.1:3000
  $ PORT=8080 npx kusanya serve                  the same on another port
  $ npx kusanya serve --processes 4              on a machine with four cores
  $ DATABASE_URL=postgres://… npx kusanya serve --no-jobs`
