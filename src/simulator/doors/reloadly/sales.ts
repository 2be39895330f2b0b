import { randomInt } from 'node:crypto'
import { type Amount, parseAmount, shortAmount } from '../../../lib/money.ts'
import type { Outcome, Payout } from '../../world/world.ts'
import { type ReloadlyWorld, WALLET, WALLET_CURRENCY } from './switches.ts'

/** Data of a sale besides its money. It can be stored as JSON. */
export interface SaleDetails {
  /** Identifier as the business wrote it; null if absent. */
  identifier: string | null
  /** Of the operator or biller. */
  seller: number
  account: string
  country: string
  /** Requested amount, as a decimal. */
  amount: string
  currency: string
  /** Amount that reaches the customer. */
  delivered: string
  delivered_currency: string
  ends: 'SUCCESSFUL' | 'FAILED' | 'REFUNDED'
  /** True if the sale is PROCESSING before it ends. */
  open: boolean
  /** The token or pin. */
  code: string | null
  units: string | null
  old_balance: string
}

type SaleKind = 'topup' | 'bill'

/** A sale with its details. */
export interface Sale {
  payout: Payout
  details: SaleDetails
}

/** Return the end that a test number gives a sale; undefined for ordinary numbers. */
export function endingOf(number: string): string | undefined {
  return /9000\d\d$/.exec(number)?.[0]
}

export function endOf(number: string): Pick<SaleDetails, 'ends' | 'open'> {
  const ending = endingOf(number)
  if (ending === '900001') return { ends: 'FAILED', open: false }
  if (ending === '900002') return { ends: 'REFUNDED', open: false }
  return { ends: 'SUCCESSFUL', open: ending === '900003' }
}

/** Find all sales with this identifier, oldest first. A search ignores case; the duplicate check does not. */
export async function findSales(world: ReloadlyWorld, kind: SaleKind, identifier: string): Promise<Sale[]> {
  const found: Sale[] = []
  for (;;) {
    const payout = await world.findPayout({ key: keyOf(kind, identifier, found.length) })
    if (!payout) return found
    found.push(toSale(payout))
  }
}

export async function findSale(world: ReloadlyWorld, kind: SaleKind, id: string): Promise<Sale | undefined> {
  const payout = await world.findPayout({ remote_id: id })
  return payout?.key.startsWith(`${kind}/`) ? toSale(payout) : undefined
}

/**
 * Write a sale down and take its price. `only_one`: there is none where one with this identifier is there already.
 * Otherwise each call is a sale, which is the trap of Reloadly.
 */
export async function writeSale(
  world: ReloadlyWorld,
  kind: SaleKind,
  details: SaleDetails,
  price: { cost: Amount; after_s: number; only_one: boolean },
): Promise<Sale | undefined> {
  const id = newId(world.real())
  const outcome = toOutcome(details, price.after_s)
  for (let number = 0; ; number += 1) {
    const placed = await world.placePayout({
      key: details.identifier === null ? `${kind}/#${id}` : keyOf(kind, details.identifier, number),
      remote_id: id,
      kind: 'airtime',
      sender: WALLET,
      currency: WALLET_CURRENCY,
      amount: price.cost,
      outcome,
      phonenumber: phoneOf(details.account),
      reason: String(details.seller),
      details: details as unknown as Record<string, unknown>,
    })
    if (placed.outcome === 'accepted' && placed.first) return toSale(placed.order)
    if (placed.outcome === 'not_accepted' || price.only_one) return undefined
  }
}

function keyOf(kind: SaleKind, identifier: string, number: number): string {
  return `${kind}/${Buffer.from(identifier.toLowerCase()).toString('base64url')}/${number}`
}

function toOutcome({ ends }: SaleDetails, after_s: number): Outcome {
  return ends === 'SUCCESSFUL'
    ? { ends: 'paid', after_s }
    : { ends: 'failed', reason: 'rejected', message: 'UNABLE_TO_PROCESS_PAYMENT', code: ends, after_s }
}

function toSale(payout: Payout): Sale {
  return { payout, details: payout.details as unknown as SaleDetails }
}

/** The state of a sale now. */
export function statusOf({ payout, details }: Sale): string {
  return details.open && payout.state === 'pending' ? 'PROCESSING' : details.ends
}

/** The balance before and after a sale. What failed costs nothing. */
export function balancesOf({ payout, details }: Sale): { before: Amount; after: Amount; cost: Amount } {
  const before = parseAmount(details.old_balance)!
  const cost = details.ends === 'SUCCESSFUL' ? payout.amount : 0n
  return { before, after: before - cost, cost }
}

/** The world wants a phone. Meters have none. */
function phoneOf(account: string): string {
  return /^\+?\d{7,15}$/.test(account) ? `+${account.replace('+', '')}` : '+10000000'
}

/** Eight or more digits, never used twice. */
function newId(now: Date): string {
  return `${now.getTime() % 10 ** 10}${String(randomInt(10 ** 5)).padStart(5, '0')}`.replace(/^0+/, '1')
}

/** A decimal without zeros at its end. */
export function shortDecimal(amount: Amount): string {
  return shortAmount(amount)
}
