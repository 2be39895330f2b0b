import { randomBytes } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { insert } from '../../db/table.ts'
import { lockConnections } from './changes-lock.ts'
import { type ConnectionRow, connectionTable } from './connections.ts'

/** The connection to the sandbox's own network, which carries everything that no other connection carries. */
export const SANDBOX_NETWORK = 'sandbox'

/** A real network that the sandbox simulates. Its driver is the one that runs in live mode. */
export interface SandboxNetwork {
  /** The slug of its connection. */
  slug: string
  driver: string
  /** The environment of the driver in which the simulated network replaces the real one. */
  environment: string
  /** The currency of the wallets that use it. */
  currency: string
  /** Number of ours there, if the network must know it; the one on the sandbox's own network unless given. */
  number?: string
}

/** The real networks of the sandbox. */
export const sandboxNetworks: readonly SandboxNetwork[] = [
  { slug: 'sandbox-mtn', driver: 'mtn-momo', environment: 'simulated', currency: 'UGX' },
  { slug: 'sandbox-airtel', driver: 'airtel-money', environment: 'simulated', currency: 'UGX' },
  { slug: 'sandbox-daraja', driver: 'daraja', environment: 'sandbox', currency: 'KES', number: '600000' },
]

/** Simulated bill providers of the sandbox. Their drivers are the same as in live mode. */
export const sandboxBillProviders = [
  { slug: 'sandbox-vtpass', driver: 'vtpass', environment: 'simulated' },
  { slug: 'sandbox-reloadly', driver: 'reloadly', environment: 'simulated' },
] as const satisfies readonly Omit<SandboxNetwork, 'currency'>[]

/** Connections that an operator has added are preferred to these, and these to the sandbox's own network. */
export const SANDBOX_NETWORK_PRIORITY = 900

/** The slugs of the connections that come with the sandbox. */
export const builtInSlugs: readonly string[] = [
  SANDBOX_NETWORK,
  ...[...sandboxNetworks, ...sandboxBillProviders].map(({ slug }) => slug),
]

/** True if a connection comes with the sandbox. Nobody can change its settings. */
export function isBuiltIn(slug: string): boolean {
  return builtInSlugs.includes(slug)
}

/**
 * Lets every wallet of the sandbox use the simulated networks of its currency, under the number that it has on the
 * sandbox's own network. Existing entries stay as they are.
 */
export async function connectSandboxNetworks(tx: Tx, now: Date): Promise<void> {
  await lockConnections(tx)
  await addBuiltIn(tx, now, sandboxNetworks)
  const networks = rows(sandboxNetworks, { slug: 'text', currency: 'text', number: 'text' })
  // Only the sandbox's own network reports unsolicited payments.
  await tx`
    insert into connection_places (connection, number, account, currency, country, collects, pays_out, unrequested)
    select n.slug, coalesce(n.number, p.number), p.account, p.currency, null, true, true, false
    from connection_places p join ${networks.as('n')} on n.currency = p.currency
    where p.connection = ${SANDBOX_NETWORK}
    on conflict do nothing`
}

/**
 * Stores the connections to the simulated bill providers, which are used once they are stored.
 * @returns the slugs of those that are new
 */
export async function connectSandboxBillProviders(tx: Tx, now: Date): Promise<string[]> {
  await lockConnections(tx)
  return addBuiltIn(tx, now, sandboxBillProviders, { kind: 'bills' })
}

/** Stores connections that come with the sandbox. @returns the slugs of those that are new */
export async function addBuiltIn(
  tx: Tx,
  now: Date,
  connections: readonly Pick<ConnectionRow, 'slug' | 'driver' | 'environment'>[],
  options: Partial<Pick<ConnectionRow, 'kind' | 'priority'>> = {},
): Promise<string[]> {
  const inserted = await tx<{ slug: string }[]>`
    ${insert(connectionTable, connections, {
      kind: options.kind ?? 'network',
      organization: null,
      sealed_secrets: null,
      callback_secret: () => randomBytes(16).toString('hex'),
      priority: options.priority ?? SANDBOX_NETWORK_PRIORITY,
      state: 'active',
      created: now,
      modified: now,
    })}
    on conflict (slug) do nothing returning slug`
  return inserted.map(({ slug }) => slug)
}
