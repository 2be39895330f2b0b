import { randomBytes } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { lockConnections } from './changes-lock.ts'
import {
  type ConnectionRow,
  type ConnectionState,
  connectionTable,
  type KeysFor,
  listConnections,
  sealSecrets,
  unsealSecrets,
} from './connections.ts'

/*
 * Connections that the settings of the service describe, such as UPSTREAM_URL. Each start stores the settings, so that
 * lists, tests, health and floats know them like any other connection. Nothing else changes their settings.
 */

/** A connection that settings describe. */
export interface SettingsConnection {
  slug: string
  kind: ConnectionRow['kind']
  driver: string
  environment: string
  hosts: Record<string, string>
  settings: Record<string, unknown>
  secrets: Record<string, unknown>
  priority: number
  /** True if the settings want it to get new orders. */
  is_used: boolean
}

/** After the connections that people have made. */
export const SETTINGS_PRIORITY = 1_000

/**
 * Stores the connections of the settings, and removes those that the settings have no more. One that people have paused stays
 * paused as long as the settings use it.
 * @returns the slugs that are taken by connections of people, so that the settings do not count
 */
export async function storeSettingsConnections(
  tx: Tx,
  now: Date,
  keysFor: KeysFor,
  described: readonly SettingsConnection[],
): Promise<string[]> {
  await lockConnections(tx)
  const stored = await listConnections(tx, { removed: true })
  const gone = stored.filter(
    ({ slug, source, state }) =>
      source !== 'person' && state !== 'removed' && !described.some((one) => one.slug === slug),
  )
  for (const { id } of gone) await tx`update connections set state = 'removed', modified = ${now} where id = ${id}`
  const taken: string[] = []
  for (const one of described) {
    const row = stored.find(({ slug }) => slug === one.slug)
    if (row?.source === 'person' && row.state !== 'removed') taken.push(one.slug)
    else await store(tx, now, keysFor, one, row)
  }
  return taken
}

async function store(
  tx: Tx,
  now: Date,
  keysFor: KeysFor,
  described: SettingsConnection,
  row: ConnectionRow | undefined,
): Promise<void> {
  const { driver, environment, hosts, settings, secrets, is_used } = described
  const source = is_used ? 'settings' : 'unused_settings'
  if (!row) {
    await tx`
      ${insert(connectionTable, [described], {
        kind: ({ kind }) => kind,
        organization: null,
        hosts,
        settings,
        sealed_secrets: sealSecrets(keysFor, secrets),
        callback_secret: randomBytes(24).toString('hex'),
        max_concurrent: MAX_CALLS.concurrent,
        max_per_second: MAX_CALLS.per_second,
        priority: ({ priority }) => priority,
        state: is_used ? 'active' : 'paused',
        source,
        created: now,
        modified: now,
      })}`
    return
  }
  const is_same = contentOf({ ...row, secrets: readSecrets(keysFor, row) }) === contentOf(described)
  const state = nextState(row, is_used)
  if (is_same && state === row.state && source === row.source) return
  await tx`
    update connections set driver = ${driver}, environment = ${environment}, hosts = ${sql.json(hosts)},
      settings = ${sql.json(settings)}, state = ${state}, source = ${source}, modified = ${now},
      sealed_secrets = ${is_same ? row.sealed_secrets : sealSecrets(keysFor, secrets)},
      last_test = ${is_same && row.last_test ? sql.json(row.last_test) : null}, tested = ${is_same ? row.tested : null}
    where id = ${row.id}`
}

/** The settings limit nothing, as before they were connections. */
const MAX_CALLS = { concurrent: 10_000, per_second: 100_000 }

function nextState({ state, source }: ConnectionRow, is_used: boolean): ConnectionState {
  if (!is_used) return 'paused'
  return source === 'settings' && state !== 'removed' ? state : 'active'
}

/** Undefined if this SECRET_KEY cannot read them: then they are written again. */
function readSecrets(keysFor: KeysFor, { sealed_secrets }: ConnectionRow): Record<string, unknown> | undefined {
  try {
    return unsealSecrets(keysFor, sealed_secrets)
  } catch {
    return undefined
  }
}

function contentOf({
  driver,
  environment,
  hosts,
  settings,
  secrets,
}: Omit<SettingsConnection, 'slug' | 'kind' | 'priority' | 'is_used' | 'secrets'> & {
  secrets: Record<string, unknown> | undefined
}): string {
  return JSON.stringify([driver, environment, hosts, settings, secrets ?? null])
}
