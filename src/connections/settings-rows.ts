import { type ConnectionRow, getConnection, type KeysFor, sealSecrets } from '../core/connections/connections.ts'
import type { Reader } from '../db/client.ts'
import { secretNames } from '../drivers/settings.ts'
import type { Providers } from './providers.ts'

/** The parts of the App that know the connections of the settings. */
interface SettingsApp {
  providers: Pick<Providers, 'drivers' | 'from_settings'>
  sealingKeys: KeysFor
}

/** A connection of the settings of this program in the form of a row. It is stored nowhere, and nothing can change it. */
const SETTINGS_ROW_ID = 0

/** The connections that the settings of this program make, as rows for lists, views and tests. */
export function rowsOfSettings({ providers, sealingKeys }: SettingsApp): ConnectionRow[] {
  return providers.from_settings().map((stored) => {
    const {
      slug,
      kind = 'sms',
      driver: code,
      environment,
      organization,
      hosts,
      callback_secret,
      state,
      priority,
    } = stored
    const { max_concurrent, max_per_second, allowed_networks = '', settings_read: read = new Date() } = stored
    const driver = providers.drivers.find((one) => one.code === code)!
    const secret_names = secretNames(driver)
    const values = Object.entries(stored.settings)
    const secrets = values.filter(([name]) => secret_names.includes(name))
    return {
      id: SETTINGS_ROW_ID,
      slug,
      kind,
      driver: code,
      allowed_networks,
      environment,
      organization,
      hosts,
      callback_secret,
      state,
      priority,
      max_concurrent,
      max_per_second,
      source: 'settings',
      last_test: null,
      version: 1,
      tested: null,
      created: read,
      modified: read,
      settings: Object.fromEntries(values.filter(([name]) => !secret_names.includes(name))),
      sealed_secrets: sealSecrets(sealingKeys, Object.fromEntries(secrets)),
    }
  })
}

/** Return true if the settings of this program make the connection. */
export function isFromSettings({ id }: Pick<ConnectionRow, 'id'>): boolean {
  return id === SETTINGS_ROW_ID
}

/** A stored connection, or one of the settings. @throws NotFound */
export async function findRow(app: SettingsApp, db: Reader, slug: string): Promise<ConnectionRow> {
  return rowsOfSettings(app).find((row) => row.slug === slug) ?? getConnection(db, slug)
}
