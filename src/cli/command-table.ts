import cluster from 'node:cluster'
import { Command, Help } from 'commander'
import { addEnvFile } from './env-file.ts'
import { reportError } from './errors.ts'
import type { Terminal } from './terminal.ts'
import { VERSION } from './version.ts'

type AddCommand = (program: Command, terminal: Terminal) => void

/**
 * Commands of the program, in the order of the help. Only the chosen one is loaded: all together take longer to load
 * than most take to run.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  init: async () => (await import('./commands/init/index.ts')).addInit,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  setup: async () => (await import('./commands/setup.ts')).addSetup,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrate,
  organizations: async () => (await import('./commands/organizations/index.ts')).addOrganizations,
  cells: async () => (await import('./commands/cells/index.ts')).addCells,
  users: async () => (await import('./commands/users.ts')).addUsers,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  accounts: async () => (await import('./commands/accounts.ts')).addAccounts,
  bills: async () => (await import('./commands/bills/index.ts')).addBills,
  connections: async () => (await import('./commands/connections/index.ts')).addConnections,
  contacts: async () => (await import('./commands/contacts/index.ts')).addContacts,
  currencies: async () => (await import('./commands/currencies.ts')).addCurrencies,
  requests: async () => (await import('./commands/requests/index.ts')).addRequests,
  collections: async () => (await import('./commands/collections/index.ts')).addCollections,
  callbacks: async () => (await import('./commands/callbacks.ts')).addCallbacks,
  payments: async () => (await import('./commands/payments.ts')).addPayments,
  orders: async () => (await import('./commands/orders/index.ts')).addOrders,
  fees: async () => (await import('./commands/fees.ts')).addFees,
  plans: async () => (await import('./commands/plans.ts')).addPlans,
  links: async () => (await import('./commands/links.ts')).addLinks,
  receipts: async () => (await import('./commands/receipts.ts')).addReceipts,
  invoices: async () => (await import('./commands/invoices/index.ts')).addInvoices,
  webhooks: async () => (await import('./commands/webhooks/index.ts')).addWebhooks,
  listen: async () => (await import('./commands/listen.ts')).addListen,
  mcp: async () => (await import('./commands/mcp/index.ts')).addMcp,
  trigger: async () => (await import('./commands/trigger.ts')).addTrigger,
  sms: async () => (await import('./commands/sms/index.ts')).addSms,
  reports: async () => (await import('./commands/reports.ts')).addReports,
  statements: async () => (await import('./commands/statements.ts')).addStatements,
  reconcile: async () => (await import('./commands/reconcile.ts')).addReconcile,
  simulate: async () => (await import('./commands/simulate.ts')).addSimulate,
  networks: async () => (await import('./commands/networks/index.ts')).addNetworks,
  clock: async () => (await import('./commands/clock.ts')).addClock,
  sandbox: async () => (await import('./commands/sandbox.ts')).addSandbox,
  maintenance: async () => (await import('./commands/maintenance.ts')).addMaintenance,
  backup: async () => (await import('./commands/backup/index.ts')).addBackup,
  archive: async () => (await import('./commands/archive/index.ts')).addArchive,
  doctor: async () => (await import('./commands/doctor/index.ts')).addDoctor,
  audit: async () => (await import('./commands/security/audit.ts')).addAuditLog,
  'secret-key': async () => (await import('./commands/security/secret-key.ts')).addSecretKeyCommand,
  secrets: async () => (await import('./commands/security/secrets.ts')).addSecrets,
  describe: async () => {
    const { addDescribe } = await import('./commands/describe.ts')
    return (program, terminal) => addDescribe(program, terminal, () => createProgram(terminal, []))
  },
  openapi: async () => (await import('./commands/openapi.ts')).addOpenApiCommand,
}

/** Commands that stand in the file of another one. */
const otherNames: Readonly<Record<string, keyof typeof commands>> = {
  restore: 'backup',
  sending: 'backup',
}

/** The loader of the command that a command line begins with; all of them where it begins otherwise, as for the help. */
function loadersFor([first = '']: readonly string[]): (() => Promise<AddCommand>)[] {
  const name = Object.hasOwn(otherNames, first) ? otherNames[first]! : first
  return Object.hasOwn(commands, name) ? [commands[name]!] : Object.values(commands)
}

/** Run one command line and return the exit code of the process. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    const program = await createProgram(terminal, args)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, terminal)
  }
}

/** Door 4: the program with the command that a command line begins with, or with all commands. */
export async function createProgram(terminal: Terminal, args: readonly string[]): Promise<Command> {
  const program = new Command('kusanya')
    .description('The mobile-money gateway that a business runs itself.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    })
    // The tables stay narrow: options are listed in the help of each command.
    .configureHelp({
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
      minWidthToWrap: 30,
    })
    .showHelpAfterError('(--help shows the usage)')
    .option('--env-file <path>', 'a file with settings, instead of .env; off for none')
    .hook('preAction', (command) => readEnvFile(terminal, command.opts<{ envFile?: string }>().envFile))

  for (const load of loadersFor(args)) (await load())(program, terminal)
  return program
}

/** Add the settings of a file to the environment. Processes of a service inherit them from their parent. */
function readEnvFile(terminal: Terminal, file: string | undefined): void {
  if (cluster.isWorker) return
  const { environment, warnings } = addEnvFile(terminal.environment, { file, folder: terminal.folder })
  terminal.environment = environment
  for (const warning of warnings) terminal.warn(warning)
}
