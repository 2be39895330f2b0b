import type { Command } from 'commander'
import { jsonOption } from '../../arguments.ts'
import type { Terminal } from '../../terminal.ts'
import { type InitOptions, ways } from './answers.ts'

/** Add the command `init`. Its modules are large, so they are loaded only when it runs. */
export function addInit(program: Command, terminal: Terminal): void {
  program
    .command('init')
    .description('set up Kusanya in this folder: asks five questions, or takes the answers as options')
    .option('--run <way>', `how the service runs: ${ways.join(', ')}`)
    .option('--mode <mode>', 'sandbox or live')
    .option('--database <where>', 'embedded: the built-in PostgreSQL; own: the one of DATABASE_URL')
    .option('--public-url <address>', 'how networks and customers reach the service, such as https://pay.example.com')
    .option('--organization <name>', 'the name of the organization, as customers know it')
    .option('--country <code>', 'its country, such as UG')
    .option('--time-zone <name>', 'its time zone, such as Africa/Kampala; default: from its country')
    .option('--currency <code>', 'its currency, such as UGX')
    .option('--email <address>', 'the e-mail address of its first manager')
    .option('--manager <name>', 'the name of this manager')
    .option('--yes', 'ask nothing, and use defaults for what is not given')
    .option('--replace', 'overwrite files that differ; the earlier ones are kept as .old')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: InitOptions) => {
      const { init } = await import('./init.ts')
      await init(terminal, options)
    })
}

const EXAMPLES = `
It is safe to run it again: what is there stays, and is shown.

Examples:
  $ npx kusanya init                             asks at the terminal
  $ npx kusanya init --yes                       a sandbox in this folder, without questions
  $ npx kusanya init --run compose --mode live --public-url https://pay.example.com \\
      --organization "Mama Grace Shop" --country UG --currency UGX --email grace@example.com --yes
  $ DATABASE_URL=postgres://… npx kusanya init --database own`
