import { setImmediate } from 'node:timers/promises'
import type { Reader } from '../../../db/client.ts'
import { sql } from '../../../db/sql.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Phone } from '../../../lib/phone.ts'
import { readPlaceOf } from '../../access/places.ts'
import type { NoNetwork } from '../../connections/destinations.ts'
import { type Read, readPhone, readText } from '../../files/read-cells.ts'
import { type Account, listActiveWallets, receiversOf } from '../../ledger/accounts.ts'
import { calculateFee, findFee, readFees } from '../../ledger/fees.ts'
import { checkRecipient, type PayoutNetwork } from '../new-payment.ts'
import type { Column, PaymentCells } from './columns.ts'
import { amountKey, countryOfRow, readAmount } from './read-cells.ts'
import type { Problem, Warning } from './row.ts'

/** Chooses the network for a payout of an organization. `network_name`: the one that has said that it knows the phone. */
export type ChoosePayoutNetwork = (
  db: Reader,
  organization: number,
  phones: readonly string[],
) => Promise<(phonenumber: string, wallet: Account, amount: Amount) => PayoutNetwork | NoNetwork>

/** Choices for all rows of a file. */
export interface CheckContext {
  now: Date
  organization: number
  /** The wallet for rows that name none; null: the oldest in the currency of the row. */
  account: number | null
  chooseNetwork: ChoosePayoutNetwork
  /** The file whose rows these are, if it is stored: its own rows are no duplicates of others. */
  bulk_payment?: number
}

/** Checked row of a file. Unreadable values are null or empty. */
export interface CheckedRow {
  number: number
  cells: PaymentCells
  phonenumber: string | null
  name: string
  amount: Amount | null
  currency: string | null
  account: number | null
  description: string
  network: string | null
  fee: Amount | null
  problems: Problem[]
  warnings: Warning[]
}

/** Number of rows in each turn of the event loop, so that other requests are answered meanwhile. */
const ROWS_PER_TURN = 100

/** Checks the rows of a file: each cell, the network and its limits, and possible double payments. */
export async function checkRows(
  db: Reader,
  rows: readonly { number: number; cells: PaymentCells }[],
  context: CheckContext,
): Promise<CheckedRow[]> {
  const wallets = await listActiveWallets(db, [context.organization])
  const { country } = await readPlaceOf(db, context.organization)
  const read: ReadRow[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    read.push(readRow(row, { wallets, country, account: context.account }))
  }
  await addNetworks(db, read, context)
  await addFees(db, read, context)
  addTwiceInFile(read)
  await addPaidRecently(db, read, context)
  return read.map(({ wallet, phone, fee_network, ...row }) => row)
}

type ReadRow = CheckedRow & {
  wallet: Account | undefined
  phone: Phone | undefined
  /** The code of the network, by which it has its fee. */
  fee_network?: string
}

function readRow(
  { number, cells }: { number: number; cells: PaymentCells },
  { wallets, country, account }: { wallets: readonly Account[]; country: string | null; account: number | null },
): ReadRow {
  const problems: Problem[] = []
  const take = <Value>(column: Column, read: Read<Value>): Value | undefined => {
    if ('value' in read) return read.value
    problems.push({ column, message: read.message })
    return undefined
  }
  const wallet = chooseWallet(cells, wallets, account, take)
  const phone = take(
    'phone_number',
    readPhone(cells.phone_number, countryOfRow(cells.phone_number?.text ?? '', wallet, country)),
  )
  const amount = take('amount', readAmount(cells.amount, { currency: wallet?.currency, country }))
  return {
    number,
    cells,
    phonenumber: phone?.number ?? null,
    name: take('name', readText(cells.name, 200)) ?? '',
    amount: amount ?? null,
    currency: wallet?.currency ?? null,
    account: wallet?.id ?? null,
    description: take('reference', readText(cells.reference, 500)) ?? '',
    network: null,
    fee: null,
    problems,
    warnings: [],
    wallet,
    phone,
  }
}

type Take = <Value>(column: Column, read: Read<Value>) => Value | undefined

/** Chooses the wallet that the row names, else the file's, else the oldest in the currency of the row. */
function chooseWallet(
  cells: PaymentCells,
  wallets: readonly Account[],
  account: number | null,
  take: Take,
): Account | undefined {
  const name = take('wallet', readText(cells.wallet, 200))
  const currency = take('currency', readText(cells.currency, 10))?.toUpperCase()
  if (name === undefined || currency === undefined) return undefined
  const named = name === '' ? undefined : findWallet(wallets, name)
  if (name !== '' && !named) return take('wallet', { message: getMessage('wallets.none_named', { name }) })
  const chosen = named ?? wallets.find(({ id }) => id === account)
  if (chosen && (currency === '' || chosen.currency === currency)) return chosen
  if (named)
    return take('currency', {
      message: getMessage('wallets.named_currency', { name: named.name, currency: named.currency }),
    })
  if (currency === '') return take('currency', { message: getMessage('wallets.no_currency') })
  const oldest = wallets.find((wallet) => wallet.currency === currency && wallet.kind === 'local')
  return oldest ?? take('currency', { message: getMessage('wallets.none_in', { currency }) })
}

function findWallet(wallets: readonly Account[], name: string): Account | undefined {
  return (
    wallets.find(({ id }) => String(id) === name) ??
    wallets.find((one) => one.name.toLowerCase() === name.toLowerCase())
  )
}

async function addNetworks(db: Reader, rows: readonly ReadRow[], { organization, chooseNetwork }: CheckContext) {
  const phones = rows.flatMap(({ phonenumber }) => phonenumber ?? [])
  const networkFor = await chooseNetwork(db, organization, phones)
  const receivers = await receiversOf(db, [...new Set(rows.flatMap(({ account }) => account ?? []))])
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    const { phone, amount, wallet } = row
    if (!phone || amount === null || !wallet) continue
    const network = checkRecipient(phone, amount, wallet, networkFor)
    if (!('slug' in network))
      row.problems.push({ column: network.field === 'amount' ? 'amount' : 'phone_number', message: network.message })
    else if (!receivers.has(`${network.slug}:${wallet.id}`))
      row.problems.push({
        column: 'wallet',
        message: getMessage('wallets.no_sender'),
      })
    else {
      row.network = network.name
      row.fee_network = network.code
    }
  }
}

async function addFees(db: Reader, rows: readonly ReadRow[], { organization }: CheckContext): Promise<void> {
  const fees = (await readFees(db, [organization])).get(organization)!
  for (const row of rows) {
    const { network, fee_network = null, currency, amount } = row
    if (network === null || currency === null || amount === null) continue
    row.fee = calculateFee(findFee(fees, { kind: 'payment', currency, network: fee_network }), amount, currency)
  }
}

function addTwiceInFile(rows: readonly ReadRow[]): void {
  const known = rows.filter(({ phonenumber }) => phonenumber !== null)
  for (const same of Map.groupBy(known, ({ phonenumber }) => phonenumber).values()) {
    if (same.length < 2) continue
    const numbers = same.slice(0, MAX_NAMED + 1).map(({ number }) => number)
    for (const row of same)
      row.warnings.push({
        code: 'twice_in_file',
        rows: numbers.filter((number) => number !== row.number).slice(0, MAX_NAMED),
      })
  }
}

/** The others of a row are named up to this many. */
const MAX_NAMED = 5

/** Money of the same amount that was sent to the same number in this time, or will be sent, may be a mistake. */
export const RECENT_MS = 7 * 24 * 60 * 60 * 1_000

interface Paid {
  phonenumber: string
  currency: string
  amount: Amount
  payment: number | null
  bulk_payment: number | null
}

async function addPaidRecently(db: Reader, rows: readonly ReadRow[], context: CheckContext): Promise<void> {
  const phones = [...new Set(rows.flatMap(({ phonenumber }) => phonenumber ?? []))]
  if (phones.length === 0) return
  const { organization, bulk_payment = 0 } = context
  const since = new Date(context.now.getTime() - RECENT_MS)
  // Payments, and the rows of other files that were started and are no payments yet.
  const paid = await db<Paid[]>`
    select r.phonenumber, p.currency, r.amount, r.payment, null::bigint as bulk_payment
    from payment_recipients r join payments p on p.id = r.payment and p.organization = ${organization}
    where r.organization = ${organization} and r.phonenumber = any(${phones}::text[])
      and r.state not in ('error', 'aborted') and p.purpose = 'payment'
      and (p.created >= ${since} or r.sent_at >= ${since} or r.state <> 'complete')
      and ${
        bulk_payment === 0
          ? sql.always
          : sql`not exists (select 1 from bulk_payment_rows o
        where o.organization = ${organization} and o.bulk_payment = ${bulk_payment} and o.recipient = r.id)`
      }
    union all
    select o.phonenumber, o.currency, o.amount, null, o.bulk_payment
    from bulk_payment_rows o join bulk_payments b on b.id = o.bulk_payment and b.organization = ${organization}
    where o.organization = ${organization} and o.phonenumber = any(${phones}::text[]) and o.bulk_payment <> ${bulk_payment}
      and b.state in ('creating', 'stopped') and o.recipient is null and o.decision is distinct from 'skip'
      and o.problems = '[]' and b.started >= ${since}`
  const byKey = Map.groupBy(paid, (one) => amountKey(one.phonenumber, one.currency, one.amount))
  for (const row of rows) {
    if (row.phonenumber === null || row.amount === null || row.currency === null) continue
    const same = byKey.get(amountKey(row.phonenumber, row.currency, row.amount))
    if (same) row.warnings.push(paidWarning(same))
  }
}

function paidWarning(same: readonly Paid[]): Warning {
  // The newest, so that a new one is always among them.
  const named = (ids: (number | null)[]) =>
    [...new Set(ids.flatMap((id) => id ?? []))].sort((a, b) => b - a).slice(0, MAX_NAMED)
  return {
    code: 'paid_recently',
    payments: named(same.map(({ payment }) => payment)),
    bulk_payments: named(same.map(({ bulk_payment }) => bulk_payment)),
  }
}
