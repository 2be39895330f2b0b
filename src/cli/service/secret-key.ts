import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { SECOND_FACTOR_PURPOSE } from '../../core/access/second-factors.ts'
import { type EncryptedColumn, registerSecretKey } from '../../core/access/secret-key.ts'
import { SIGNING_KEY_PURPOSE } from '../../core/access/signing-users.ts'
import { WEBHOOK_KEY_PURPOSE } from '../../core/events/webhooks.ts'
import { begin } from '../../db/client.ts'
import { WrongSetting } from '../../lib/wrong-setting.ts'

/** Every column with values that are encrypted with SECRET_KEY. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'webhooks', column: 'secret', purpose: WEBHOOK_KEY_PURPOSE, what: 'secrets of webhooks' },
  { table: 'webhooks', column: 'previous_secret', purpose: WEBHOOK_KEY_PURPOSE, what: 'previous secrets of webhooks' },
  {
    table: 'webhook_credentials',
    column: 'encrypted_credentials',
    purpose: WEBHOOK_KEY_PURPOSE,
    what: 'credentials of webhooks',
  },
  {
    table: 'signing_users',
    column: 'encrypted_secret',
    purpose: SIGNING_KEY_PURPOSE,
    what: 'secrets of signing users',
  },
  { table: 'users', column: 'totp_secret', purpose: SECOND_FACTOR_PURPOSE, what: 'second factors' },
]

/** Checks that this SECRET_KEY belongs to the database. @throws WrongSetting with what to do */
export async function requireSecretKey(app: App): Promise<void> {
  const unknown = await begin(app.db, (tx) =>
    registerSecretKey(tx, app.clock.real(), app.deriveSecret, encryptedColumns),
  )
  if (unknown === null) return
  const known = unknown.known.length > 0 ? `, and the database knows ${unknown.known.join(', ')}` : ''
  throw new WrongSetting(
    `${nameOfKey(app)} is not the key of this database: its secrets were encrypted with another one (this key is ${unknown.id}${known}). ${adviceFor(app)}`,
  )
}

function nameOfKey({ config }: App): string {
  return config.SECRET_KEY ? 'SECRET_KEY' : `The file ${resolve(config.DATA_DIR, 'secret-key')}`
}

function adviceFor({ config }: App): string {
  if (config.SECRET_KEY)
    return 'Start with the SECRET_KEY that was used before. If it is lost, `npx kusanya secret-key accept` says what is lost with it, and continues with this one.'
  return 'Put the earlier file back, or set SECRET_KEY to the same value on all machines. `npx kusanya sandbox reset` begins again with empty data.'
}
