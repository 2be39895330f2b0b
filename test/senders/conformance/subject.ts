import { randomBytes } from 'node:crypto'
import { secretNames } from '../../../src/drivers/settings.ts'
import type { AnySmsDriver, OutgoingSms, SmsFailureReason } from '../../../src/senders/contract.ts'
import type { Door } from '../../../src/simulator/doors/door.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'

/** Driver and simulated provider under test. */
export interface SmsSubject {
  driver: AnySmsDriver
  door: Door
  environment: string
  /** The settings of a connection that the door accepts. */
  settings: Record<string, unknown>
  /** Settings that the door refuses, and what the test of the connection must then name. */
  wrong_settings: readonly { settings: Record<string, unknown>; names: RegExp }[]
  /** A sender that the provider accepts. */
  sender: string
  /** Reasons for refusals of the call. Undefined: as the suite expects; `null`: this provider cannot give it. */
  refusals?: Partial<Record<keyof typeof usualRefusals, SmsFailureReason | null>>
  /** Reasons for failures after the call. Undefined: as the suite expects. */
  failures?: Partial<Record<keyof typeof usualFailures, SmsFailureReason>>
  /** False: the provider takes any sender. */
  checks_sender?: boolean
  /** The whole address of a call is a secret setting, because it may hold credentials. */
  secret_addresses?: boolean
  /** True if the answer names the SMS by an id of the provider. */
  gives_id: boolean
  /** The number at which a customer reaches the business; null if the driver reads no SMS of customers. */
  receives: string | null
  /** False: the provider is not reached over HTTP, so that answers cannot be changed on their way. */
  http?: boolean
  /** Return the hosts of a provider that a driver reaches otherwise than over the door's HTTP. */
  hosts?(simulator: Simulator): Record<string, string> | Promise<Record<string, string>>
  /** Tell the provider where callbacks go, where calls do not say it: as its portal does. */
  register?(callback_url: string, simulator: Simulator): Promise<void> | void
}

/** Phones whose SMS are refused at the call, and why. */
export const usualRefusals = {
  '000601': 'invalid_number',
  '000602': 'opted_out',
  '000603': 'no_credit',
  '000604': 'no_route',
  '000605': 'not_allowed',
} as const satisfies Record<string, SmsFailureReason>

/** Phones whose SMS are not delivered, and why. */
export const usualFailures = {
  '000611': 'unreachable',
  '000612': 'expired',
  '000613': 'rejected',
  '000614': 'opted_out',
  '000615': 'invalid_number',
} as const satisfies Record<string, SmsFailureReason>

/** A phone (E.164) whose number ends in these six digits. */
export function phone(last_digits: string): string {
  return `+256772${last_digits}`
}

/** A new SMS to this phone. */
export function newSms(subject: SmsSubject, phonenumber: string, body = 'Pay 1500 UGX with *165#.'): OutgoingSms {
  return {
    id: 1,
    reference: randomBytes(12).toString('hex'),
    phonenumber,
    body,
    sender: subject.sender,
    valid_s: 7_200,
  }
}

const MIN_SECRET_LENGTH = 6

/** The values of the secret settings, which nothing may repeat. */
export function secretsOf({ driver, settings }: Pick<SmsSubject, 'driver' | 'settings'>): string[] {
  const values = secretNames(driver).map((name) => settings[name])
  return values.flatMap((value) => (typeof value === 'string' && value.length >= MIN_SECRET_LENGTH ? [value] : []))
}
