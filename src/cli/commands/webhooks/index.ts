import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { type DeliveryState, deliveryStates, listAttempts, listDeliveries } from '../../../core/events/deliveries.ts'
import {
  clearCredentials,
  listWebhooks,
  readSealedSecret,
  rotateSecret,
  setCredentials,
  WEBHOOK_KEY_PURPOSE,
} from '../../../core/events/webhooks.ts'
import { begin } from '../../../db/client.ts'
import { decrypt } from '../../../lib/secrets.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { chooseOrganization, chooseOrganizations, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { formatShortTime, printResult, printRows } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addReplay } from './replay.ts'

export function addWebhooks(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .description('who is told of events, what they were sent and what they answered')

  webhooks
    .command('list')
    .description('list the webhooks of one organization or of all, newest first')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  webhooks
    .command('deliveries')
    .description('list the newest notifications and what became of them')
    .argument('[webhook]', 'those to one webhook, as `webhooks list` shows it', toCount)
    .addOption(new Option('--state <state>', 'those in one state').choices(deliveryStates))
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((webhook: number | undefined, options: DeliveriesOptions) =>
      withApp(terminal, (app) => showDeliveries(terminal, app, webhook, options)),
    )

  webhooks
    .command('attempts')
    .description('show every attempt at one notification, and what was answered')
    .argument('<webhook>', 'as `webhooks deliveries` shows it', toCount)
    .argument('<event>', 'as `webhooks deliveries` shows it', toCount)
    .addOption(jsonOption())
    .action((webhook: number, event: number, options: { json?: boolean }) =>
      withApp(terminal, (app) => showAttempts(terminal, app, webhook, event, options)),
    )

  addReplay(webhooks, terminal)
  addSecrets(webhooks, terminal)
}

/** What only the operator may see or set. */
function addSecrets(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('secret')
    .description('show the secret by which a receiver checks signatures')
    .argument('<webhook>', 'as `webhooks list` shows it', toCount)
    .option('--rotate', 'make a new one first; the old one stays valid for a day')
    .addOption(jsonOption())
    .action((webhook: number, options: { rotate?: boolean; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const key = app.deriveSecret(WEBHOOK_KEY_PURPOSE)
        if (options.rotate) await begin(app.db, (tx) => rotateSecret(tx, app.clock.now(), webhook, key))
        const secret = decrypt(key, await readSealedSecret(app.db, webhook))
        printResult(terminal, { webhook, secret }, { ...options, text: secret })
      }),
    )

  const basic = webhooks
    .command('basic-auth')
    .description('the user name and password that all notifications of an organization carry')

  basic
    .command('set')
    .description('set them: asked for, or read from what is piped in, as user:password')
    .argument('[organization]', 'not needed while there is only one', toCount)
    .action((organization: number | undefined) => withApp(terminal, (app) => setBasic(terminal, app, organization)))

  basic
    .command('clear')
    .description('take them away: notifications carry no Authorization header any more')
    .argument('[organization]', 'not needed while there is only one', toCount)
    .action((organization: number | undefined) => withApp(terminal, (app) => clearBasic(terminal, app, organization)))
}

interface ListOptions {
  organization?: number
  json?: boolean
}

interface DeliveriesOptions extends ListOptions {
  state?: DeliveryState
  limit: number
}

/** More webhooks than anybody will make, so that a list is whole. */
const ALL = { limit: 10_000, offset: 0, field: 'id', descending: true } as const

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const organizations = await chooseOrganizations(app.db, options.organization)
  const lists = await Promise.all(organizations.map((one) => listWebhooks(app.db, one.id, {}, ALL)))
  printRows(
    terminal,
    lists.flatMap((found) => found.rows),
    {
      ...options,
      none: 'There is none.',
      columns: [
        { title: 'id', value: (row) => row.id },
        { title: 'organization', value: (row) => row.organization },
        { title: 'event', value: (row) => row.event },
        { title: 'target', value: (row) => row.target },
        { title: 'made (UTC)', value: (row) => formatShortTime(row.created) },
        { title: 'failing since', value: (row) => formatShortTime(row.failing_since) },
      ],
    },
  )
}

async function showDeliveries(
  terminal: Terminal,
  app: App,
  webhook: number | undefined,
  options: DeliveriesOptions,
): Promise<void> {
  const organizations = await chooseOrganizations(app.db, options.organization)
  const filters = { webhook, state: options.state }
  const lists = await Promise.all(organizations.map((one) => listDeliveries(app.db, one.id, filters, options.limit)))
  const newest = lists.flat().sort((a, b) => b.event - a.event || b.webhook - a.webhook)
  printRows(terminal, newest.slice(0, options.limit), {
    ...options,
    none: 'There is none.',
    columns: [
      { title: 'webhook', value: (row) => row.webhook },
      { title: 'event', value: (row) => row.event },
      { title: 'happened (UTC)', value: (row) => formatShortTime(row.created) },
      { title: 'type', value: (row) => row.type },
      { title: 'state', value: (row) => row.state },
      { title: 'attempts', value: (row) => row.attempts },
      { title: 'replayed', value: (row) => formatShortTime(row.replayed) },
      { title: 'last failure', value: (row) => row.last_failure },
      { title: 'next attempt', value: (row) => formatShortTime(row.due_at) },
      { title: 'target', value: (row) => row.target },
    ],
  })
}

async function showAttempts(
  terminal: Terminal,
  app: App,
  webhook: number,
  event: number,
  options: { json?: boolean },
): Promise<void> {
  printRows(terminal, await listAttempts(app.db, webhook, event), {
    ...options,
    none: `Nothing was sent to webhook ${webhook} of event ${event}.`,
    columns: [
      { title: 'attempt', value: (row) => row.attempt },
      { title: 'replay', value: (row) => (row.replay ? 'yes' : '') },
      { title: 'at (real time)', value: (row) => formatTimestamp(row.at) },
      { title: 'ms', value: (row) => row.duration_ms },
      { title: 'address', value: (row) => row.remote_address },
      { title: 'status', value: (row) => row.status },
      { title: 'failure', value: (row) => row.failure },
      { title: 'answer', value: (row) => (row.response_body ?? '').replace(/\s+/g, ' ').slice(0, MAX_ANSWER_LENGTH) },
    ],
  })
}

const MAX_ANSWER_LENGTH = 80

async function setBasic(terminal: Terminal, app: App, id: number | undefined): Promise<void> {
  const organization = await chooseOrganization(app.db, id)
  const credentials = await readCredentials(terminal)
  await begin(app.db, async (tx) => {
    await setCredentials(tx, app.clock.now(), organization.id, credentials, app.deriveSecret(WEBHOOK_KEY_PURPOSE))
    const details = { user: credentials.user }
    await recordOperatorAction(tx, app, organization.id, { action: 'set webhook credentials', details })
  })
  terminal.print(`Notifications of ${organization.name} carry these credentials from now on.`)
}

async function clearBasic(terminal: Terminal, app: App, id: number | undefined): Promise<void> {
  const organization = await chooseOrganization(app.db, id)
  const had = await begin(app.db, async (tx) => {
    const cleared = await clearCredentials(tx, organization.id)
    if (cleared) await recordOperatorAction(tx, app, organization.id, { action: 'clear webhook credentials' })
    return cleared
  })
  terminal.print(
    had
      ? `Notifications of ${organization.name} carry no credentials any more.`
      : `${organization.name} had no credentials.`,
  )
}

/** Never from the command line itself: what is typed there stays in the history of the shell. */
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
