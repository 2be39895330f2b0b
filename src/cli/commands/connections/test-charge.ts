import { setTimeout as sleep } from 'node:timers/promises'
import { bookTestChargeAction } from '../../../actions/operator-actions.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { toStored } from '../../../connections/changes.ts'
import { type Connection, limitsOf, placeFor, traitsOf } from '../../../connections/connection.ts'
import { withoutSecrets } from '../../../connections/test-connection.ts'
import { callDriver } from '../../../connections/tools/call-driver.ts'
import { getConnection, type TestResult, unsealSecrets } from '../../../core/connections/connections.ts'
import { createReference } from '../../../core/connections/order-references.ts'
import { type ConnectionPlace, listPlaces } from '../../../core/connections/places.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import type { ChargeStatus, Order } from '../../../networks/contract.ts'
import { CommandError } from '../../errors.ts'

/** Charge that tests a connection. */
export interface TestCharge {
  phonenumber: string
  /** Amount. Default: the network's minimum. */
  amount?: Amount
  currency?: string
  account?: number
  /** Inform the person about the progress. */
  onProgress(line: string): void
}

/**
 * Collect money from a phone over a connection that may be a draft, and follow it to its end. The money that comes over
 * a connection in service is booked, as an unsolicited payment.
 * @throws CommandError when the connection cannot carry the charge; nothing was sent then
 */
export async function chargeForTest(app: App, slug: string, wanted: TestCharge): Promise<TestResult> {
  const row = await getConnection(app.db, slug)
  const connection = app.providers.openNetwork(toStored(row, app))
  const place = choosePlace(connection, await listPlaces(app.db, slug), wanted)
  const order = buildOrder(connection, place, wanted)
  const price = `${order.currency} ${displayAmount(order.amount)}`
  wanted.onProgress(`Asking ${order.phonenumber} for ${price}. Approve it on the phone.`)
  const end = await follow(app, connection, order)
  // Without an id the same money would be booked again when a callback names it.
  const is_booked = row.state === 'active'
  if (is_booked && end.outcome === 'successful' && end.remote_id !== undefined)
    await book(app, connection, place, order, { ...end, remote_id: end.remote_id })
  const secrets = unsealSecrets(app.sealingKeys, row.sealed_secrets)
  const { outcome, message } = describe(end, price, is_booked)
  return { name: 'charge', outcome, message: withoutSecrets(message, secrets) }
}

function choosePlace(connection: Connection, places: readonly ConnectionPlace[], wanted: TestCharge): ConnectionPlace {
  const { phonenumber, currency, account } = wanted
  if (!connection.operations.charge) throw new CommandError(`${connection.name} cannot prompt a phone.`)
  const found = places.find(
    (place) =>
      place.collects &&
      (currency === undefined || place.currency === currency) &&
      (account === undefined || place.account === account) &&
      placeFor(connection, { phonenumber, currency: place.currency }) !== undefined,
  )
  if (found) return found
  const { slug, name } = connection
  throw new CommandError(
    places.some((place) => place.collects)
      ? `${name} does not serve ${phonenumber} in the currency of an account that uses ${slug}.`
      : `No account collects over ${slug} yet. \`npx kusanya connections places add ${slug} <account> <number>\` adds one.`,
  )
}

function buildOrder(connection: Connection, place: ConnectionPlace, { phonenumber, amount }: TestCharge): Order {
  const { currency, number: receiver } = place
  const limits = limitsOf(placeFor(connection, { phonenumber, currency })!, 'charge')
  const unit = 10n ** BigInt(4 - limits.decimals)
  const smallest = limits.min > unit ? limits.min : unit
  const sum = amount ?? smallest
  if (sum < limits.min || sum > limits.max || sum % unit !== 0n)
    throw new CommandError(
      `${connection.name} takes ${currency} ${displayAmount(smallest)} to ${displayAmount(limits.max)}, with ${limits.decimals} decimals.`,
    )
  const reference = createReference(traitsOf(connection, 'charge').reference)
  return { reference, receiver, phonenumber, amount: sum, currency, reason: 'Test', remote_id: null }
}

const ASK_EVERY_MS = 2_000
/** Maximum seconds after the prompt in which the network reports its result. */
const AFTER_PROMPT_S = 30

/** Send the order once, and query it until it has ended or its prompt is over. */
async function follow(app: App, connection: Connection, order: Order): Promise<ChargeStatus> {
  const { operations } = connection
  const traits = traitsOf(connection, 'charge')
  let { remote_id } = order
  if (operations.prepare) {
    const prepared = await callDriver(app, connection, 'prepare', order)
    if (prepared.outcome !== 'prepared') return prepared
    remote_id = prepared.remote_id
  }
  let answer: ChargeStatus = await callDriver(app, connection, 'charge', { ...order, remote_id })
  const until = performance.now() + (traits.prompt_s + AFTER_PROMPT_S) * 1_000
  while (isOpen(answer) && operations.chargeStatus && performance.now() < until) {
    if (answer.outcome === 'accepted') remote_id = answer.remote_id
    await sleep(ASK_EVERY_MS)
    answer = await callDriver(app, connection, 'chargeStatus', { ...order, remote_id })
  }
  return answer
}

function isOpen({ outcome }: ChargeStatus): boolean {
  return outcome !== 'successful' && outcome !== 'failed'
}

async function book(
  app: App,
  { slug, code, name }: Connection,
  { account }: ConnectionPlace,
  order: Order,
  {
    remote_id,
    paid_at = app.clock.now(),
    amount,
  }: Extract<ChargeStatus, { outcome: 'successful' }> & { remote_id: string },
): Promise<void> {
  const { reference: order_reference, receiver, currency, phonenumber } = order
  const money = { amount: amount ?? order.amount, currency, account, receiver, phonenumber }
  const from = { network: { slug, code, name }, remote_id, paid_at, status: 'successful' } as const
  const paid = { ...money, ...from, order_reference, reference: 'Test of the connection' }
  await runAction(app, operator(null), bookTestChargeAction, { paid })
}

function describe(end: ChargeStatus, price: string, is_booked: boolean): Pick<TestResult, 'outcome' | 'message'> {
  switch (end.outcome) {
    case 'successful':
      return {
        outcome: 'ok',
        message: is_booked
          ? `${price} has arrived, as a collection without a request.`
          : `${price} has arrived at the network. The connection is not in service, so it is not in the books.`,
      }
    case 'failed':
      return { outcome: 'failed', message: `${price} was not paid: ${end.message}` }
    case 'unknown':
      return { outcome: 'unknown', message: `The result is not known: ${end.message}` }
    default:
      return { outcome: 'unknown', message: `${price} was requested; its result is not known yet (${end.outcome}).` }
  }
}
