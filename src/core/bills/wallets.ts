import type { Reader } from '../../db/client.ts'
import { type Account, listActiveWallets } from '../ledger/accounts.ts'
import type { TransferKind } from '../ledger/transfers.ts'

/** Country and currency of services whose catalogue has none: Nigeria, as in the original interface. */
export const DEFAULT_COUNTRY = 'NG'
export const BILL_CURRENCY = 'NGN'

/**
 * The wallet that pays the bills of an organization in a currency: its oldest active local one, or undefined. Money of another
 * currency is never converted.
 */
export async function findBillWallet(
  db: Reader,
  organization: number,
  currency = BILL_CURRENCY,
): Promise<Account | undefined> {
  const [wallet] = await findBillWallets(db, [{ organization, currency }])
  return wallet
}

/** The wallets that pay the bills of these organizations in these currencies, in their order. */
export async function findBillWallets(
  db: Reader,
  payers: readonly { organization: number; currency: string }[],
): Promise<(Account | undefined)[]> {
  const wallets = await listActiveWallets(db, [...new Set(payers.map(({ organization }) => organization))])
  return payers.map(({ organization, currency }) =>
    wallets.find((one) => one.organization === organization && one.currency === currency && one.kind === 'local'),
  )
}

/** The time of the last deposit into a wallet from outside, or null. */
export async function findLastDepositTime(db: Reader, account: number): Promise<Date | null> {
  const [row] = await db<{ created: Date }[]>`
    select created from transfers where to_account = ${account} and kind = any(${DEPOSIT_KINDS}::text[])
    order by id desc limit 1`
  return row?.created ?? null
}

const DEPOSIT_KINDS: TransferKind[] = ['admin_funds_update', 'mobile_collection']
