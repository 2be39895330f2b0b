import { Argument, type Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import {
  clearCredentialsAction,
  rotateSecretAction,
  setCredentialsAction,
  showSecretAction,
} from '../../../core/events/actions.ts'
import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  deliveryStates,
  listAttempts,
  listDeliveries,
} from '../../../core/events/deliveries.ts'
import { listWebhooks, type WebhookRow } from '../../../core/events/webhooks.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { chooseOrganization, chooseOrganizations, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter, type LimitOption, newest, ofEach } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addManagement } from './manage.ts'
import { addReplay } from './replay.ts'

export function addWebhooks(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .description('the webhooks of organizations, their notifications and their secrets')

  addWebhookList(webhooks, terminal)
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

/** Above the number of webhooks that an organization creates, so the list is complete. */
const MAX_WEBHOOKS = 10_000

function addWebhookList(webhooks: Command, terminal: Terminal): void {
  addList<WebhookRow>(webhooks, terminal, {
    description: 'list the webhooks of one organization or of all, newest first',
    filters: [organizationOption()],
    read: ofEach((app, organization) => listWebhooks(app.db, organization, {}, newest(MAX_WEBHOOKS))),
    none: 'There are no webhooks.',
    columns: {
      id: 'id',
      organization: 'organization',
      event: 'event',
      target: 'target',
      endpoint: 'endpoint',
      'created (UTC)': 'created',
      'failing since': 'failing_since',
      'paused since': 'paused',
      description: 'description',
    },
  })
}

interface DeliveryFilterOptions extends LimitOption {
  webhook?: number
  state?: DeliveryState
  organization?: number
}

function addDeliveryLists(webhooks: Command, terminal: Terminal): void {
  addList<Delivery, DeliveryFilterOptions>(webhooks, terminal, {
    name: 'deliveries',
    description: 'list the newest notifications and their states',
    arguments: [new Argument('[webhook]', 'those to one webhook, as `webhooks list` shows it').argParser(toCount)],
    filters: [filter('--state <state>', 'those in one state').choices(deliveryStates), organizationOption()],
    limit: 'how many',
    read: async (app, { webhook, state, organization, limit }) => {
      const organizations = await chooseOrganizations(app.db, organization)
      const lists = await Promise.all(
        organizations.map((one) => listDeliveries(app.db, one.id, { webhook, state }, limit)),
      )
      const newestFirst = lists.flat().sort((a, b) => b.event - a.event || b.webhook - a.webhook)
      return newestFirst.slice(0, limit)
    },
    none: 'There are no notifications.',
    columns: {
      webhook: 'webhook',
      event: 'event',
      'happened (UTC)': 'created',
      type: 'type',
      state: 'state',
      attempts: 'attempts',
      replayed: 'replayed',
      'last failure': 'last_failure',
      'next attempt': 'due_at',
      target: 'target',
    },
  })
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
