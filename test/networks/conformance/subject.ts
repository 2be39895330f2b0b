import { randomBytes, randomUUID } from 'node:crypto'
import { secretNames } from '../../../src/drivers/settings.ts'
import {
  type AnyNetworkDriver,
  type FailureReason,
  type NetworkTraits,
  type Order,
  type OrderKind,
  type Payout,
  type Refund,
  traitsFor,
} from '../../../src/networks/contract.ts'
import type { Door } from '../../../src/simulator/doors/door.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'
import type { SwitchValues } from '../../../src/simulator/world/world.ts'

/** A phone number or amount with which an order fails, and how the driver must report it. */
export interface Failing {
  /** E.164. */
  phonenumber: string
  reason: FailureReason
  /** The network's own code or word, where the driver reports it. */
  code?: string
}

/** Driver and simulated network under test. */
export interface ConformanceSubject {
  driver: AnyNetworkDriver
  door: Door
  environment: string
  /** The settings of a connection that the door accepts. */
  settings: Record<string, unknown>
  place: {
    /** Our till, short code or merchant number. */
    receiver: string
    currency: string
    /** An amount that this network takes, in whole units; 1500 unless given. */
    amount?: bigint
    /** A phone (E.164) whose number ends in these six digits. */
    phone(last_digits: string): string
  }
  /** The numbers with which each kind of order fails, at once or after a second. */
  failing: Partial<Record<OrderKind, readonly Failing[]>>
  /** A phone (E.164) for which a payout stays open for ever, where the network has one. */
  silent_payee?: string
  /** The seconds after which a network has ended an order to an ordinary number; 2 unless given. */
  ends_after_s?: number
  /** Kinds of orders whose reversal a driver learns from a status query or `transaction`. Empty: none. */
  sees_reversals?: readonly ('charge' | 'payout')[]
  /** Other verbs of the door than those that are usual: `charge`, `charge status`, `token`, `account holder`, … */
  verbs?: Record<string, string>
  /** Switches of the door that the suite runs with, one after another; the defaults unless given. */
  switches?: readonly SwitchValues[]
  /** False: the door does not send callbacks for this kind of order. */
  reports?: Partial<Record<OrderKind, boolean>>
  /** Tell the network where callbacks go, where calls do not say it: as its portal or a register call does. */
  register?(callback_url: string, simulator: Simulator): Promise<void> | void
}

export const ORDER_KINDS = ['charge', 'payout', 'refund'] as const

export function traitsOf({ driver }: ConformanceSubject, kind: OrderKind): NetworkTraits {
  return traitsFor(driver, kind)
}

/** A PIN of four digits is in ids and amounts by chance. */
const MIN_SECRET_LENGTH = 6

/** The values of the secret settings, which nothing may repeat. */
export function secretsOf({ driver, settings }: ConformanceSubject): string[] {
  const values = secretNames(driver).map((name) => settings[name])
  return values.flatMap((value) => (typeof value === 'string' && value.length >= MIN_SECRET_LENGTH ? [value] : []))
}

/** A new reference in the form of the driver. */
export function newReference(traits: NetworkTraits): string {
  if (traits.reference === 'uuid-v4') return randomUUID()
  const text = randomBytes(20).toString('hex')
  return traits.reference === 'ascii-12' ? text.slice(0, 12).toUpperCase() : text.slice(0, 25)
}

/** An order to this phone, with its own reference. */
export function newOrder(subject: ConformanceSubject, phonenumber: string): Order {
  const { receiver, currency, amount = 1_500n } = subject.place
  return {
    reference: newReference(traitsOf(subject, 'charge')),
    receiver,
    phonenumber,
    currency,
    amount: amount * 10_000n,
    reason: 'School fees',
    remote_id: null,
  }
}

/** A payout to this phone, with its own reference. */
export function newPayout(subject: ConformanceSubject, phonenumber: string): Payout {
  const { receiver: sender, ...order } = newOrder(subject, phonenumber)
  return { ...order, sender, kind: 'money', reference: newReference(traitsOf(subject, 'payout')) }
}

/** A refund of all that a charge has brought. */
export function newRefund(subject: ConformanceSubject, charge: Order, transaction: string): Refund {
  const { receiver: sender, reference, remote_id, ...order } = charge
  return {
    ...order,
    sender,
    remote_id: null,
    reference: newReference(traitsOf(subject, 'refund')),
    charge: { reference, remote_id, transaction, amount: charge.amount },
  }
}
