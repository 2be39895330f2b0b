import { findDemoOrganization } from '../src/cli/service/demo-organization.ts'
import { createKey } from '../src/core/access/api-keys.ts'
import { createOrganization } from '../src/core/access/organizations.ts'
import { fundAccount } from '../src/core/ledger/accounts.ts'
import { openSandboxWallet } from '../src/core/ledger/sandbox-wallets.ts'
import { begin, type Database, type Reader, type Tx } from '../src/db/client.ts'
import { parseAmount } from '../src/lib/money.ts'

/** An organization with an API key, and the wallet that its customers pay into. */
export interface Shop {
  key: string
  organization: number
  /** Id of its system user. */
  author: number
  account: number
  /** The receiver number of the wallet on the network. */
  receiver: string
  /** The wallet that pays for bills. */
  bill_account: number
}

export const CURRENCY = 'BXC'
export const BILL_CURRENCY = 'NGN'

/** The number of different customers. Each becomes a contact with the first request. */
export const CUSTOMERS = 10_000

/** A customer of one of the shops. */
export interface Customer {
  number: number
  phone: string
  shop: Shop
}

/** The last digits of the first customer's phone. */
export const FIRST_CUSTOMER = 10_010_000

/** Assign customers to shops in turn. */
export function assignCustomers(shops: readonly Shop[], customers = CUSTOMERS): Customer[] {
  return Array.from({ length: customers }, (_, number) => ({
    number,
    phone: `800${FIRST_CUSTOMER + number}`,
    shop: shops[number % shops.length]!,
  }))
}

/** Return `count` shops: the demo organization of the sandbox, and new ones like it. */
export async function openShops(db: Database, count: number, api_key: string): Promise<Shop[]> {
  const demo = await findDemoOrganization(db)
  const first = await readShop(db, demo!.id, api_key)
  const others: Shop[] = []
  for (let number = 2; number <= count; number += 1)
    others.push(await begin(db, (tx) => openShop(tx, `Shop ${number}`)))
  return [first, ...others]
}

async function openShop(tx: Tx, name: string): Promise<Shop> {
  const now = new Date()
  const { id: organization, service_user: user } = await createOrganization(tx, now, name)
  for (const currency of [CURRENCY, BILL_CURRENCY]) {
    const wallet = { organization, currency, kind: 'local' as const, name: currency, author: user }
    const { id } = await openSandboxWallet(tx, now, 'sandbox', wallet)
    await fundAccount(tx, now, { account: id, amount: parseAmount('5000000')!, description: 'Funds', author: user })
  }
  const { key } = await createKey(tx, now, { organization, user, name: 'bench' })
  return readShop(tx, organization, key)
}

async function readShop(db: Reader, organization: number, key: string): Promise<Shop> {
  const [row] = await db<Omit<Shop, 'key'>[]>`
    select a.organization, o.service_user as author, a.id as account, r.number as receiver, b.id as bill_account
    from accounts a join organizations o on o.id = a.organization join connection_places r on r.account = a.id
    join accounts b on b.organization = a.organization and b.currency = ${BILL_CURRENCY} and b.kind = 'local'
    where a.organization = ${organization} and a.currency = ${CURRENCY} and a.kind = 'local'`
  return { ...row!, key }
}
