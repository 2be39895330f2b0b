import cluster from 'node:cluster'
import { Command, Help } from 'commander'
import { addAccounts } from './commands/accounts.ts'
import { addArchive } from './commands/archive/index.ts'
import { addBackup } from './commands/backup/index.ts'
import { addBills } from './commands/bills/index.ts'
import { addCallbacks } from './commands/callbacks.ts'
import { addClock } from './commands/clock.ts'
import { addCollections } from './commands/collections/index.ts'
import { addConnections } from './commands/connections/index.ts'
import { addContacts } from './commands/contacts/index.ts'
import { addCurrencies } from './commands/currencies.ts'
import { addDoctor } from './commands/doctor/index.ts'
import { addFees } from './commands/fees.ts'
import { addInit } from './commands/init/index.ts'
import { addInvoices } from './commands/invoices/index.ts'
import { addKeys } from './commands/keys.ts'
import { addLinks } from './commands/links.ts'
import { addListen } from './commands/listen.ts'
import { addMaintenance } from './commands/maintenance.ts'
import { addMigrate } from './commands/migrate.ts'
import { addNetworks } from './commands/networks/index.ts'
import { addOpenApiCommand } from './commands/openapi.ts'
import { addOrders } from './commands/orders/index.ts'
import { addOrganizations } from './commands/organizations/index.ts'
import { addPayments } from './commands/payments.ts'
import { addPlans } from './commands/plans.ts'
import { addReceipts } from './commands/receipts.ts'
import { addReconcile } from './commands/reconcile.ts'
import { addReports } from './commands/reports.ts'
import { addRequests } from './commands/requests/index.ts'
import { addSandbox } from './commands/sandbox.ts'
import { addAuditLog } from './commands/security/audit.ts'
import { addSecretKeyCommand } from './commands/security/secret-key.ts'
import { addSecrets } from './commands/security/secrets.ts'
import { addServe } from './commands/serve.ts'
import { addSetup } from './commands/setup.ts'
import { addSimulate } from './commands/simulate.ts'
import { addSms } from './commands/sms/index.ts'
import { addStatements } from './commands/statements.ts'
import { addTrigger } from './commands/trigger.ts'
import { addUsers } from './commands/users.ts'
import { addWebhooks } from './commands/webhooks/index.ts'
import { addEnvFile } from './env-file.ts'
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

/** Door 4: the commands of operators. This table lists every command of the program. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('kusanya')
    .description('The mobile-money gateway that a business runs itself.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    })
    // The tables stay narrow: options are listed in the help of each command, and aliases are old names that still work.
    .configureHelp({
      subcommandTerm: (command) => withoutAlias(command, new Help().subcommandTerm(command)).replace(' [options]', ''),
      commandUsage: (command) => withoutAlias(command, new Help().commandUsage(command)),
      minWidthToWrap: 30,
    })
    .showHelpAfterError('(--help shows the usage)')
    .option('--env-file <path>', 'a file with settings, instead of .env; off for none')
    .hook('preAction', (command) => readEnvFile(terminal, command.opts<{ envFile?: string }>().envFile))

  addInit(program, terminal)
  addServe(program, terminal)
  addSetup(program, terminal)
  addMigrate(program, terminal)
  addOrganizations(program, terminal)
  addUsers(program, terminal)
  addKeys(program, terminal)
  addAccounts(program, terminal)
  addBills(program, terminal)
  addConnections(program, terminal)
  addContacts(program, terminal)
  addCurrencies(program, terminal)
  addRequests(program, terminal)
  addCollections(program, terminal)
  addCallbacks(program, terminal)
  addPayments(program, terminal)
  addOrders(program, terminal)
  addFees(program, terminal)
  addPlans(program, terminal)
  addLinks(program, terminal)
  addReceipts(program, terminal)
  addInvoices(program, terminal)
  addWebhooks(program, terminal)
  addListen(program, terminal)
  addTrigger(program, terminal)
  addSms(program, terminal)
  addReports(program, terminal)
  addStatements(program, terminal)
  addReconcile(program, terminal)
  addSimulate(program, terminal)
  addNetworks(program, terminal)
  addClock(program, terminal)
  addSandbox(program, terminal)
  addMaintenance(program, terminal)
  addBackup(program, terminal)
  addArchive(program, terminal)
  addDoctor(program, terminal)
  addAuditLog(program, terminal)
  addSecretKeyCommand(program, terminal)
  addSecrets(program, terminal)
  addOpenApiCommand(program, terminal)
  return program
}

/** Adds the settings of a file to the environment. Processes of a service have those of the process that started them. */
function readEnvFile(terminal: Terminal, file: string | undefined): void {
  if (cluster.isWorker) return
  const { environment, warnings } = addEnvFile(terminal.environment, { file, folder: terminal.folder })
  terminal.environment = environment
  for (const warning of warnings) terminal.warn(warning)
}

function withoutAlias(command: Command, text: string): string {
  return text.replace(`|${command.alias()}`, '')
}
