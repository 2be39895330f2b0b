import type { Reader, Tx } from '../../db/client.ts'
import type { Effect, Query } from '../../db/unit-of-work.ts'
import type { PartialReversal } from '../../lib/adapter-types.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { findFloats } from './floats.ts'
import { requireOperatorMoney } from './operator-money.ts'
import {
  type CounterAccountKind,
  type CounterAccounts,
  findCounterAccounts,
  type HeldKind,
  moveMoney,
  type NewTransfer,
} from './transfers.ts'

/** Money that is reserved for an operation in progress, with the fee for the operation. */
export interface Hold {
  /** The operation, unique for ever, such as `payment:7`. */
  reference: string
  kind: Exclude<HeldKind, 'service_charge'>
  organization: number
  /** The wallet that pays. */
  account: number
  /** The slug of the connection whose float the money leaves; null if it leaves none, as for bills. */
  connection: string | null
  currency: string
  amount: Amount
  /** Zero if there is no fee. */
  fee: Amount
  description: string
  author: number
}

/**
 * Holds money: moves it from the wallet to the account for held money, and the fee in a separate transfer. Write the
 * rows of the operations in the same transaction, and always lock those rows before the accounts.
 * @param accounts result of `heldAccounts`, for callers that can ask before they know the holds
 * @throws Invalid if the balance of a wallet is too low, or if money of own connections would leave over the operator's
 */
export async function holdMoney(tx: Tx, now: Date, holds: readonly Hold[], accounts?: CounterAccounts): Promise<void> {
  if (holds.length === 0) return
  const held = accounts ? finderIn(accounts) : await counterAccountFinder(tx, 'held', holds)
  await moveMoney(
    tx,
    now,
    holds.flatMap((hold) =>
      toTransfers(hold).map((part) => ({
        ...part,
        reference: `hold:${part.reference}`,
        kind: `${part.kind}_hold` as const,
        from_account: hold.account,
        to_account: held(hold),
      })),
    ),
  )
  await requireOperatorMoney(tx, holds)
}

/** The accounts for held money of an organization, among those of all organizations that are asked for. */
export const heldAccounts: Query<number, CounterAccounts> = {
  async read(tx, organizations) {
    const found = await findCounterAccounts(tx, 'held', organizations)
    return new Map(organizations.map((organization) => [organization, found]))
  },
}

/** Money to hold, with the accounts that were read for it. */
export const heldMoney: Effect<{ hold: Hold; accounts: CounterAccounts }> = {
  write(tx, now, held) {
    const known = new Set(held.map(({ accounts }) => accounts))
    const accounts = new Map([...known].flatMap((one) => [...one]))
    return holdMoney(
      tx,
      now,
      held.map(({ hold }) => hold),
      accounts,
    )
  },
}

/** Spends held money: the amount leaves the float of its connection; the fee goes to the fee account. */
export function settleHolds(tx: Tx, now: Date, holds: readonly Hold[]): Promise<void> {
  return endHolds(tx, now, { settled: holds, released: [] })
}

/** Returns held money: amount and fee go back to the wallet. */
export function releaseHolds(tx: Tx, now: Date, holds: readonly Hold[]): Promise<void> {
  return endHolds(tx, now, { settled: [], released: holds })
}

/** Money that was spent and came back to the wallet. */
interface HoldReversal {
  hold: Hold
  /** Parts that came back, each once by its id. */
  parts: readonly PartialReversal[]
  /** Amount that came back besides the parts; zero if nothing did. */
  rest: Amount
  /** True if everything has come back now. Then the fee comes back as well. */
  whole: boolean
}

/**
 * Settles, releases and reverses holds in one call, so that the accounts are locked once. Two calls in one transaction
 * could deadlock with another transaction.
 * @param ends.retaken holds that were released earlier and whose money was spent after all: amount and fee are taken
 *   from the wallet again, which may overdraw it
 * @param ends.reversed holds that were spent, in this call or earlier, and whose money came back
 * @param ends.further transfers that belong to the same change, such as a network's charge for it
 */
export async function endHolds(
  tx: Tx,
  now: Date,
  ends: {
    settled: readonly Hold[]
    released: readonly Hold[]
    retaken?: readonly Hold[]
    reversed?: readonly HoldReversal[]
    further?: readonly NewTransfer[]
  },
): Promise<void> {
  const { settled, released, retaken = [], reversed = [], further = [] } = ends
  const spending = [...settled, ...retaken, ...reversed.map(({ hold }) => hold)]
  if (spending.length + released.length === 0) return moveMoney(tx, now, further)
  const [held, external, fees] = await Promise.all([
    counterAccountFinder(tx, 'held', [...settled, ...released]),
    spentAccountFinder(tx, now, spending),
    counterAccountFinder(
      tx,
      'fees',
      spending.filter(({ fee }) => fee !== 0n),
    ),
  ])
  const spentAccount = (hold: Hold, part: HoldTransfer) =>
    part.kind === 'service_charge' ? fees(hold) : external(hold)
  const spent = settled.flatMap((hold) =>
    toTransfers(hold).map((part) => ({
      ...part,
      reference: endReference(part.reference),
      from_account: held(hold),
      to_account: spentAccount(hold, part),
    })),
  )
  const returned = released.flatMap((hold) =>
    toTransfers(hold).map((part) => ({
      ...part,
      reference: endReference(part.reference),
      kind: `${part.kind}_release` as const,
      from_account: held(hold),
      to_account: hold.account,
    })),
  )
  const spent_late = retaken.flatMap((hold) =>
    toTransfers(hold).map((part) => ({
      ...part,
      reference: lateReference(part.reference),
      from_account: hold.account,
      to_account: spentAccount(hold, part),
    })),
  )
  const reversals = reversed.flatMap((reversal) =>
    toReversalTransfers(reversal).map((part) => ({
      ...part,
      kind: `${part.kind}_reversal` as const,
      from_account: spentAccount(reversal.hold, part),
      to_account: reversal.hold.account,
    })),
  )
  // The fee account may have been emptied meanwhile, so a reversal may overdraw it. The wallet may be empty when it turns out
  // that the network has sent the money.
  const overdraw = reversals.length + spent_late.length > 0
  await moveMoney(tx, now, [...spent, ...returned, ...spent_late, ...reversals, ...further], { overdraw })
}

/**
 * Returns the references of all transfers by which a hold may change its wallet, with those of parts that came back.
 */
export function walletReferences(
  { reference, fee }: Pick<Hold, 'reference' | 'fee'>,
  parts: readonly string[],
): string[] {
  const whole = [reference, ...(fee === 0n ? [] : [feeReference(reference)])].flatMap((base) => [
    `hold:${base}`,
    endReference(base),
    lateReference(base),
    reversalReference(base),
  ])
  return [...whole, ...parts.map((remote_id) => partReference(reference, remote_id))]
}

/**
 * Settling and releasing a hold use the same reference, and the ledger accepts a reference only once. So held money is
 * never both spent and returned, even if other code fails.
 */
function endReference(reference: string): string {
  return `end:${reference}`
}

/** Spends money that was released. The ledger accepts it once, like the end of the hold. */
function lateReference(reference: string): string {
  return `late:${reference}`
}

function reversalReference(reference: string): string {
  return `reversal:${reference}`
}

function partReference(reference: string, remote_id: string): string {
  return `${reversalReference(reference)}:part:${remote_id}`
}

function feeReference(reference: string): string {
  return `${reference}:fee`
}

/** The transfers of a reversal: each part, the rest, and the fee when everything has come back. */
function toReversalTransfers({ hold, parts, rest, whole }: HoldReversal): HoldTransfer[] {
  const [money, fee] = toTransfers(hold)
  const transfers: HoldTransfer[] = parts.map(({ remote_id, amount }) => ({
    ...money!,
    reference: partReference(hold.reference, remote_id),
    amount,
    description: `Reversal of a part: ${hold.description}`,
  }))
  if (rest > 0n) transfers.push({ ...money!, reference: reversalReference(hold.reference), amount: rest })
  if (whole && fee) transfers.push({ ...fee, reference: reversalReference(fee.reference) })
  return transfers
}

type HoldTransfer = Pick<NewTransfer, 'reference' | 'currency' | 'amount' | 'description' | 'author'> & {
  kind: HeldKind
}

/** The transfers of a hold: one for the amount, and one for the fee if there is a fee. */
function toTransfers(hold: Hold): HoldTransfer[] {
  const { reference, kind, currency, amount, fee, description, author } = hold
  const whole: HoldTransfer = { reference, kind, currency, amount, description, author }
  if (fee === 0n) return [whole]
  const fee_fields = { reference: feeReference(reference), amount: fee, description: `Fee: ${description}` }
  return [whole, { ...whole, ...fee_fields, kind: 'service_charge' }]
}

/** Finds the accounts of these holds; without holds it asks nothing. */
async function counterAccountFinder(
  tx: Tx,
  kind: CounterAccountKind,
  holds: readonly Hold[],
): Promise<(hold: Hold) => number> {
  const organizations = holds.map((hold) => hold.organization)
  return finderIn(organizations.length === 0 ? new Map() : await findCounterAccounts(tx, kind, organizations))
}

function finderIn(accounts: CounterAccounts): (hold: Hold) => number {
  return (hold) => accounts.get(`${hold.organization}:${hold.currency}`)!
}

/**
 * Returns a function that finds the account of a spent hold: the float of its connection, or the operator's entries.
 */
async function spentAccountFinder(tx: Tx, now: Date, holds: readonly Hold[]): Promise<(hold: Hold) => number> {
  const with_float = holds.flatMap(({ connection, ...hold }) => (connection === null ? [] : [{ ...hold, connection }]))
  const others = holds.filter(({ connection }) => connection === null)
  const [floats, external] = await Promise.all([
    findFloats(tx, now, with_float),
    counterAccountFinder(tx, 'external', others),
  ])
  return (hold) => (hold.connection === null ? external(hold) : floats({ ...hold, connection: hold.connection }))
}

/**
 * Describes the faults of money on hold, in sentences; empty when it matches the needs of open payments and bill
 * purchases.
 */
export async function checkHolds(db: Reader): Promise<string[]> {
  const rows = await db<{ organization: number; currency: string; held: Amount; needed: Amount }[]>`
    select a.organization, a.currency, a.balance as held, coalesce(n.needed, 0)::numeric(38,4) as needed
    from accounts a left join (
      select organization, currency, sum(needed) as needed from (
        select organization, currency, amount + fee as needed from bill_purchases where status = 'pending'
        union all
        select r.organization, p.currency, r.amount + r.fee from payment_recipients r join payments p on p.id = r.payment
        where r.state not in ('complete', 'error', 'aborted')) open
      group by organization, currency) n on n.organization = a.organization and n.currency = a.currency
    where a.kind = 'held' and a.balance <> coalesce(n.needed, 0)
    order by a.id`
  return rows.map(
    ({ organization, currency, held, needed }) =>
      `Organization ${organization} has ${currency} ${displayAmount(held)} on hold, and its open payments and bill purchases need ${displayAmount(needed)}.`,
  )
}
