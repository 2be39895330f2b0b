import { randomInt, randomUUID } from 'node:crypto'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { TEST_CURRENCY } from '../../core/ledger/currencies.ts'
import type { EventType } from '../../core/events/events.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import { jsonOption, toAmount, toPhone } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printMade } from '../print.ts'
import {
  addRemoteOptions,
  ask,
  follow,
  type Notification,
  type Remote,
  type RemoteOptions,
  remoteOf,
} from '../remote.ts'
import type { Terminal } from '../terminal.ts'

interface Wishes {
  phone?: string
  amount?: Amount
  currency?: string
  status?: string
}

/** What was made, and how one knows the events that tell of it. */
interface Made {
  what: string
  isToldBy(data: Record<string, unknown>): boolean
}

/** How to make one type of event happen. */
interface Trigger {
  does: string
  make(remote: Remote, wishes: Wishes): Promise<Made>
}

/** Every type of event, and the real thing of which it tells. */
const triggers: Record<EventType, Trigger> = {
  'collectionrequest.status.changed': {
    does: 'asks a customer for money, who pays (or not: --status failed, --status reversed)',
    async make(remote, wishes) {
      const status = wishes.status ?? 'successful'
      const { id } = await askForMoney(remote, { ...wishes, phone: wishes.phone ?? customers[status] })
      return {
        what: `collection request ${id}`,
        isToldBy: (data) => data.id === id && data.status === status,
      }
    },
  },
  'collection.received': {
    does: 'asks a customer for money, who pays',
    async make(remote, wishes) {
      const { id } = await askForMoney(remote, wishes)
      return {
        what: `collection request ${id}`,
        isToldBy: (data) => (data.collection_request as { id?: number } | null)?.id === id,
      }
    },
  },
  'contact.created': {
    does: 'makes a contact with a number that nobody has yet',
    async make(remote, { phone = drawPhone() }) {
      const body = { phone_number: phone, first_name: 'Jane', last_name: 'Doe' }
      const { id } = await ask(remote, 'POST', '/api/contacts', body)
      return { what: `contact ${id}`, isToldBy: (data) => data.id === id }
    },
  },
  'payment.status.changed': {
    does: 'sends money to a customer',
    async make(remote, { phone = PAYING, amount = AMOUNT, currency = TEST_CURRENCY }) {
      const money = { amount: formatAmount(amount), currency, description: 'Triggered by hand' }
      const { id } = await ask(remote, 'POST', '/api/payments', { phonenumber: phone, ...money })
      return { what: `payment ${id}`, isToldBy: (data) => data.id === id }
    },
  },
  'billpayment.status.changed': {
    does: 'buys airtime',
    async make(remote, { amount = AMOUNT }) {
      const reference = `trigger-${randomUUID()}`
      const airtime = { service_type: 'mtn', plan: 'prepaid', phone: '08031234567', amount: formatAmount(amount) }
      await ask(remote, 'POST', '/api/gateway/services/airtime/request', {
        agentReference: reference,
        agentId: '1',
        ...airtime,
      })
      return { what: `bill payment ${reference}`, isToldBy: (data) => data.agentReference === reference }
    },
  },
}

const types = Object.keys(triggers) as EventType[]

/** Customers of the sandbox who bring a request to an end, by that end (docs/operating.md). */
const PAYING = '+80000000003'
const customers: Record<string, string> = {
  successful: PAYING,
  failed: '+80000000001',
  reversed: '+80000000108',
}
/** 1,500. */
const AMOUNT = 15_000_000n

/** Everything happens within seconds, or ten seconds later; a busy machine takes its time. */
const PATIENCE_MS = 45_000

export function addTrigger(program: Command, terminal: Terminal): void {
  const trigger = program
    .command('trigger')
    .description('make something happen in the sandbox, so that its event is told of; needs a key and no database')
    .addArgument(new Argument('<event>', 'the type of event').argParser(toType))
    .option('--phone <number>', 'of this customer', toPhone)
    .option('--amount <amount>', 'of money; else 1500', toAmount)
    .option('--currency <code>', 'of the money; else BXC', (code) => code.toUpperCase())
    .addOption(new Option('--status <status>', 'where the collection request ends').choices(Object.keys(customers)))
    .addOption(jsonOption())
  addRemoteOptions(trigger)
    .addHelpText('after', helpText())
    .action(async (type: EventType, options: Wishes & RemoteOptions & { json?: boolean }) => {
      const remote = remoteOf(terminal, options)
      await demandSandbox(remote)
      const { made, notification } = await makeHappen(remote, type, options)
      const { id, body } = notification
      const data: unknown = JSON.parse(body).data
      printMade(
        terminal,
        { id, event: type, data },
        { ...options, text: `Made ${made.what}; event ${id} tells of it.` },
      )
    })
}

/** Listens first, then makes it happen, and waits for the event. @throws CommandError */
async function makeHappen(remote: Remote, type: EventType, wishes: Wishes) {
  const leaving = new AbortController()
  const timer = setTimeout(() => leaving.abort(), PATIENCE_MS)
  const listening = Promise.withResolvers<void>()
  const making = listening.promise.then(() => triggers[type].make(remote, wishes))
  making.catch(() => leaving.abort())
  const find = async (): Promise<Notification | undefined> => {
    const following = { events: [type], signal: leaving.signal, onOpen: listening.resolve }
    for await (const notification of follow(remote, following))
      if ((await making).isToldBy(JSON.parse(notification.body).data)) return notification
    listening.reject(new CommandError(`The service at ${remote.url} takes too long to answer.`))
  }
  try {
    const notification = await find()
    const made = await making
    if (notification) return { made, notification }
    throw new CommandError(
      `Made ${made.what}, but no event told of it within ${PATIENCE_MS / 1_000} seconds. Does the service run its jobs?`,
    )
  } finally {
    clearTimeout(timer)
    leaving.abort()
  }
}

/** Only the sandbox has a currency of its own. @throws CommandError */
async function demandSandbox(remote: Remote): Promise<void> {
  const { results } = await ask<{ results: { code: string }[] }>(remote, 'GET', '/api/currencies?limit=100')
  if (!results.some(({ code }) => code === TEST_CURRENCY))
    throw new CommandError(
      `The service at ${remote.url} is in live mode, where real money moves. Things are made to happen in the sandbox only.`,
    )
}

function askForMoney(remote: Remote, { phone = PAYING, amount = AMOUNT, currency = TEST_CURRENCY }: Wishes) {
  const money = { amount: formatAmount(amount), currency, reason: 'Triggered by hand' }
  return ask(remote, 'POST', '/api/collectionrequests', { phonenumber: phone, ...money, send_instructions: true })
}

/** A number of the sandbox with no special ending. */
function drawPhone(): string {
  return `+8001${String(randomInt(10_000_000)).padStart(7, '0')}`
}

function toType(text: string): EventType {
  const type = types.find((one) => one === text)
  if (!type) throw new InvalidArgumentError(`There are: ${types.join(', ')}.`)
  return type
}

function helpText(): string {
  const longest = Math.max(...types.map((type) => type.length))
  return `
Events:
${types.map((type) => `  ${type.padEnd(longest)}  ${triggers[type].does}`).join('\n')}

Examples:
  $ npx kusanya trigger collection.received --api-key ksy_…
  $ npx kusanya trigger collectionrequest.status.changed --status failed`
}
