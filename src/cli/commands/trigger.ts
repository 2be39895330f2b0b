import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { EventType } from '../../core/events/events.ts'
import { TEST_CURRENCY } from '../../core/ledger/currencies.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import { toAmount, toCurrency, toPhone } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addPlainCommand } from '../plain-command.ts'
import { follow, type Notification, REMOTE, type Remote, readRemote, sendRequest } from '../remote.ts'
import type { Terminal } from '../terminal.ts'
import { chosen, typed } from '../typed.ts'

interface TriggerInput {
  phone?: string
  amount?: Amount
  currency?: string
  status?: string
}

/** Created object of a trigger, and a test for its event. */
interface TriggerResult {
  description: string
  matches(data: Record<string, unknown>): boolean
}

/** Cause one type of event. */
interface Trigger {
  description: string
  run(remote: Remote, input: TriggerInput): Promise<TriggerResult>
}

/** Action that causes each type of event. */
const triggers: Record<EventType, Trigger> = {
  'collectionrequest.status.changed': {
    description: 'requests money from a customer who pays (--status failed or reversed: who does not)',
    async run(remote, input) {
      const status = input.status ?? 'successful'
      const { id } = await createCollectionRequest(remote, { ...input, phone: input.phone ?? phonesByStatus[status] })
      return {
        description: `collection request ${id}`,
        matches: (data) => data.id === id && data.status === status,
      }
    },
  },
  'collection.received': {
    description: 'requests money from a customer who pays',
    async run(remote, input) {
      const { id } = await createCollectionRequest(remote, input)
      return {
        description: `collection request ${id}`,
        matches: (data) => (data.collection_request as { id?: number } | null)?.id === id,
      }
    },
  },
  'collection.reversed': {
    description: 'requests money from a customer whose payment the network takes back; takes ten seconds more',
    async run(remote, input) {
      const { id } = await createCollectionRequest(remote, { ...input, phone: input.phone ?? phonesByStatus.reversed })
      return {
        description: `collection request ${id}`,
        matches: (data) => (data.collection_request as { id?: number } | null)?.id === id,
      }
    },
  },
  'contact.created': {
    description: 'creates a contact with a new number',
    async run(remote, { phone = randomPhone() }) {
      const body = { phone_number: phone, first_name: 'Jane', last_name: 'Doe' }
      const { id } = await sendRequest(remote, 'POST', '/api/contacts', body)
      return { description: `contact ${id}`, matches: (data) => data.id === id }
    },
  },
  'contact.credit_changed': {
    description: 'has a new customer pay, and keeps the money as credit',
    async run(remote, { phone = randomPhone(), amount = DEFAULT_AMOUNT, currency = TEST_CURRENCY }) {
      const body = { phone_number: phone, first_name: 'Jane', last_name: 'Doe' }
      const { id } = await sendRequest(remote, 'POST', '/api/contacts', body)
      const paid = { amount: formatAmount(amount), currency }
      await sendRequest(remote, 'POST', `/api/simulator/phones/${phone}/pay`, paid)
      const collection = await waitForMoney(remote, id)
      await sendRequest(remote, 'POST', `/api/collections/${collection}/allocations`, { parts: [{ contact: id }] })
      return { description: `credit of contact ${id}`, matches: (data) => data.id === id }
    },
  },
  'invoice.issued': {
    description: 'issues an invoice',
    async run(remote, input) {
      const id = await issueInvoice(remote, input)
      return { description: `invoice ${id}`, matches: (data) => data.id === id }
    },
  },
  'invoice.paid': {
    description: 'issues an invoice and requests its money from a customer who pays',
    async run(remote, input) {
      const id = await issueInvoice(remote, input)
      await sendRequest(remote, 'POST', `/api/invoices/${id}/collect`, {})
      return { description: `invoice ${id}`, matches: (data) => data.id === id }
    },
  },
  'invoice.partly_paid': {
    description: 'issues an invoice and requests a part of its money from a customer who pays',
    async run(remote, input) {
      const id = await issueInvoice(remote, input)
      await sendRequest(remote, 'POST', `/api/invoices/${id}/collect`, { amount: '1' })
      return { description: `invoice ${id}`, matches: (data) => data.id === id }
    },
  },
  'invoice.reopened': {
    description: 'has an invoice paid with money that the network takes back; takes ten seconds more',
    async run(remote, input) {
      const id = await issueInvoice(remote, { ...input, phone: input.phone ?? phonesByStatus.reversed })
      await sendRequest(remote, 'POST', `/api/invoices/${id}/collect`, {})
      return { description: `invoice ${id}`, matches: (data) => data.id === id }
    },
  },
  'invoice.voided': {
    description: 'issues an invoice and voids it',
    async run(remote, input) {
      const id = await issueInvoice(remote, input)
      await sendRequest(remote, 'POST', `/api/invoices/${id}/void`, {})
      return { description: `invoice ${id}`, matches: (data) => data.id === id }
    },
  },
  'payment.status.changed': {
    description: 'sends money to a customer',
    async run(remote, { phone = PAYING_PHONE, amount = DEFAULT_AMOUNT, currency = TEST_CURRENCY }) {
      const money = { amount: formatAmount(amount), currency, description: 'Triggered manually' }
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

/** Wait for unmatched money of a contact. @returns its collection @throws CommandError */
async function waitForMoney(remote: Remote, contact: number): Promise<number> {
  const deadline = performance.now() + EVENT_TIMEOUT_MS
  while (performance.now() < deadline) {
    const path = `/api/contacts/${contact}/money`
    const { unmatched } = await sendRequest<{ unmatched: { collection: number }[] }>(remote, 'GET', path)
    if (unmatched[0]) return unmatched[0].collection
    await sleep(500)
  }
  throw new CommandError('The money has not arrived.')
}

const triggerTypes = Object.keys(triggers) as EventType[]

/** For each final status a customer of the sandbox with whom a request ends in it (docs/operating/sandbox.md). */
const PAYING_PHONE = '+80000000003'
const phonesByStatus: Record<string, string> = {
  successful: PAYING_PHONE,
  failed: '+80000000001',
  reversed: '+80000000108',
}
/** 1,500.0000 */
const DEFAULT_AMOUNT = 15_000_000n

/** Events happen within about ten seconds; a busy machine may need longer. */
const EVENT_TIMEOUT_MS = 45_000

export function addTrigger(program: Command, terminal: Terminal): void {
  addPlainCommand(program, terminal, {
    name: 'trigger',
    description: 'cause an event in the sandbox; needs an API key and no database',
    typed: {
      type: typed('<event>', 'the type of event', toType),
      phone: typed('--phone <number>', 'the phone of the customer', toPhone),
      amount: typed('--amount <amount>', 'the amount; 1500 unless given', toAmount),
      currency: typed('--currency <code>', 'the currency; BXC unless given', toCurrency),
      status: chosen('--status <status>', 'the final status of the collection request', Object.keys(phonesByStatus)),
      ...REMOTE,
    },
    help: helpText(),
    async run({ type, ...options }) {
      const remote = readRemote(terminal, options)
      await requireSandbox(remote)
      const { created, notification } = await runTrigger(remote, type, options)
      const { id, body } = notification
      const shown = { id, event: type, data: JSON.parse(body).data as unknown }
      return { shown, text: `Created ${created.description}; its event is ${id}.` }
    },
  })
}

/** Listen first, then run the trigger and wait for its event. @throws CommandError */
async function runTrigger(remote: Remote, type: EventType, input: TriggerInput) {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), EVENT_TIMEOUT_MS)
  const opened = Promise.withResolvers<void>()
  const creation = opened.promise.then(() => triggers[type].run(remote, input))
  creation.catch(() => stop.abort())
  const find = async (): Promise<Notification | undefined> => {
    const options = { events: [type], signal: stop.signal, onOpen: opened.resolve }
    for await (const notification of follow(remote, options))
      if ((await creation).matches(JSON.parse(notification.body).data)) return notification
    opened.reject(new CommandError(`The service at ${remote.url} takes too long to answer.`))
  }
  try {
    const notification = await find()
    const created = await creation
    if (notification) return { created, notification }
    throw new CommandError(
      `Created ${created.description}, but its event did not come within ${EVENT_TIMEOUT_MS / 1_000} seconds. Does the service run its jobs?`,
    )
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** Require the sandbox, which alone has the currency BXC. @throws CommandError */
async function requireSandbox(remote: Remote): Promise<void> {
  const { results } = await sendRequest<{ results: { code: string }[] }>(remote, 'GET', '/api/currencies?limit=100')
  if (!results.some(({ code }) => code === TEST_CURRENCY))
    throw new CommandError(
      `The service at ${remote.url} is in live mode, where real money moves. Only events of the sandbox can be triggered.`,
    )
}

function createCollectionRequest(
  remote: Remote,
  { phone = PAYING_PHONE, amount = DEFAULT_AMOUNT, currency = TEST_CURRENCY }: TriggerInput,
) {
  const money = { amount: formatAmount(amount), currency, reason: 'Triggered manually' }
  return sendRequest(remote, 'POST', '/api/collectionrequests', {
    phonenumber: phone,
    ...money,
    send_instructions: true,
  })
}

/** Issue an invoice over the amount. @returns its id */
async function issueInvoice(
  remote: Remote,
  { phone = PAYING_PHONE, amount = DEFAULT_AMOUNT, currency = TEST_CURRENCY }: TriggerInput,
): Promise<number> {
  const lines = [{ text: 'Triggered manually', unit_price: formatAmount(amount) }]
  const { id } = await sendRequest(remote, 'POST', '/api/invoices', { phonenumber: phone, currency, lines })
  await sendRequest(remote, 'POST', `/api/invoices/${id}/issue`, {})
  return id
}

/** A random sandbox number without special behaviour. */
function randomPhone(): string {
  return `+8001${String(randomInt(10_000_000)).padStart(7, '0')}`
}

function toType(text: string): EventType {
  const type = triggerTypes.find((one) => one === text)
  if (!type) throw new InvalidArgumentError(`Choose from: ${triggerTypes.join(', ')}.`)
  return type
}

function helpText(): string {
  const width = Math.max(...triggerTypes.map((type) => type.length))
  return `
Events:
${triggerTypes.map((type) => `  ${type.padEnd(width)}  ${triggers[type].description}`).join('\n')}

Examples:
  $ npx kusanya trigger collection.received --api-key ksy_…
  $ npx kusanya trigger collectionrequest.status.changed --status failed`
}
