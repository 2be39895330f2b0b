import { readFile } from 'node:fs/promises'
import { createKey, keyExists } from '../../core/access/api-keys.ts'
import {
  createUser,
  findUser,
  listMembers,
  listOrganizations,
  type Organization,
  type User,
} from '../../core/access/organizations.ts'
import { SANDBOX_PLACE } from '../../core/access/places.ts'
import { type CatalogueFile, readCatalogueFile } from '../../core/bills/catalogue-file.ts'
import { hasCatalogue, importCatalogue } from '../../core/bills/catalogue-import.ts'
import { connectSandboxNetworks } from '../../core/connections/sandbox-networks.ts'
import { readFlag, setFlag } from '../../core/flags.ts'
import { fundAccount } from '../../core/ledger/accounts.ts'
import { openSandboxWallet } from '../../core/ledger/sandbox-wallets.ts'
import type { Reader, Tx } from '../../db/client.ts'
import { parseAmount } from '../../lib/money.ts'
import { createOwnedOrganization, type OwnedOrganization } from './first-organization.ts'

/** The first wallets of the demo organization. A wallet must hold money before it can collect (interface 4.3.1). */
const DEMO_WALLETS: [currency: string, funds: string][] = [
  ['BXC', '100000'],
  ['UGX', '10000000'],
  ['KES', '500000'],
  ['NGN', '5000000'],
]

/** The name of the sandbox's organization, unless `init` has asked for another. */
export const DEMO_ORGANIZATION_NAME = 'Demo Shop'
const DEMO_OWNER = { name: 'Demo Owner', email: 'owner@demo.example' }

export interface Demo {
  organization: Organization
  owner: User
}

/**
 * Create the demo organization of the sandbox: an owner, funded wallets in every currency, this API key, and a
 * catalogue of bill services unless one was imported. Later calls find it, and create the key if it is missing.
 * @param options.first the name and the owner of an organization that takes the place of the demo organization, if
 * there is none yet
 */
export async function ensureDemo(
  tx: Tx,
  now: Date,
  options: { connection: string; api_key: string; first?: OwnedOrganization },
): Promise<Demo> {
  // Only one of two processes that start at the same time may create it.
  await tx`select pg_advisory_xact_lock(hashtext('demo organization'))`
  const existing = await findDemoOrganization(tx)
  const { organization, owner } = existing
    ? { organization: existing, owner: await findOwner(tx, now, existing) }
    : await createFirst(tx, now, options.first)
  if (!existing) await openWallets(tx, now, organization, owner.id, options.connection)
  // A later version may bring a network.
  else await connectSandboxNetworks(tx, now)
  if (!(await hasCatalogue(tx))) await importSandboxCatalogue(tx, now)
  if (!(await keyExists(tx, options.api_key)))
    await createKey(tx, now, { organization: organization.id, user: owner.id, name: 'demo', key: options.api_key })
  return { organization, owner }
}

/** The demo organization, or the one that `init` has made in its place, if it exists. */
export async function findDemoOrganization(db: Reader): Promise<Organization | undefined> {
  const chosen = await readFlag(db, 'sandbox_organization')
  return (await listOrganizations(db)).find((one) =>
    chosen === null ? one.name === DEMO_ORGANIZATION_NAME : one.id === Number(chosen),
  )
}

/** The name and the owner of the organization that `init` has made in the place of the demo organization; undefined if it has not. */
export async function readChosenFirst(db: Reader): Promise<OwnedOrganization | undefined> {
  const organization = await findDemoOrganization(db)
  const owner = organization && (await findChosenOwner(db, organization))
  return owner && { name: organization.name, owner: { name: owner.name, email: owner.email } }
}

async function findChosenOwner(db: Reader, organization: Organization): Promise<User | undefined> {
  const chosen = await readFlag(db, 'sandbox_owner')
  return chosen === null
    ? undefined
    : (await listMembers(db, organization.id)).find(({ id: member }) => member === Number(chosen))
}

async function findOwner(tx: Tx, now: Date, organization: Organization): Promise<User> {
  return (
    (await findChosenOwner(tx, organization)) ??
    (await findUser(tx, DEMO_OWNER.email)) ??
    (await createUser(tx, now, DEMO_OWNER))
  )
}

async function createFirst(tx: Tx, now: Date, chosen: OwnedOrganization | undefined): Promise<Demo> {
  const first = { place: SANDBOX_PLACE, ...(chosen ?? { name: DEMO_ORGANIZATION_NAME, owner: DEMO_OWNER }) }
  const created = await createOwnedOrganization(tx, now, first, await findUser(tx, first.owner.email))
  if (chosen) {
    await setFlag(tx, 'sandbox_organization', String(created.organization.id))
    await setFlag(tx, 'sandbox_owner', String(created.owner.id))
  }
  return created
}

/** The sandbox's own services and prices, and airtime in 20 more countries. A live installation imports its own catalogue. */
const SANDBOX_CATALOGUE = new URL('../../core/bills/catalogues/sandbox.json', import.meta.url)
const AIRTIME_CATALOGUE = new URL('../../core/bills/catalogues/airtime.json', import.meta.url)

async function importSandboxCatalogue(tx: Tx, now: Date): Promise<void> {
  const [{ categories, services }, more] = [
    await readOwnCatalogue(SANDBOX_CATALOGUE),
    await readOwnCatalogue(AIRTIME_CATALOGUE),
  ]
  const all = Map.groupBy([...services, ...more.services], ({ category }) => category)
  await importCatalogue(tx, now, { categories, services: categories.flatMap(({ code }) => all.get(code) ?? []) })
}

async function readOwnCatalogue(file: URL): Promise<CatalogueFile> {
  const result = readCatalogueFile(await readFile(file, 'utf8'))
  if ('errors' in result) throw new Error(`The sandbox catalogue has errors: ${JSON.stringify(result.errors)}`)
  return result.catalogue
}

async function openWallets(tx: Tx, now: Date, organization: Organization, author: number, connection: string) {
  for (const [currency, funds] of DEMO_WALLETS) {
    const wallet = {
      organization: organization.id,
      currency,
      kind: 'local' as const,
      name: `${currency} wallet`,
      author,
    }
    const account = await openSandboxWallet(tx, now, connection, wallet)
    await fundAccount(tx, now, { account: account.id, amount: parseAmount(funds)!, description: 'Demo funds', author })
  }
}
