import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '../../../config.ts'
import { listOrganizations } from '../../../core/access/organizations.ts'
import { hasDatabase } from '../../../db/embedded/folder.ts'
import { CommandError } from '../../errors.ts'
import type { Installation } from './answers.ts'
import type { Setting } from './settings-files.ts'

type Environment = Record<string, string | undefined>

/** The variables of the environment itself. Those of the file were added to it, and are taken out again. */
export function settingsOutside(environment: Environment, file: Environment | undefined): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name, value]) => file?.[name] !== value))
}

/** Settings that a person may have given for this one command; without them in the file the next command would look elsewhere. */
const ALSO_KEPT: readonly [name: string, comment: string][] = [
  ['HOST', 'The address that the service listens on.'],
  ['PORT', 'The port that the service listens on.'],
  ['DATA_DIR', 'The folder of the data.'],
]

/**
 * Return the settings of `.env`. The secret key comes from the environment or an earlier file, so that its encrypted
 * data stays readable; else it is `new_key`.
 */
export function hereSettings(input: {
  installation: Installation
  currency: string | null
  outside: Environment
  folder: string
  earlier: Environment | undefined
  new_key: string
}): Setting[] {
  const { installation, currency, outside, folder, earlier, new_key } = input
  const { mode, public_url, database_url } = installation
  const data_dir = resolve(folder, outside.DATA_DIR ?? earlier?.DATA_DIR ?? './data')
  const has_own_key = mode === 'sandbox' && existsSync(join(data_dir, 'secret-key'))
  const known_key = outside.SECRET_KEY || earlier?.SECRET_KEY
  const kept = ALSO_KEPT.map(([name, comment]) => ({ name, value: outside[name] || earlier?.[name], comment }))
  return [
    { name: 'MODE', value: mode, comment: 'sandbox: no real money moves. A database belongs to one mode for ever.' },
    { name: 'PUBLIC_URL', value: public_url, comment: 'How networks and customers reach the service.' },
    {
      name: 'TRUST_PROXY',
      value: outside.TRUST_PROXY || earlier?.TRUST_PROXY || (public_url?.startsWith('https:') ? '127.0.0.1' : null),
      comment: 'The proxy on this machine that speaks TLS. Only its forwarded headers count.',
    },
    { name: 'DATABASE_URL', value: database_url, comment: 'A PostgreSQL of your own.' },
    {
      name: 'SECRET_KEY',
      value: known_key ?? (has_own_key ? null : new_key),
      comment: 'Encrypts stored secrets. Keep a copy on another machine: without it they are lost.',
    },
    {
      name: 'COLLECTION_CURRENCIES',
      value: collectionCurrencies(currency) ?? outside.COLLECTION_CURRENCIES ?? earlier?.COLLECTION_CURRENCIES,
      comment: 'The currencies of collection requests.',
    },
    ...kept,
  ]
}

/** A random secret of 256 bits. */
export function generateSecret(): string {
  return randomBytes(32).toString('hex')
}

/** The setting COLLECTION_CURRENCIES for a currency that its default does not have; null if the default does. */
export function collectionCurrencies(currency: string | null): string | null {
  const { COLLECTION_CURRENCIES } = readConfig({})
  if (currency === null || COLLECTION_CURRENCIES.includes(currency)) return null
  return [...COLLECTION_CURRENCIES, currency].join(',')
}

/** Content of the database in the settings. */
export interface DataState {
  has_organization: boolean
}

/**
 * Look at the database before anything is written. A new one is not created.
 * @param options.has_new_key whether the secret key of these settings has just been made
 * @throws CommandError when the data was encrypted with another key, WrongSetting, UnsuitableDatabase, and errors of
 * the database
 */
export async function inspectData(
  environment: Environment,
  { folder, has_new_key }: { folder: string; has_new_key: boolean },
): Promise<DataState> {
  const config = readConfig(environment)
  if (!config.DATABASE_URL && !hasDatabase(resolve(folder, config.DATA_DIR))) return { has_organization: false }
  const { buildApp, checkDatabase } = await import('../../../app.ts')
  const { createLog } = await import('../../service/log.ts')
  const app = await buildApp(config, await createLog(config, 'command'))
  try {
    await checkDatabase(app)
    const [table] = await app.db<{ is_there: boolean }[]>`select to_regclass('organizations') is not null as is_there`
    const organizations = table!.is_there ? await listOrganizations(app.db) : []
    if (has_new_key && organizations.length > 0)
      throw new CommandError(
        'There is data of Kusanya in this database already, and its SECRET_KEY is not known here. Nothing was written: run this again with SECRET_KEY in the environment.',
      )
    return { has_organization: organizations.length > 0 }
  } finally {
    await app.close()
  }
}
