import { assignPayment } from '../../src/core/collections/actions.ts'
import { assignReceiver } from '../../src/core/ledger/accounts.ts'
import { settleFloat } from '../../src/core/ledger/floats.ts'
import { Refusal } from '../../src/core/refusals.ts'
import { begin } from '../../src/db/client.ts'
import { type Amount, formatAmount, parseAmount } from '../../src/lib/money.ts'
import { pickProcess, pickShop, UNKNOWN_TILL } from './choices.ts'
import { OWN_CONNECTION, OWN_PHONE, remainderOf } from './networks.ts'
import type { Simulation } from './simulation.ts'

export function reversePayment(world: Simulation): void {
  const { random, networks: outside } = world
  const standing = [...outside.payments.values()].filter(
    (payment) => payment.status === 'successful' && remainderOf(payment) > 0n,
  )
  if (standing.length === 0) return
  const payment = random.pick(standing)
  world.log(`${payment.network} takes ${payment.remote_id} back`)
  outside.reverse(payment)
}

/** An operator assigns unassigned money by hand. Somebody else may be quicker. */
export async function assignMoney(world: Simulation): Promise<void> {
  const { random, store, clock } = world
  const crew = pickProcess(world)
  const waiting = await store.observer<{ id: number }[]>`
    select id from unassigned_payments where state = 'unassigned' order by id`
  if (!crew || waiting.length === 0) return
  const payment = random.pick(waiting).id
  const { account } = random.pick(pickShop(world).wallets)
  world.log(`an operator assigns payment ${payment} to ${account}`)
  world.startTask(crew, 'assign payment', async () => {
    const input = { payment, account, by: { user: null, name: 'an operator' } }
    const { app } = crew
    try {
      await begin(app.db, (tx) => assignPayment(tx, clock.now(), app.connections.list(), input))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  })
}

/** An operator gives the unknown till of a network to a wallet. */
export function assignTill(world: Simulation): void {
  const { random, store, networks: outside } = world
  const crew = pickProcess(world)
  if (!crew) return
  const receiver = { connection: random.pick(outside.networks).slug, number: UNKNOWN_TILL, account: store.spare_wallet }
  world.log(`an operator assigns the till ${UNKNOWN_TILL} of ${receiver.connection}`)
  world.startTask(crew, 'assign till', async () => {
    try {
      await begin(crew.app.db, (tx) => assignReceiver(tx, receiver))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  })
}

/** A network that signs reports an amount that no books can hold. */
export function reportImpossible(world: Simulation): void {
  const { random, store, networks: outside } = world
  const network = random.pick(['alpha', 'gamma'])
  const { account } = random.pick(pickShop(world).wallets)
  outside.reportImpossible(network, store.receivers.get(`${network}:${account}`)!)
  world.log(`${network} reports an impossible amount`)
}

/** Take back a part of a payment, or the last part. */
export function reverseAPart(world: Simulation): void {
  const { random, networks: outside } = world
  const standing = [...outside.payments.values()].filter(
    (payment) => payment.status === 'successful' && remainderOf(payment) > 0n,
  )
  if (standing.length === 0) return
  const payment = random.pick(standing)
  const left = remainderOf(payment)
  const amount = random.pick([left, (left * 3n) / 10n + 1n])
  world.log(`${payment.network} takes ${amount} of ${payment.remote_id} back`)
  outside.reversePart(payment, amount)
}

/** Customers pay the first shop over its own merchant account, more than it has at the operator. */
export function payOverOwnConnection({ networks: outside, store }: Simulation): void {
  for (const { account } of store.shops[0]!.wallets)
    outside.send({
      network: OWN_CONNECTION,
      phonenumber: OWN_PHONE,
      currency: 'BXC',
      amount: parseAmount('1000')!,
      receiver: store.receivers.get(`${OWN_CONNECTION}:${account}`)!,
      order_reference: null,
      reference: null,
    })
}

/** The first shop hands over to the operator a part of what came over its own merchant account. */
export async function settleOwnMoney(world: Simulation): Promise<void> {
  const { random, store, clock } = world
  const crew = pickProcess(world)
  const [own] = await store.observer<{ float: Amount }[]>`
    select coalesce(-sum(balance), 0)::numeric(38,4) as float from accounts
    where connection = ${OWN_CONNECTION} and currency = 'BXC'`
  if (!crew || own!.float <= 0n) return
  const amount = random.pick([own!.float, own!.float / 4n + 1n])
  world.log(`the first shop hands over ${formatAmount(amount)}`)
  const entry = { connection: OWN_CONNECTION, currency: 'BXC', amount, description: 'Handed over' }
  world.startTask(crew, 'settle own money', async () => {
    await begin(crew.app.db, (tx) => settleFloat(tx, clock.now(), entry))
  })
}
