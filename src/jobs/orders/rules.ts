import type { App } from '../../app.ts'
import type { BillConnection, Connection } from '../../connections/connection.ts'
import type { Lane, Release } from '../../connections/tools/index.ts'
import type { Purchase } from '../../core/bills/purchases.ts'
import type { Learnt, NetworkOrder, OrderAnswer, OrderKind, VendNews } from '../../core/connections/network-orders.ts'
import type { ClaimedOrder } from '../../core/connections/order-claims.ts'
import type { LearntAny } from '../../core/settlements/settle.ts'
import type { Reader } from '../../db/client.ts'

/** An account at a network or at a bill provider, to which orders go. */
export type AnyConnection = Connection | BillConnection

/** Answer of a network or a bill provider. */
type AnyAnswer = OrderAnswer | VendNews

/** Call of a driver: the operation, for the trace, and the call itself. */
export interface DriverCall<Answer = OrderAnswer> {
  call: string
  make(): Promise<Answer>
}

/** An order for a call; a vend with its purchase, as the claim has read it. */
export type CalledOrder = NetworkOrder & { purchase?: Purchase | undefined }

/** The kinds of orders of one connection that share their slots. */
export interface LaneOfConnection {
  connection: AnyConnection
  lane: Lane
  kinds: OrderKind[]
}

/** A claimed order with the slot for its call. */
export interface OrderCall {
  order: ClaimedOrder & CalledOrder
  connection: AnyConnection
  release: Release
}

/** News about an order from a call of ours, or the reason why none was made. */
export type CallResult<Answer> = Learnt<Answer | { outcome: 'not_asked' }>

/** Rules of one kind of orders for the job of the orders. */
export interface OrderKindRules<To extends AnyConnection = AnyConnection, Answer = AnyAnswer> {
  /** Facts about the calls: the seconds that one may take, and the id that a status query needs. */
  traits(connection: To): { call_s: number; asked_by: 'reference' | 'remote_id' }
  /** Sends an order, or makes the network's id of it where that is not known yet. Undefined: this connection cannot. */
  send(app: App, connection: To, order: CalledOrder): DriverCall<Answer> | undefined
  /** Asks about an order. Undefined: this connection cannot. */
  ask(app: App, connection: To, order: CalledOrder): DriverCall<Answer> | undefined
  /** The ids of the orders that are still to be sent. */
  readWanted(db: Reader, orders: readonly NetworkOrder[]): Promise<ReadonlySet<number>>
  /** Names what `settle` has to know besides the answer. */
  learn(app: App, connection: To, order: NetworkOrder, result: CallResult<Answer>): LearntAny
}
