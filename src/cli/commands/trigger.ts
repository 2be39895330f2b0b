import { randomInt, randomUUID } from 'node:crypto'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { EventType } from '../../core/events/events.ts'
import { TEST_CURRENCY } from '../../core/ledger/currencies.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import { jsonOption, toAmount, toPhone } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult } from '../print.ts'
import {
  addRemoteOptions,
  follow,
  type Notification,
  type Remote,
  type RemoteOptions,
  readRemote,
  sendRequest,
} from '../remote.ts'
import type { Terminal } from '../terminal.ts'

interface TriggerInput {
  phone?: string
  amount?: Amount
  currency?: string
  status?: string
}

/** What was made, and how one knows the events that tell of it. */
interface TriggerResult {
  description: string
  matches(data: Record<string, unknown>): boolean
}

/** How to make one type of event happen. */
interface Trigger {
  description: string
  run(remote: Remote, wishes: TriggerInput): Promise<TriggerResult>
}

/** Every type of event, and the real thing of which it tells. */
const triggers: Record<EventType, Trigger> = {
  'collectionrequest.status.changed': {
    description: 'asks a customer for money, who pays (or not: --status failed, --status reversed)',
    async run(remote, wishes) {
      const status = wishes.status ?? 'successful'
      const { id } = await createCollectionRequest(remote, { ...wishes, phone: wishes.phone ?? phonesByStatus[status] })
      return {
        description: `collection request ${id}`,
        matches: (data) => data.id === id && data.status === status,
      }
    },
  },
  'collection.received': {
    description: 'asks a customer for money, who pays',
    async run(remote, wishes) {
      const { id } = await createCollectionRequest(remote, wishes)
      return {
        description: `collection request ${id}`,
        matches: (data) => (data.collection_request as { id?: number } | null)?.id === id,
      }
    },
  },
  'contact.created': {
    description: 'makes a contact with a number that nobody has yet',
    async run(remote, { phone = randomPhone() }) {
      const body = { phone_number: phone, first_name: 'Jane', last_name: 'Doe' }
      const { id } = await sendRequest(remote, 'POST', '/api/contacts', body)
      return { description: `contact ${id}`, matches: (data) => data.id === id }
    },
  },
  'payment.status.changed': {
    description: 'sends money to a customer',
    async run(remote, { phone = PAYING_PHONE, amount = DEFAULT_AMOUNT, currency = TEST_CURRENCY }) {
      const money = { amount: formatAmount(amount), currency, description: 'Triggered by hand' }
      const { id } = await sendRequest(remote, 'POST', '/api/payments', { phonenumber: phone, ...money })
      return { description: `payment ${id}`, matches: (data) => data.id === id }
    },
  },
  'billpayment.status.changed': {
    description: 'buys airtime',
    async run(remote, { amount = DEFAULT_AMOUNT }) {
      const reference = `trigger-${randomUUID()}`
      const airtime = { service_type: 'mtn', plan: 'prepaid', phone: '08031234567', amount: formatAmount(amount) }
      await sendRequest(remote, 'POST', '/api/gateway/services/airtime/request', {
        agentReference: reference,
        agentId: '1',
        ...airtime,
      })
      return { description: `bill payment ${reference}`, matches: (data) => data.agentReference === reference }
    },
  },
}

const triggerTypes = Object.keys(triggers) as EventType[]

/** Customers of the sandbox who bring a request to an end, by that end (docs/operating.md). */
const PAYING_PHONE = '+80000000003'
const phonesByStatus: Record<string, string> = {
  successful: PAYING_PHONE,
  failed: '+80000000001',
  reversed: '+80000000108',
}
/** 1,500. */
const DEFAULT_AMOUNT = 15_000_000n

/** Everything happens within seconds, or ten seconds later; a busy machine takes its time. */
const EVENT_TIMEOUT_MS = 45_000

export function addTrigger(program: Command, terminal: Terminal): void {
  const trigger = program
    .command('trigger')
    .description('make something happen in the sandbox, so that its event is told of; needs a key and no database')
    .addArgument(new Argument('<event>', 'the type of event').argParser(toType))
    .option('--phone <number>', 'of this customer', toPhone)
    .option('--amount <amount>', 'of money; else 1500', toAmount)
    .option('--currency <code>', 'of the money; else BXC', (code) => code.toUpperCase())
    .addOption(
      new Option('--status <status>', 'where the collection request ends').choices(Object.keys(phonesByStatus)),
    )
    .addOption(jsonOption())
  addRemoteOptions(trigger)
    .addHelpText('after', helpText())
    .action(async (type: EventType, options: TriggerInput & RemoteOptions & { json?: boolean }) => {
      const remote = readRemote(terminal, options)
      await requireSandbox(remote)
      const { made, notification } = await runTrigger(remote, type, options)
      const { id, body } = notification
      const data: unknown = JSON.parse(body).data
      printResult(
        terminal,
        { id, event: type, data },
        { ...options, text: `Made ${made.description}; event ${id} tells of it.` },
      )
    })
}

/** Listens first, then makes it happen, and waits for the event. @throws CommandError */
async function runTrigger(remote: Remote, type: EventType, wishes: TriggerInput) {
  const leaving = new AbortController()
  const timer = setTimeout(() => leaving.abort(), EVENT_TIMEOUT_MS)
  const listening = Promise.withResolvers<void>()
  const making = listening.promise.then(() => triggers[type].run(remote, wishes))
  making.catch(() => leaving.abort())
  const find = async (): Promise<Notification | undefined> => {
    const following = { events: [type], signal: leaving.signal, onOpen: listening.resolve }
    for await (const notification of follow(remote, following))
      if ((await making).matches(JSON.parse(notification.body).data)) return notification
    listening.reject(new CommandError(`The service at ${remote.url} takes too long to answer.`))
  }
  try {
    const notification = await find()
    const made = await making
    if (notification) return { made, notification }
    throw new CommandError(
      `Made ${made.description}, but no event told of it within ${EVENT_TIMEOUT_MS / 1_000} seconds. Does the service run its jobs?`,
    )
  } finally {
    clearTimeout(timer)
    leaving.abort()
  }
}

/** Only the sandbox has a currency of its own. @throws CommandError */
async function requireSandbox(remote: Remote): Promise<void> {
  const { results } = await sendRequest<{ results: { code: string }[] }>(remote, 'GET', '/api/currencies?limit=100')
  if (!results.some(({ code }) => code === TEST_CURRENCY))
    throw new CommandError(
      `The service at ${remote.url} is in live mode, where real money moves. Things are made to happen in the sandbox only.`,
    )
}

function createCollectionRequest(
  remote: Remote,
  { phone = PAYING_PHONE, amount = DEFAULT_AMOUNT, currency = TEST_CURRENCY }: TriggerInput,
) {
  const money = { amount: formatAmount(amount), currency, reason: 'Triggered by hand' }
  return sendRequest(remote, 'POST', '/api/collectionrequests', {
    phonenumber: phone,
    ...money,
    send_instructions: true,
  })
}

/** A number of the sandbox with no special ending. */
function randomPhone(): string {
  return `+8001${String(randomInt(10_000_000)).padStart(7, '0')}`
}

function toType(text: string): EventType {
  const type = triggerTypes.find((one) => one === text)
  if (!type) throw new InvalidArgumentError(`There are: ${triggerTypes.join(', ')}.`)
  return type
}

function helpText(): string {
  const longest = Math.max(...triggerTypes.map((type) => type.length))
  return `
Events:
${triggerTypes.map((type) => `  ${type.padEnd(longest)}  ${triggers[type].description}`).join('\n')}

Examples:
  $ npx kusanya trigger collection.received --api-key ksy_…
  $ npx kusanya trigger collectionrequest.status.changed --status failed`
}
