import { type Command, Option } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { removeRouteAction, removeSenderAction, setRouteAction, setSenderAction } from '../../../core/sms/actions.ts'
import { type SmsPurpose, smsPurposes } from '../../../core/sms/message.ts'
import { listSenderIds, listSmsRoutes, type SmsRoute, type SmsSenderId } from '../../../core/sms/routes.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount, toCount } from '../../arguments.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { toCountry } from './countries.ts'

/** `sms routes …` and `sms senders …`. */
export function addRoutes(sms: Command, terminal: Terminal): void {
  const routes = sms
    .command('routes')
    .description('which connections carry which messages')
    .addHelpText('after', EXAMPLES)
  addList<SmsRoute, { organization?: number }>(routes, terminal, {
    description: 'list the routes',
    filters: [organizationOption()],
    read: (app, { organization }) => listSmsRoutes(app.db, organization),
    none: 'There are no routes: every active SMS connection carries everything, in the order of the priorities.',
    columns: {
      id: 'id',
      organization: (row) => row.organization ?? 'all',
      country: (row) => row.country ?? 'all',
      purpose: (row) => row.purpose ?? 'all',
      over: 'connection',
      as: 'sender_id',
      priority: 'priority',
      'price of a part': (row) => (row.price === null ? null : `${row.currency} ${displayAmount(row.price)}`),
    },
  })
  addRouteSet(routes, terminal)
  addRouteRemove(routes, terminal)
  addSenders(sms.command('senders').description('what phones show as the sender'), terminal)
}

interface RouteOptions {
  organization?: number
  country?: string
  purpose?: SmsPurpose
  senderId?: string
  priority: number
  price?: Amount
  currency?: string
  json?: boolean
}

function addRouteSet(routes: Command, terminal: Terminal): void {
  routes
    .command('set')
    .description('send messages over a connection; a second route carries what the first one does not deliver')
    .argument('<connection>', 'as `connections list` shows it')
    .addOption(organizationOption().argParser(toCount))
    .addOption(new Option('--country <code>', 'only to phones of this country, such as UG').argParser(toCountry))
    .addOption(new Option('--purpose <purpose>', 'only for this purpose').choices(smsPurposes))
    .option('--sender-id <text>', 'what phones show on this route')
    .option('--priority <number>', 'the smallest is preferred', toCount, 100)
    .option('--price <amount>', 'what one part costs: of equal priorities the cheapest is preferred', toAmount)
    .option('--currency <code>', 'the currency of the price')
    .addOption(jsonOption())
    .action((connection: string, options: RouteOptions) =>
      withApp(terminal, async (app) => {
        const { organization = null, country, purpose, senderId: sender_id, priority, price } = options
        if (organization !== null) await chooseOrganization(app.db, organization)
        const input = { connection, country, purpose, sender_id, priority, price, own: organization !== null }
        const currency = options.currency?.toUpperCase()
        const route = await runAction(app, operator(organization), setRouteAction, { ...input, currency })
        printResult(terminal, route, { ...options, text: `Route ${route.id}: ${describe(route)}.` })
      }),
    )
}

function describe({ organization, country, purpose, connection, sender_id, priority }: SmsRoute): string {
  const what = purpose ?? 'all messages'
  const whose = organization === null ? 'all organizations' : `organization ${organization}`
  const as = sender_id === null ? '' : ` as ${sender_id}`
  return `${what} of ${whose} to ${country ?? 'all countries'} over ${connection}${as}, priority ${priority}`
}

function addRouteRemove(routes: Command, terminal: Terminal): void {
  routes
    .command('remove')
    .description('remove a route; messages that are on their way stay on it')
    .argument('<id>', 'as `sms routes list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const route = await runAction(app, operator(null), removeRouteAction, { id })
        printResult(terminal, route, { ...options, text: `Removed: ${describe(route)}.` })
      }),
    )
}

function addSenders(senders: Command, terminal: Terminal): void {
  addList<SmsSenderId, { organization?: number }>(senders, terminal, {
    description: 'list the sender ids',
    filters: [organizationOption()],
    read: (app, { organization }) => listSenderIds(app.db, organization),
    none: 'There are no sender ids: phones show those of the providers.',
    columns: {
      id: 'id',
      organization: (row) => row.organization ?? 'all',
      country: (row) => row.country ?? 'all',
      'sender id': 'sender_id',
    },
  })
  senders
    .command('set')
    .description('set what phones show; in most countries the provider must have registered it')
    .argument('<sender-id>', 'up to 11 letters and digits, a number, or a short code')
    .addOption(organizationOption().argParser(toCount))
    .addOption(new Option('--country <code>', 'only on phones of this country, such as UG').argParser(toCountry))
    .addOption(jsonOption())
    .action((sender_id: string, options: Pick<RouteOptions, 'organization' | 'country' | 'json'>) =>
      withApp(terminal, async (app) => {
        const { organization = null, country } = options
        if (organization !== null) await chooseOrganization(app.db, organization)
        const input = { sender_id, country, own: organization !== null }
        const set = await runAction(app, operator(organization), setSenderAction, input)
        printResult(terminal, set, { ...options, text: `Phones in ${country ?? 'all countries'} show ${sender_id}.` })
      }),
    )
  senders
    .command('remove')
    .description('remove a sender id')
    .argument('<id>', 'as `sms senders list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const removed = await runAction(app, operator(null), removeSenderAction, { id })
        printResult(terminal, removed, { ...options, text: `${removed.sender_id} is no longer shown.` })
      }),
    )
}

const EXAMPLES = `
Examples:
  $ npx kusanya sms routes set africas-talking --country UG --price 35 --currency UGX
  $ npx kusanya sms routes set twilio --priority 200`
