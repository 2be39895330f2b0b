import type { Tx } from '../db/client.ts'
import { parseAmount } from '../lib/money.ts'
import { assignReceiver, createAccount, fundAccount } from './accounts.ts'
import { allPermissions, createKey, isKey, listKeys } from './credentials.ts'
import {
  createOrganization,
  createUser,
  findUser,
  listOrganizations,
  type Organization,
  setMembership,
} from './organizations.ts'

/** What the demo organization starts with. A wallet must hold something before it may collect (interface 4.3.1). */
const WALLETS: [currency: string, funds: string][] = [
  ['BXC', '100000'],
  ['UGX', '10000000'],
  ['KES', '500000'],
  ['NGN', '5000000'],
]

const NAME = 'Demo Shop'
const OWNER = { name: 'Demo Owner', email: 'owner@demo.example' }

export interface Demo {
  organization: Organization
  /** The API key; null when it was made at an earlier start, because keys are shown once. */
  key: string | null
  owner: string
}

/**
 * The organization that the sandbox offers to newcomers: an owner, funded wallets in every currency and an API key.
 * Made once; later calls find it. A key that the operator names is made whenever it is missing.
 */
export async function ensureDemo(tx: Tx, now: Date, options: { network: string; api_key?: string }): Promise<Demo> {
  // Two processes that start at once must not both make it.
  await tx`select pg_advisory_xact_lock(hashtext('demo organization'))`
  const known = (await listOrganizations(tx)).find((one) => one.name === NAME)
  const organization = known ?? (await createOrganization(tx, now, NAME))
  const owner = (await findUser(tx, OWNER.email)) ?? (await createUser(tx, now, OWNER))
  if (!known) {
    await setMembership(tx, now, { organization: organization.id, user: owner.id, permissions: allPermissions })
    await openWallets(tx, now, organization, owner.id, options.network)
  }
  const keys = await listKeys(tx, organization.id)
  const wanted = options.api_key
  const has = wanted ? await isKey(tx, wanted) : keys.some((key) => key.name === 'demo' && !key.revoked)
  if (has) return { organization, key: wanted ?? null, owner: owner.email }
  const made = await createKey(tx, now, { organization: organization.id, user: owner.id, name: 'demo', key: wanted })
  return { organization, key: made.key, owner: owner.email }
}

async function openWallets(tx: Tx, now: Date, organization: Organization, author: number, network: string) {
  for (const [currency, funds] of WALLETS) {
    const account = await createAccount(tx, now, {
      organization: organization.id,
      currency,
      kind: 'local',
      name: `${currency} wallet`,
      author,
    })
    await fundAccount(tx, now, { account: account.id, amount: parseAmount(funds)!, description: 'Demo funds', author })
    await assignReceiver(tx, { network, number: String(100_000 + account.id), account: account.id })
  }
}
