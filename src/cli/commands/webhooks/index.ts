import { Argument, type Command } from 'commander'
import { deliveryList, webhookList } from '../../../actions/lists/events.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import {
  clearCredentialsAction,
  rotateSecretAction,
  setCredentialsAction,
  showSecretAction,
} from '../../../core/events/actions.ts'
import { type Attempt, listAttempts } from '../../../core/events/deliveries.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { chooseOrganization, jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, addListCommand } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addManagement } from './manage.ts'
import { addReplay } from './replay.ts'

export function addWebhooks(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .description('the webhooks of organizations, their notifications and their secrets')

  addListCommand(webhooks, terminal, webhookList)
  addDeliveryLists(webhooks, terminal)
  addManagement(webhooks, terminal)
  addReplay(webhooks, terminal)
  addSecrets(webhooks, terminal)
}

/** The commands for secrets and credentials. */
function addSecrets(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('secret')
    .description('show the secret with which a receiver checks signatures')
    .argument('<webhook>', 'as `webhooks list` shows it', toCount)
    .option('--rotate', 'create a new secret first; the old one stays valid for a day')
    .addOption(jsonOption())
    .action((webhook: number, options: { rotate?: boolean; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const action = options.rotate ? rotateSecretAction : showSecretAction
        const { secret } = await runAction(app, operator(null), action, { id: webhook })
        printResult(terminal, { webhook, secret }, { ...options, text: secret })
      }),
    )

  const basic = webhooks
    .command('basic-auth')
    .description('the user name and password that all notifications of an organization carry')

  basic
    .command('set')
    .description('set the credentials: typed at the prompt, or piped in as user:password')
    .argument('[organization]', 'not needed while there is only one', toCount)
    .action((organization: number | undefined) => withApp(terminal, (app) => setBasic(terminal, app, organization)))

  basic
    .command('clear')
    .description('remove the credentials, so that notifications carry no Authorization header')
    .argument('[organization]', 'not needed while there is only one', toCount)
    .action((organization: number | undefined) => withApp(terminal, (app) => clearBasic(terminal, app, organization)))
}

function addDeliveryLists(webhooks: Command, terminal: Terminal): void {
  addListCommand(webhooks, terminal, deliveryList)
  addList<Attempt, { webhook: number; event: number }>(webhooks, terminal, {
    name: 'attempts',
    description: 'list all attempts to deliver one notification, and the answers',
    arguments: [
      new Argument('<webhook>', 'as `webhooks deliveries` shows it').argParser(toCount),
      new Argument('<event>', 'as `webhooks deliveries` shows it').argParser(toCount),
    ],
    read: (app, { webhook, event }) => listAttempts(app.db, webhook, event),
    none: 'There were no attempts to deliver this event to this webhook.',
    columns: {
      attempt: 'attempt',
      replay: (row) => (row.replay ? 'yes' : ''),
      'at (real time)': (row) => formatTimestamp(row.at),
      ms: 'duration_ms',
      address: 'remote_address',
      status: 'status',
      failure: 'failure',
      answer: (row) => (row.response_body ?? '').replace(/\s+/g, ' ').slice(0, MAX_ANSWER_LENGTH),
    },
  })
}

const MAX_ANSWER_LENGTH = 80

async function setBasic(terminal: Terminal, app: App, id: number | undefined): Promise<void> {
  const organization = await chooseOrganization(app.db, id)
  const credentials = await readCredentials(terminal)
  await runAction(app, operator(organization.id), setCredentialsAction, credentials)
  terminal.print(`Notifications of ${organization.name} now carry these credentials.`)
}

async function clearBasic(terminal: Terminal, app: App, id: number | undefined): Promise<void> {
  const organization = await chooseOrganization(app.db, id)
  const existed = await runAction(app, operator(organization.id), clearCredentialsAction, {})
  terminal.print(
    existed
      ? `Notifications of ${organization.name} now carry no credentials.`
      : `${organization.name} had no credentials.`,
  )
}

/** Credentials are not command line arguments, because the history of the shell keeps those. */
async function readCredentials(terminal: Terminal): Promise<{ user: string; password: string }> {
  if (terminal.interactive) {
    const user = await terminal.ask('User name: ')
    return { user, password: await terminal.ask('Password: ', { secret: true }) }
  }
  const [, user, password] = /^([^:]*):(.*)$/.exec((await terminal.read()).replace(/\r?\n$/, '')) ?? []
  if (user === undefined || password === undefined)
    throw new CommandError('Pipe in one line with the user name, a colon and the password.')
  return { user, password }
}
