import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { allPermissions } from '../../core/access/api-keys.ts'
import {
  createOrganization,
  createUser,
  listOrganizations,
  setMembership,
  setPassword,
} from '../../core/access/organizations.ts'
import { begin } from '../../db/client.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { generatePassword } from '../passwords.ts'
import { printResult } from '../print.ts'
import { prepareDemo } from '../service/demo.ts'
import { requireSecretKey } from '../service/secret-key.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addSetup(program: Command, terminal: Terminal): void {
  program
    .command('setup')
    .description(
      'prepare the database and create the demo organization (sandbox) or your first organization (live mode)',
    )
    .option('--organization <name>', 'live mode: the name that customers know')
    .option('--name <name>', 'live mode: the name of its owner')
    .option('--email <address>', 'live mode: the address that the owner signs in with')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: SetupOptions) =>
      withApp(
        terminal,
        async (app) => {
          await app.migrate()
          await requireSecretKey(app)
          if (app.config.MODE === 'sandbox') await setUpSandbox(terminal, app, options)
          else await setUpLive(terminal, app, options)
        },
        { migrated: false },
      ),
    )
}

interface SetupOptions {
  organization?: string
  name?: string
  email?: string
  json?: boolean
}

/** Creates the demo organization if it is missing, and prints what newcomers need. */
export async function setUpSandbox(terminal: Terminal, app: App, options: { json?: boolean }): Promise<void> {
  const { organization, owner, api_key } = await prepareDemo(app)
  const text = [
    `The sandbox is ready: ${organization.name} (${organization.id}) has funded accounts in BXC, UGX, KES and NGN.`,
    `  Owner    ${owner.email}`,
    `  API key  ${api_key}`,
    'Start the service with `npm start`.',
  ].join('\n')
  printResult(terminal, { organization, owner, api_key }, { ...options, text })
}

async function setUpLive(terminal: Terminal, app: App, options: SetupOptions): Promise<void> {
  const name = options.organization ?? (await askUnlessGiven(terminal, 'Organization: ', '--organization'))
  const owner = {
    name: options.name ?? (await askUnlessGiven(terminal, "Owner's name: ", '--name')),
    email: options.email ?? (await askUnlessGiven(terminal, "Owner's e-mail address: ", '--email')),
  }
  if ((await listOrganizations(app.db)).some((one) => one.name === name))
    throw new CommandError(`There is an organization ${name} already. \`npx kusanya users create\` adds users to it.`)
  const password = generatePassword()
  const password_hash = await hashPassword(password)
  const now = app.clock.now()
  const created = await begin(app.db, async (tx) => {
    const organization = await createOrganization(tx, now, name)
    const user = await createUser(tx, now, owner)
    await setMembership(tx, now, { organization: organization.id, user: user.id, permissions: allPermissions })
    await setPassword(tx, user.id, password_hash)
    return { organization, owner: user }
  })
  const text = [
    `Created the organization ${name} (${created.organization.id}) and its owner ${created.owner.email}.`,
    `  Password  ${password}   (shown only now)`,
    'Next steps:',
    '  npx kusanya accounts create UGX         a wallet',
    '  npx kusanya accounts fund …             its opening balance',
    '  npx kusanya connections add …           the merchant account at a network',
    '  npx kusanya connections places add …    the till or short code whose money the wallet gets',
    '  npx kusanya keys create --name webshop  an API key',
    '  npx kusanya connections checklist       what is missing until real money moves',
  ].join('\n')
  printResult(terminal, { ...created, password }, { ...options, text })
}

async function askUnlessGiven(terminal: Terminal, question: string, option: string): Promise<string> {
  if (!terminal.interactive) throw new CommandError(`Setting up live mode needs ${option}.`)
  return (await terminal.ask(question)).trim()
}

const EXAMPLES = `
Examples:
  $ npx kusanya setup
  $ MODE=live npx kusanya setup --organization "Mama Grace Shop" --name Grace --email grace@example.com`
