import { type Connection, traitsOf } from '../../connections/connection.ts'
import { applyChargeAnswers, readWantedCharges } from '../../core/collections/attempts.ts'
import type {
  GivenAnswer,
  NetworkOrder,
  OrderAnswer,
  OrderKind,
  OrderRules,
  OrderUpdate,
} from '../../core/connections/network-orders.ts'
import type { Reader, Tx } from '../../db/client.ts'
import type { Order } from '../../lib/adapter-types.ts'
import type { NetworkOperations } from '../../networks/contract.ts'

/** The answer to one call for an order. */
export interface SettledOrder extends Omit<GivenAnswer, 'order'> {
  order: NetworkOrder
  connection: Connection
}

/** One call of a driver: the operation, for the log, and the call itself. */
export interface DriverCall {
  call: keyof NetworkOperations
  make(): Promise<OrderAnswer>
}

/** What the job of the orders needs to know about one kind of orders. */
export interface OrderKindRules {
  /** Sends an order, or makes the network's id of it where that is not known yet. Undefined: this connection cannot. */
  send(connection: Connection, order: NetworkOrder): DriverCall | undefined
  /** Asks about an order. Undefined: this connection cannot. */
  ask(connection: Connection, order: NetworkOrder): DriverCall | undefined
  /** The ids of the orders that are still to be sent. */
  readWanted(db: Reader, orders: readonly NetworkOrder[]): Promise<ReadonlySet<number>>
  /** Stores answers and everything that follows from them. Returns what has changed of the orders. */
  settle(tx: Tx, now: Date, answers: readonly SettledOrder[]): Promise<readonly OrderUpdate[]>
}

/** The kinds of orders that the job carries out. */
export const orderKindRules: Partial<Record<OrderKind, OrderKindRules>> = {
  charge: {
    send({ operations: { prepare, charge, registerExpectedPayment } }, order) {
      const wish = toCharge(order)
      if (prepare && order.remote_id === null) return { call: 'prepare', make: () => prepare(wish) }
      if (!order.prompt)
        return registerExpectedPayment && { call: 'registerExpectedPayment', make: () => registerExpectedPayment(wish) }
      return charge && { call: 'charge', make: () => charge(wish) }
    },
    ask: ({ operations: { chargeStatus } }, order) =>
      chargeStatus && { call: 'chargeStatus', make: () => chargeStatus(toCharge(order)) },
    readWanted: readWantedCharges,
    settle: (tx, now, answers) =>
      applyChargeAnswers(
        tx,
        now,
        answers.map(({ connection, ...answer }) => ({ ...answer, network: toNetwork(connection) })),
      ),
  },
}

/** A connection as core names it, with the template of its instructions. */
export function toNetwork({ slug, code, name, driver }: Connection) {
  return { slug, code, name, instructions: driver.instructions }
}

/** The order as a driver gets it. */
export function toCharge({
  reference,
  receiver,
  phonenumber,
  amount,
  currency,
  reason,
  remote_id,
}: NetworkOrder): Order {
  return { reference, receiver, phonenumber, amount, currency, reason, remote_id }
}

/** The most seconds that the process needs before and after a call, without the fetching of a token. */
const LEASE_MARGIN_S = 5

/** The most seconds that the fetching of an access token may take. */
const MAX_TOKEN_S = 15

/** For how many seconds orders are claimed: longer than a call may take, and the fetching of a token before it. */
export function leaseSeconds(connection: Connection, kind: OrderKind): number {
  const { call_s } = traitsOf(connection, kind)
  return call_s + Math.min(call_s, MAX_TOKEN_S) + LEASE_MARGIN_S
}

/** What core must know about the network to decide about an order. */
export function orderRules(connection: Connection, kind: OrderKind): OrderRules {
  const { repeat, unseen, in_flight_s, status_waits_s } = traitsOf(connection, kind)
  return { repeat, unseen, status_waits_s, in_flight_s: in_flight_s + leaseSeconds(connection, kind) }
}
