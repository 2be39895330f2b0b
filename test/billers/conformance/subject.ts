import { randomUUID } from 'node:crypto'
import type {
  AnyBillDriver,
  ProviderAccountQuery,
  ProviderVend,
  VendFailureReason,
} from '../../../src/billers/contract.ts'
import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import { secretNames } from '../../../src/drivers/settings.ts'

/** Driver and provider under test. */
export interface BillSubject {
  driver: AnyBillDriver
  environment: string
  /** The settings of a connection that the provider accepts. */
  settings: Record<string, unknown>
  open(): Promise<FarSide>
  /** Default purchase. It is sold at once or soon. Each call uses another account. */
  order(): VendParts
  /** A purchase of prepaid electricity, where the provider sells it. */
  electricity?(): VendParts
  /** A purchase that is open for a while, and sold then. */
  pending?(): VendParts
  /** Purchases that fail, and how the driver must report them. */
  refused: readonly { name: string; order(): VendParts; reason: VendFailureReason }[]
  /** Settings that the provider refuses, with words that `test` must say. */
  wrong: readonly { change: Record<string, unknown>; says: RegExp }[]
  /** An account that has a holder, and one that has none. */
  holders?: { known: ProviderAccountQuery; unknown: ProviderAccountQuery }
  /** Give a callback a wrong signature; missing if nobody signs. */
  forge?(callback: RawCallback): RawCallback
}

/** The provider at the other end. */
export interface FarSide {
  hosts: Record<string, string>
  now(): Date
  advance(seconds: number): Promise<void>
  /** Return the number of sales of an order. */
  sold(order: ProviderVend): Promise<number>
  /** Empty our float there, or fill it again. */
  setFloat?(state: 'empty' | 'full'): Promise<void>
  /** Callbacks at the driver's address, oldest first. */
  callbacks: RawCallback[]
  callback_base(): string
  close(): Promise<void>
}

/** Fields that differ between orders. */
export type VendParts = Pick<ProviderVend, 'kind' | 'country' | 'currency' | 'offer' | 'account_number' | 'amount'> &
  Partial<ProviderVend>

/** An order with its own reference. */
export function toOrder(parts: VendParts, now: Date): ProviderVend {
  return {
    reference: newReference(),
    service_type: parts.offer.remote_service,
    phone: '08031234567',
    details: {},
    scenario: null,
    created: now,
    remote_id: null,
    ...parts,
  }
}

/** A reference as purchases have them. */
export function newReference(): string {
  return `KB${randomUUID().replaceAll('-', '')}`
}

/** The values of the secret settings, which nothing may repeat. */
export function secretsOf({ driver, settings }: BillSubject): string[] {
  return secretNames(driver).flatMap((name) => (typeof settings[name] === 'string' ? [settings[name]] : []))
}
