import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { lastDrawnId } from '../../db/drawn-ids.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt, encrypt, type SealingKeys } from '../../lib/secrets.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { choiceError, documented, fieldMessages, id, requiredText, text, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { targetUrlError } from '../target-urls.ts'

/** Interface 2.3. */
export const Webhook = z
  .object({
    id,
    user: documented(id, 'The user who created it.'),
    event: documented(z.string(), 'The event type that it receives.', 'collection.received'),
    created: timestamp,
    updated: timestamp,
    target: documented(z.string(), 'The URL that notifications are sent to.', 'https://shop.example/notifications'),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

/**
 * The body of a notification (interface 4.2). Both parts are JSON text already, so that the object is sent byte for byte as
 * it was recorded.
 */
export function notificationBody(hook: string, data: string): string {
  return `{"hook":${hook},"data":${data}}`
}

/** The body of a test notification: marked, because it is signed as the others are. */
export function testNotificationBody(hook: string, data: string): string {
  return `{"hook":${hook},"data":${data},"test":true}`
}

const webhookTable = table('webhooks', {
  id: column.id(),
  organization: column.bigint(),
  user: column.bigint(),
  event: column.text(),
  created: column.timestamptz(),
  updated: column.timestamptz(),
  target: column.text(),
  failing_since: column.timestamptz().later(),
  /** Description that people wrote. */
  description: column.text().nullable(),
  /** Time since when nothing is sent to it; null: it is not paused. */
  paused: column.timestamptz().later(),
  /** Id of the first webhook of its endpoint; null for that one. */
  endpoint: column.bigint().later(),
  token: column.text(),
  secret: column.text(),
  previous_secret: column.text().later(),
  previous_secret_expires: column.timestamptz().later(),
  position: column.bigint(),
  leased_until: column.timestamptz().later(),
  deleted: column.timestamptz().later(),
})
const shown = webhookTable.omit(
  'endpoint',
  'token',
  'secret',
  'previous_secret',
  'previous_secret_expires',
  'position',
  'leased_until',
  'deleted',
)

/** A webhook as stored, without its secrets. */
export interface WebhookRow extends Row<typeof shown> {
  /** Id of the first webhook of its endpoint. */
  endpoint: number
}

const typeTable = table('webhook_types', {
  webhook: column.bigint().key(),
  after: column.bigint().key(),
  type: column.text(),
  until: column.bigint().later(),
})

const credentialTable = table('webhook_credentials', {
  organization: column.bigint().key(),
  encrypted_credentials: column.text(),
  modified: column.timestamptz(),
})

/** The purpose of the key that encrypts the secrets and credentials of webhooks. */
export const WEBHOOK_KEY_PURPOSE = 'webhooks'

const MAX_TARGET_LENGTH = 2_000
const MAX_DESCRIPTION_LENGTH = 200

/** Event type that this installation offers to webhooks. */
export function offeredEvent(events: readonly string[]) {
  return z
    .string({ error: choiceError(events) })
    .trim()
    .refine((event) => events.includes(event), {
      error: (issue) => (issue.input === '' ? fieldMessages.not_blank : fieldMessages.choice(issue.input, events)),
    })
}

/** The URL that notifications are sent to, in a body. */
export const webhookTarget = requiredText(MAX_TARGET_LENGTH)
  .transform((target) => target.trim())
  .superRefine((target, context) => {
    const message = target === '' ? undefined : targetUrlError(target)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Description that people write of a webhook; null if empty. */
export const webhookDescription = text(MAX_DESCRIPTION_LENGTH).transform((description) => description.trim() || null)

/** The request body that creates a webhook (interface 4.2). `events` are the types that this installation offers. */
export function newWebhookBody(events: readonly string[]) {
  return z
    .object({
      event: offeredEvent(events).meta({ examples: [events[0]], description: `One of ${events.join(', ')}.` }),
      target: webhookTarget.meta({ examples: ['https://shop.example/notifications'], description: 'An https URL.' }),
    })
    .meta({ id: 'NewWebhook' })
}

export type NewWebhook = Pick<WebhookRow, 'organization' | 'user' | 'event' | 'target'> &
  Partial<Pick<WebhookRow, 'description'>>

/** Creates a webhook with a new secret, encrypted with `sealing_keys`. */
export async function createWebhook(
  tx: Tx,
  now: Date,
  input: NewWebhook,
  sealing_keys: SealingKeys,
): Promise<WebhookRow> {
  const at = truncateToSecond(now)
  const [row] = await tx<WebhookRow[]>`
    ${insert(webhookTable, [input], {
      token: generateToken(),
      secret: encrypt(sealing_keys, generateSecret()),
      position: sql`(select ${lastDrawnId()} from events_id_seq)`,
      created: at,
      updated: at,
    })}
    returning ${webhookColumns()}`
  await beginType(tx, row!)
  return row!
}

export interface WebhookFilters {
  user?: number
  event?: string
}

export interface WebhookPageOptions {
  limit: number
  offset: number
  field: 'id' | 'created' | 'updated'
  descending: boolean
}

/** Lists one page of an organization's webhooks, with their exact count. */
export async function listWebhooks(
  db: Reader,
  organization: number,
  filters: WebhookFilters,
  page: WebhookPageOptions,
): Promise<{ rows: WebhookRow[]; count: number }> {
  const where = sql`organization = ${organization} and deleted is null
    and ${filters.user === undefined ? sql.always : sql`"user" = ${filters.user}`}
    and ${filters.event === undefined ? sql.always : sql`event = ${filters.event}`}`
  const direction = page.descending ? sql`desc` : sql`asc`
  const [rows, [total]] = await Promise.all([
    db<WebhookRow[]>`select ${webhookColumns()} from webhooks where ${where}
      order by ${sql.identifier(page.field)} ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from webhooks where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** The webhook with this id, of any organization. The caller distinguishes 403 from 404. Deleted webhooks are not found. */
export async function findWebhook(db: Reader, webhook: number): Promise<WebhookRow | undefined> {
  const [row] = await db<
    WebhookRow[]
  >`select ${webhookColumns()} from webhooks where id = ${webhook} and deleted is null`
  return row
}

/** Begins to collect events of its type for a new webhook. */
export async function beginType(tx: Tx, { id: webhook, event }: WebhookRow): Promise<void> {
  const after = sql`(select ${lastDrawnId()} from events_id_seq)`
  await tx`${insert(typeTable, [{ webhook, type: event }], { after })}`
}

/** Deletes webhooks, with their retries. Skips those that are deleted already. */
export async function deleteWebhooks(tx: Tx, now: Date, webhooks: readonly number[]): Promise<void> {
  if (webhooks.length === 0) return
  const ids = sql`${[...webhooks]}::bigint[]`
  await tx`update webhooks set deleted = ${now} where id = any(${ids}) and deleted is null`
  await tx`
    update webhook_types set until = (select ${lastDrawnId()} from events_id_seq) where webhook = any(${ids}) and until is null`
  await tx`delete from webhook_retries where webhook = any(${ids})`
}

/** Fields that sign and address a notification of a webhook. Secrets and credentials are encrypted. */
export interface WebhookSigning {
  target: string
  token: string
  secret: string
  previous_secret: string | null
  credentials: string | null
}

/** Reads the fields that sign and address the notifications of a webhook. @throws NotFound */
export async function readWebhookSigning(db: Reader, now: Date, webhook: number): Promise<WebhookSigning> {
  const [row] = await db<WebhookSigning[]>`
    select w.target, w.token, w.secret, case when w.previous_secret_expires > ${now} then w.previous_secret end as previous_secret,
      c.encrypted_credentials as credentials
    from webhooks w left join webhook_credentials c on c.organization = w.organization
    where w.id = ${webhook} and w.deleted is null`
  if (!row) throw new NotFound(getMessage('webhooks.none', { webhook }))
  return row
}

/** User name of the Basic credentials of notifications. The password can be set and never read. */
export const CredentialsView = z.object({ user: z.string().nullable(), modified: timestamp.nullable() })

/** Sets the Basic credentials of an organization's notifications. @throws Invalid */
export async function setCredentials(
  tx: Tx,
  now: Date,
  organization: number,
  credentials: { user: string; password: string },
  sealing_keys: SealingKeys,
): Promise<void> {
  if (credentials.user === '') throw new Invalid({ user: [fieldMessages.not_blank] })
  // RFC 7617, section 2. Otherwise an extra line of piped input would silently become a part of the credentials.
  for (const field of ['user', 'password'] as const)
    if (/\p{Cc}/u.test(credentials[field])) throw new Invalid({ [field]: [getMessage('fields.control_characters')] })
  if (credentials.user.includes(':')) throw new Invalid({ user: [getMessage('webhooks.no_colon')] })
  const encrypted_credentials = encrypt(sealing_keys, `${credentials.user}:${credentials.password}`)
  await tx`
    ${insert(credentialTable, [{ organization, encrypted_credentials }], { modified: now })}
    ${credentialTable.replace(['encrypted_credentials', 'modified'])}`
}

/** The user name of an organization's Basic credentials and when they were set; undefined without credentials. */
export async function findCredentials(
  db: Reader,
  organization: number,
  sealing_keys: SealingKeys,
): Promise<{ user: string; modified: Date } | undefined> {
  const [row] = await db<{ encrypted_credentials: string; modified: Date }[]>`
    select encrypted_credentials, modified from webhook_credentials where organization = ${organization}`
  return row && { user: decrypt(sealing_keys, row.encrypted_credentials).split(':', 1)[0]!, modified: row.modified }
}

/** Removes an organization's Basic credentials. Returns true if there were any. */
export async function clearCredentials(tx: Tx, organization: number): Promise<boolean> {
  const removed = await tx`delete from webhook_credentials where organization = ${organization}`
  return removed.count > 0
}

/** A secret in the form of the Standard Webhooks specification: `whsec_` and 24 to 64 bytes in base64. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Random part of the webhook-id header of a webhook. */
export function generateToken(): string {
  return randomBytes(12).toString('base64url')
}

/** Columns of a `WebhookRow`. */
export function webhookColumns() {
  return sql`${shown.columns}, coalesce(endpoint, id) as endpoint`
}
