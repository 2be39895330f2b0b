import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import type { EncryptedColumn } from '../../core/access/sealed-values.ts'
import { SECOND_FACTOR_PURPOSE } from '../../core/access/second-factors.ts'
import { type KeyFault, registerSecretKey } from '../../core/access/secret-key.ts'
import { SIGNING_KEY_PURPOSE } from '../../core/access/signing-users.ts'
import { PAGE_KEY_PURPOSE } from '../../core/checkout/payment-pages.ts'
import { CONNECTION_SECRETS } from '../../core/connections/connections.ts'
import { WEBHOOK_KEY_PURPOSE } from '../../core/events/webhooks.ts'
import { begin } from '../../db/client.ts'
import { WrongSetting } from '../../lib/wrong-setting.ts'

/** Columns with values that are encrypted with SECRET_KEY. `secrets rotate` re-encrypts them all. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'webhooks', key: 'id', column: 'secret', purpose: WEBHOOK_KEY_PURPOSE, what: 'secrets of webhooks' },
  {
    table: 'webhooks',
    key: 'id',
    column: 'previous_secret',
    purpose: WEBHOOK_KEY_PURPOSE,
    what: 'previous secrets of webhooks',
  },
  {
    table: 'webhook_credentials',
    key: 'organization',
    column: 'encrypted_credentials',
    purpose: WEBHOOK_KEY_PURPOSE,
    what: 'credentials of webhooks',
  },
  {
    table: 'signing_users',
    key: 'id',
    column: 'encrypted_secret',
    purpose: SIGNING_KEY_PURPOSE,
    what: 'secrets of signing users',
  },
  { table: 'users', key: 'id', column: 'totp_secret', purpose: SECOND_FACTOR_PURPOSE, what: 'second factors' },
  {
    table: 'connections',
    key: 'id',
    column: 'sealed_secrets',
    purpose: CONNECTION_SECRETS,
    what: 'secrets of connections',
  },
  {
    table: 'control_changes',
    key: 'id',
    column: 'sealed',
    purpose: CONNECTION_SECRETS,
    what: 'secrets of connections in pending changes',
  },
  {
    table: 'payment_pages',
    key: 'organization',
    column: 'sealed_secret',
    purpose: PAGE_KEY_PURPOSE,
    what: 'secrets of payment links',
  },
]

/** Check that this SECRET_KEY belongs to the database. @throws WrongSetting with advice */
export async function requireSecretKey(app: App): Promise<void> {
  const fault = await begin(app.db, (tx) => registerSecretKey(tx, app.clock.real(), app.sealingKeys, encryptedColumns))
  if (fault) throw new WrongSetting(`${describeFault(app, fault)} ${adviceFor(app, fault)}`)
}

function describeFault(app: App, fault: KeyFault): string {
  const name = nameOfKey(app)
  const { SECRET_KEY_PREVIOUS: previous } = app.config
  if (fault.reason === 'unfinished') {
    const list = fault.unreadable.map(({ what, count }) => `${count} ${what}`).join(', ')
    return `${list} were encrypted with another key than ${previous ? `${name} and SECRET_KEY_PREVIOUS` : name}.`
  }
  const known = fault.known.length > 0 ? `, and the database knows ${fault.known.join(', ')}` : ''
  const subject = previous ? `${name} is not the key of this database, nor is SECRET_KEY_PREVIOUS` : name
  const verb = previous ? '' : ' is not the key of this database'
  return `${subject}${verb}: its secrets were encrypted with another one (this key is ${fault.id}${known}).`
}

function nameOfKey({ config }: App): string {
  return config.SECRET_KEY ? 'SECRET_KEY' : `The file ${resolve(config.DATA_DIR, 'secret-key')}`
}

function adviceFor({ config }: App, { reason }: KeyFault): string {
  if (reason === 'unfinished')
    return 'Start with that key as SECRET_KEY_PREVIOUS and run `npx kusanya secrets rotate`. If it is lost, `npx kusanya secret-key accept` says what is lost with it, and continues without.'
  if (config.SECRET_KEY)
    return 'Start with the SECRET_KEY that was used before; a new one needs it as SECRET_KEY_PREVIOUS. If it is lost, `npx kusanya secret-key accept` says what is lost with it, and continues with this one.'
  return 'Put the earlier file back, or set SECRET_KEY to the same value on all machines. `npx kusanya sandbox reset` begins again with empty data.'
}
