import type { z } from 'zod'
import type {
  CallTraits,
  Driver,
  DriverOperations,
  DriverTools,
  OpenedConnection,
  OpeningTools,
} from '../drivers/contract.ts'
import type { RawCallback } from '../drivers/raw-callback.ts'
import type { BillKind, UnknownOutcome, VendAnswer, VendCheck } from '../lib/adapter-types.ts'
import type { Amount } from '../lib/money.ts'
import type { AccountHolderLookup, Vend } from './biller.ts'

export {
  type BillKind,
  billKinds,
  type Pin,
  type VendAnswer,
  type VendCheck,
  type VendDetails,
  type VendedGoods,
  type VendFailureReason,
  vendFailureReasons,
} from '../lib/adapter-types.ts'

/*
 * A bill driver speaks the protocol of one bill provider. A connection is one account of ours there, with a float that
 * pays for each vend. As with networks, operations do not throw for outside events.
 */

/** Facts about a bill provider that decide how the service may handle a vend. */
export interface BillTraits extends CallTraits {
  /**
   * Effect of a second call under the same reference. `same-answer`: the provider returns the existing vend. `refused`:
   * it refuses the call and keeps the vend. `sells-again`: it may sell twice, so there is never a second call.
   */
  repeat: 'same-answer' | 'refused' | 'sells-again'
  /** Meaning of `not_found` after `in_flight_s`: proof that a vend never arrived, or nothing. */
  unseen: 'certain' | 'never-certain'
  /** Seconds in which a sent vend may still arrive. It is longer than `call_s`. */
  in_flight_s: number
  /** True if calls for one vend must never overlap, because the provider's own check of references is not atomic. */
  one_call_at_a_time: boolean
  /**
   * The provider's name of a vend has the time at which it was sent. Where this time is lost, as after a restore, `not_found`
   * proves nothing.
   */
  named_by_time?: true
  /** Id that a status query needs: the provider's, or our reference. */
  asked_by: 'reference' | 'remote_id'
}

/** Product of a provider, with the provider's names. */
export interface ProviderProduct {
  kind: BillKind
  /** ISO 3166-1. */
  country: string
  /** ISO 4217: the currency in which the customer's amount is given. */
  currency: string
  /** The provider's own name of the service, such as `ikeja-electric` or `341`. */
  remote_service: string
  /** The provider's own name of a product with a fixed price, such as a bouquet; null if the amount is free. */
  remote_product: string | null
  name: string
  /** The fixed price; null if the amount is free. */
  price: Amount | null
  min: Amount | null
  max: Amount | null
  /** Commission for us, in percent of the amount, if the provider states it. */
  commission_percent: string | null
  is_available: boolean
}

/** Offer of a connection for one of our products, with the provider's names from the catalogue. */
interface ProviderOffer {
  remote_service: string
  remote_product: string | null
}

/** Purchase at a provider. */
export interface ProviderVend extends Vend {
  /** ISO 3166-1 and ISO 4217 of the service that is bought. */
  country: string
  currency: string
  offer: ProviderOffer
  /** Time of the purchase. It never changes, so a driver may derive the provider's own form of reference from it. */
  created: Date
  /** The provider's own id, once it is known. */
  remote_id: string | null
}

/** Content of a callback. An unverified callback only causes a status query, whose answer counts. */
export type BillCallback =
  | {
      subject: 'vend'
      vend: { reference: string } | { remote_id: string }
      verified: boolean
      answer: VendAnswer | null
    }
  | { subject: 'catalogue'; verified: boolean }
  | { subject: 'unrecognized'; message: string; verified?: boolean }

/** Query for the holder of an account at a provider. */
export interface ProviderAccountQuery {
  kind: BillKind
  country: string
  offer: ProviderOffer
  account_number: string
  /** Electricity: whether the meter is prepaid. */
  prepaid: boolean | null
}

export type CatalogueAnswer = { outcome: 'found'; products: readonly ProviderProduct[] } | UnknownOutcome

/** The operations of one bill connection. */
export interface BillOperations extends DriverOperations {
  vend(order: ProviderVend, tools: DriverTools): Promise<VendAnswer>
  vendStatus(order: ProviderVend, tools: DriverTools): Promise<VendCheck>
  accountHolder?(query: ProviderAccountQuery, tools: DriverTools): Promise<AccountHolderLookup>
  /** Everything that this account can sell, with today's prices. */
  catalogue?(tools: DriverTools): Promise<CatalogueAnswer>
  readCallback?(callback: RawCallback): BillCallback
}

/** The driver of a bill provider. */
interface BillDriver<Settings = never> extends Driver<Settings> {
  traits: BillTraits
  /** ISO 3166-1 of the countries in which it sells; null for many, which `catalogue` names. */
  countries: readonly string[] | null
  /** True if it speaks our own interface, and so sells our catalogue under our names, without offers. */
  sells_by_our_names?: true
  open(connection: OpenedConnection<Settings>, tools: OpeningTools): BillOperations
}

/** A driver with the type of its settings hidden, as lists hold it. */
export type AnyBillDriver = BillDriver<never>

/** Define a driver. It only gives `open` the type of the settings. */
export function defineBillProvider<Schema extends z.ZodObject>(
  driver: Omit<BillDriver<z.output<Schema>>, 'settings'> & { settings: Schema },
): AnyBillDriver {
  return driver as unknown as AnyBillDriver
}
