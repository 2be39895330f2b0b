import { resolve } from 'node:path'
import { type ChecklistItem, readChecklist } from '../core/connections/checklist.ts'
import type { Database } from '../db/client.ts'
import type { DiskWatch } from '../lib/disk-space.ts'
import type { Providers } from './providers.ts'
import { isPublicHttps } from './test-connection.ts'

/** Parts of the App that show the missing steps for going live. */
interface GoLiveApp {
  db: Database
  config: {
    MODE: 'sandbox' | 'live'
    PUBLIC_URL?: string | undefined
    DATABASE_URL?: string | undefined
    DATA_DIR: string
    TRUST_PROXY: string
    COLLECTION_CURRENCIES: readonly string[]
  }
  disk: DiskWatch | null
  mailer: unknown
  sms_sender: { code: string }
  providers: Providers
}

/** Return the completed and missing steps for going live. */
export async function openChecklist({
  db,
  config,
  disk,
  mailer,
  sms_sender,
  providers,
}: GoLiveApp): Promise<ChecklistItem[]> {
  const { MODE: mode, PUBLIC_URL: public_url = null, DATABASE_URL, DATA_DIR } = config
  return readChecklist(db, {
    mode,
    public_url,
    is_public_https: public_url !== null && isPublicHttps(public_url),
    trusts_proxy: config.TRUST_PROXY !== 'off' && config.TRUST_PROXY !== 'false',
    has_mail: mailer !== null,
    has_sms: sms_sender.code !== 'none' || providers.from_settings().length > 0,
    collection_currencies: config.COLLECTION_CURRENCIES,
    data_folder: DATABASE_URL ? null : resolve(DATA_DIR),
    disk: (await disk?.look()) ?? null,
    network_names: Object.fromEntries(providers.drivers.map(({ code, name }) => [code, name])),
    live_environments: providers.drivers.flatMap(({ code, environments }) =>
      Object.entries(environments).flatMap(([name, { live }]) => (live ? [`${code}:${name}`] : [])),
    ),
  })
}
