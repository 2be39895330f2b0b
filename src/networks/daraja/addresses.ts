import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { forbiddenWords } from '../../lib/http/forbidden-words.ts'
import { isWithin, parseRanges } from '../../lib/http/ip-addresses.ts'
import type { DarajaConnection, Opened } from './settings.ts'

/*
 * Daraja signs nothing. Each address that we give out for one order or query ends with a proof. Only we can make the
 * proof, and only Safaricom sees it.
 */

/**
 * Purpose of an address. `charge`: the end of a prompt. `result` and `refund`: the end of a payout or a reversal.
 * `timeout`: one of these waited too long in the queue, which says nothing about the money. `status`, `transaction` and
 * `balance`: answers to our queries. `unanswered`: a query waited too long. The last two are registered once for the
 * short code, so they have no proof.
 */
const purposes = [
  'charge',
  'result',
  'refund',
  'timeout',
  'status',
  'transaction',
  'balance',
  'unanswered',
  'confirmation',
  'validation',
] as const
export type Purpose = (typeof purposes)[number]

/** The address at which Daraja reports about an order. */
export function orderAddress(opened: Opened, purpose: Purpose, reference: string): string {
  const proof = proofOf(opened.connection, purpose, reference)
  return opened.tools.callbackUrl(toSegment(reference), `${purpose}-${proof}`)
}

/** Return the address for Daraja's answer to a query that belongs to no order; `subject` is its object. */
export function queryAddress({ connection, tools }: Opened, purpose: Purpose, subject = ''): string {
  const about = subject === '' ? '' : `-${toHex(subject)}`
  return tools.callbackUrl(null, `${purpose}${about}-${proofOf(connection, purpose, subject)}`)
}

/** Return an address that is registered for the short code. */
export function registeredAddress({ tools }: Opened, purpose: 'confirmation' | 'validation'): string {
  return tools.callbackUrl(null, purpose)
}

/** Parsed address of a callback. */
export interface ReadAddress {
  purpose: Purpose
  /** Our reference of the order, or the object of a query. */
  subject: string
  /** The address is one that we gave out: its proof is right. */
  is_ours: boolean
  /** The sender is one of Safaricom's addresses; null if that is not checked or no longer known. */
  from_safaricom: boolean | null
}

/** Read the address of a callback. Undefined for one of another form. */
export function readAddress(connection: DarajaConnection, { path, address }: RawCallback): ReadAddress | undefined {
  const [first = '', second, ...others] = path.split('/').filter(Boolean)
  const parts = ADDRESS_END.exec(second ?? first)
  const purpose = purposes.find((one) => one === parts?.[1])
  if (!purpose || others.length > 0) return undefined
  const subject = second === undefined ? fromHex(parts?.[2] ?? '') : fromSegment(first)
  const is_ours = isSame(parts?.[3] ?? '', proofOf(connection, purpose, subject))
  return { purpose, subject, is_ours, from_safaricom: isFromSafaricom(connection, address) }
}

/** End of an address: the purpose, in hexadecimal the subject of a query, and the proof. */
const ADDRESS_END = /^([a-z]+)(?:-([0-9a-f]*))??(?:-([0-9a-f]{32}))?$/

function proofOf({ settings }: DarajaConnection, purpose: Purpose, subject: string): string {
  const mac = createHmac('sha256', settings.consumer_secret).update(`callback ${purpose} ${subject}`)
  return mac.digest('hex').slice(0, PROOF_LENGTH)
}

const PROOF_LENGTH = 32

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function isFromSafaricom({ settings }: DarajaConnection, address: string | null): boolean | null {
  const ranges = parseRanges(settings.sender_addresses)
  return address === null || !ranges ? null : isWithin(address, ranges)
}

/** A reference as a part of an address. One that spells a word that Daraja refuses is written in hexadecimal. */
function toSegment(reference: string): string {
  return forbiddenWords(reference).length > 0 || reference.startsWith(HEX_MARK)
    ? HEX_MARK + toHex(reference)
    : reference
}

function fromSegment(segment: string): string {
  return segment.startsWith(HEX_MARK) ? fromHex(segment.slice(HEX_MARK.length)) : segment
}

const HEX_MARK = 'hex.'
const toHex = (text: string) => Buffer.from(text).toString('hex')
const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString()
