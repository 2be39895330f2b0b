import type { Command } from 'commander'
import { linkUrl } from '../../actions/link-delivery.ts'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { sendPasswordLinkAction } from '../../core/access/actions.ts'
import { listOrganizations } from '../../core/access/organizations.ts'
import { createOrganizationAction } from '../../core/approvals/changes/user-actions.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { addCommand, type Told } from '../command.ts'
import { CommandError } from '../errors.ts'
import { generatePassword } from '../passwords.ts'
import { prepareDemo } from '../service/demo.ts'
import { firstPlace, type OwnedOrganization } from '../service/first-organization.ts'
import { requireSecretKey } from '../service/secret-key.ts'
import type { Terminal } from '../terminal.ts'
import { type Given, typed } from '../typed.ts'

export function addSetup(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    name: 'setup',
    description:
      'prepare the database and create the demo organization (sandbox) or your first organization (live mode)',
    typed: SETUP,
    help: EXAMPLES,
    access: { migrated: false },
    async run(app, options) {
      await app.migrate()
      await requireSecretKey(app)
      return app.config.MODE === 'sandbox' ? setUpSandbox(app, chosenFirst(options)) : setUpLive(terminal, app, options)
    },
  })
}

const SETUP = {
  organization: typed(
    '--organization <name>',
    'the name that customers know; in the sandbox instead of the demo organization',
  ),
  name: typed('--name <name>', 'the name of its owner'),
  email: typed('--email <address>', 'the address that the owner signs in with'),
  timeZone: typed('--time-zone <name>', 'its time zone; default: from the country, or from this machine'),
  country: typed(
    '--country <code>',
    'its country, whose phone numbers need no country code; default: from the currency',
  ),
  currency: typed('--currency <code>', 'live mode: also open a wallet in this currency'),
  link: typed('--link', 'live mode: print a link with which the owner chooses a password, instead of a password'),
}
type SetupOptions = Given<typeof SETUP>

/** The organization that the options name for the sandbox; undefined for the demo organization. @throws CommandError */
function chosenFirst(options: SetupOptions): OwnedOrganization | undefined {
  const { organization: name, name: owner, email } = options
  if (name === undefined && owner === undefined && email === undefined) return undefined
  if (name === undefined || owner === undefined || email === undefined)
    throw new CommandError('An organization of your own needs --organization, --name and --email.')
  const says_place = [options.timeZone, options.country, options.currency].some((one) => one !== undefined)
  return { name, owner: { name: owner, email }, ...(says_place && { place: firstPlace(options) }) }
}

/** Create the demo organization if it is missing, and print the first steps for newcomers. */
export async function setUpSandbox(app: App, first?: OwnedOrganization): Promise<Told> {
  const { organization, owner, api_key } = await prepareDemo(app, first)
  if (first && organization.name !== first.name)
    throw new CommandError(
      `There is already an organization ${organization.name}. \`npx kusanya organizations create\` creates another.`,
    )
  const text = [
    `The sandbox is ready: ${organization.name} (${organization.id}) has funded accounts in BXC, UGX, KES and NGN.`,
    `  Owner    ${owner.email}`,
    `  API key  ${api_key}`,
    'Start the service with `npm start`.',
  ]
  return { shown: { organization, owner, api_key }, text }
}

async function setUpLive(terminal: Terminal, app: App, options: SetupOptions): Promise<Told> {
  const name = options.organization ?? (await askUnlessGiven(terminal, 'Organization: ', '--organization'))
  const owner = {
    name: options.name ?? (await askUnlessGiven(terminal, "Owner's name: ", '--name')),
    email: options.email ?? (await askUnlessGiven(terminal, "Owner's e-mail address: ", '--email')),
  }
  if ((await listOrganizations(app.db)).some((one) => one.name === name))
    throw new CommandError(`There is already an organization ${name}. \`npx kusanya users create\` adds users to it.`)
  const password = generatePassword()
  const password_hash = await hashPassword(password)
  const { time_zone, country } = firstPlace(options)
  const input = { name, time_zone, country: country ?? undefined, currency: options.currency?.toUpperCase() }
  const { organization, user } = await runAction(app, operator(null), createOrganizationAction, {
    ...input,
    owner: { ...owner, ...(!options.link && { password_hash }) },
  })
  const created = { organization, owner: user! }
  const link = { id: user!.id, first: true }
  const token = options.link
    ? (await runAction(app, operator(organization.id), sendPasswordLinkAction, link)).token
    : null
  const secret = token === null ? { password } : { link: linkUrl(app, token) }
  const text = [
    `Created the organization ${name} (${created.organization.id}) and its owner ${created.owner.email}.`,
    token === null
      ? `  Password  ${password}   (shown only now)`
      : `  Link to choose a password, valid for a week  ${linkUrl(app, token)}`,
    'Next steps:',
    '  npx kusanya accounts create UGX         a wallet',
    '  npx kusanya accounts fund …             its opening balance',
    '  npx kusanya connections add …           the merchant account at a network',
    '  npx kusanya connections places add …    the till or short code whose money the wallet gets',
    '  npx kusanya keys create --name webshop  an API key',
    '  npx kusanya connections checklist       what is missing until real money moves',
  ]
  return { shown: { ...created, ...secret }, text }
}

async function askUnlessGiven(terminal: Terminal, question: string, option: string): Promise<string> {
  if (!terminal.interactive) throw new CommandError(`Setting up live mode needs ${option}.`)
  return (await terminal.ask(question)).trim()
}

const EXAMPLES = `
Examples:
  $ npx kusanya setup
  $ MODE=live npx kusanya setup --organization "Mama Grace Shop" --name Grace --email grace@example.com`
