import type { Command } from 'commander'
import { deliveryList, webhookList } from '../../../actions/lists/events.ts'
import { operator, runAction } from '../../../actions/run.ts'
import {
  clearCredentialsAction,
  rotateSecretAction,
  setCredentialsAction,
  showSecretAction,
} from '../../../core/events/actions.ts'
import { listAttempts } from '../../../core/events/deliveries.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { chooseOrganization, toCount } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList, addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
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
  addCommand(webhooks, terminal, {
    name: 'secret',
    description: 'show the secret with which a receiver checks signatures',
    typed: {
      id: typed('<webhook>', 'as `webhooks list` shows it', toCount),
      rotate: typed('--rotate', 'create a new secret first; the old one stays valid for a day'),
    },
    async run(app, { id, rotate }, { actor }) {
      const { secret } = await runAction(app, actor, rotate ? rotateSecretAction : showSecretAction, { id })
      return { shown: { webhook: id, secret }, text: secret }
    },
  })

  const basic = webhooks
    .command('basic-auth')
    .description('the user name and password that all notifications of an organization carry')
  const organization = typed('[organization]', 'not needed while there is only one', toCount)
  addCommand(basic, terminal, {
    name: 'set',
    description: 'set the credentials: typed at the prompt, or piped in as user:password',
    typed: { organization },
    async run(app, given) {
      const { id, name } = await chooseOrganization(app.db, given.organization)
      const credentials = await readCredentials(terminal)
      await runAction(app, operator(id), setCredentialsAction, credentials)
      const text = `Notifications of ${name} now carry these credentials.`
      return { shown: { organization: id, user: credentials.user }, text }
    },
  })
  addCommand(basic, terminal, {
    name: 'clear',
    description: 'remove the credentials, so that notifications carry no Authorization header',
    typed: { organization },
    async run(app, given) {
      const { id, name } = await chooseOrganization(app.db, given.organization)
      const existed = await runAction(app, operator(id), clearCredentialsAction, {})
      const text = existed ? `Notifications of ${name} now carry no credentials.` : `${name} had no credentials.`
      return { shown: { organization: id, existed }, text }
    },
  })
}

function addDeliveryLists(webhooks: Command, terminal: Terminal): void {
  addListCommand(webhooks, terminal, deliveryList)
  addList(webhooks, terminal, {
    name: 'attempts',
    description: 'list all attempts to deliver one notification, and the answers',
    typed: {
      webhook: typed('<webhook>', 'as `webhooks deliveries` shows it', toCount),
      event: typed('<event>', 'as `webhooks deliveries` shows it', toCount),
    },
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
