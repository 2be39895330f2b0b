import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { decrypt, encrypt, type SealingKeys } from '../../lib/secrets.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { errorMessage, fieldMessages, id, requiredText, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { targetUrlError } from '../target-urls.ts'

/** Interface 2.3. */
export const Webhook = z
  .object({
    id,
    user: id,
    event: z.string().meta({ examples: ['collection.received'] }),
    created: timestamp,
    updated: timestamp,
    target: z.string().meta({ examples: ['https://shop.example/notifications'] }),
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

/** A webhook as stored, without its secrets. */
export interface WebhookRow extends Webhook {
  organization: number
  failing_since: Date | null
}

/** The purpose of the key that encrypts the secrets and credentials of webhooks. */
export const WEBHOOK_KEY_PURPOSE = 'webhooks'

const MAX_TARGET_LENGTH = 2_000

/** The request body that creates a webhook (interface 4.2). `events` are the types that this installation offers. */
export function newWebhookBody(events: readonly string[]) {
  return z
    .object({
      event: z
        .string({ error: errorMessage(fieldMessages.choice) })
        .trim()
        .refine((event) => events.includes(event), {
          error: (issue) => (issue.input === '' ? fieldMessages.not_blank : fieldMessages.choice(issue.input)),
        })
        .meta({ examples: [events[0]], description: `One of ${events.join(', ')}.` }),
      target: requiredText(MAX_TARGET_LENGTH)
        .transform((target) => target.trim())
        .superRefine((target, context) => {
          const message = target === '' ? undefined : targetUrlError(target)
          if (message) context.addIssue({ code: 'custom', message })
        })
        .meta({ examples: ['https://shop.example/notifications'], description: 'An https URL.' }),
    })
    .meta({ id: 'NewWebhook' })
}

export interface NewWebhook {
  organization: number
  user: number
  event: string
  target: string
}

/** Creates a webhook with a new secret, encrypted with `sealing_keys`. */
export async function createWebhook(
  tx: Tx,
  now: Date,
  input: NewWebhook,
  sealing_keys: SealingKeys,
): Promise<WebhookRow> {
  const at = truncateToSecond(now)
  const [row] = await tx<WebhookRow[]>`
    insert into webhooks (organization, "user", event, target, token, secret, created, updated)
    values (${input.organization}, ${input.user}, ${input.event}, ${input.target},
      ${randomBytes(12).toString('base64url')}, ${encrypt(sealing_keys, generateSecret())}, ${at}, ${at})
    returning ${columns()}`
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

/** One page of an organization's webhooks and their exact count. */
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
    db<WebhookRow[]>`select ${columns()} from webhooks where ${where}
      order by ${sql.identifier(page.field)} ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from webhooks where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** The webhook with this id, of any organization. The caller distinguishes 403 from 404. Deleted webhooks are not found. */
export async function findWebhook(db: Reader, webhook: number): Promise<WebhookRow | undefined> {
  const [row] = await db<WebhookRow[]>`select ${columns()} from webhooks where id = ${webhook} and deleted is null`
  return row
}

/** A webhook with its health, for its organization. */
export const WebhookHealth = Webhook.extend({
  /** When the first attempt after the last success failed; null while attempts succeed. */
  failing_since: timestamp.nullable(),
  /** Until when notifications are also signed with the previous secret; null without one. */
  previous_secret_expires: timestamp.nullable(),
  /** How many deliveries are waiting, and how many failed after all attempts. */
  waiting: z.int(),
  failed: z.int(),
})
export type WebhookHealth = z.output<typeof WebhookHealth>

/** The health of these webhooks, in the order given. */
export async function readWebhookHealth(
  db: Reader,
  now: Date,
  webhooks: readonly WebhookRow[],
): Promise<WebhookHealth[]> {
  const rows = await db<WebhookHealth[]>`
    select ${columns()}, case when previous_secret_expires > ${now} then previous_secret_expires end as previous_secret_expires,
      (select count(*) from webhook_deliveries_waiting d where d.webhook = webhooks.id) as waiting,
      (select count(*) from webhook_deliveries_ended d where d.webhook = webhooks.id and d.state = 'failed') as failed
    from webhooks where id = any(${webhooks.map((webhook) => webhook.id)}::bigint[])`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return webhooks.flatMap((webhook) => byId.get(webhook.id) ?? [])
}

/** The encrypted secret that receivers check signatures with, to show it to users. @throws NotFound */
export async function readSealedSecret(db: Reader, webhook: number): Promise<string> {
  const [row] = await db<{ secret: string }[]>`select secret from webhooks where id = ${webhook} and deleted is null`
  if (!row) throw new NotFound(`There is no webhook ${webhook}.`)
  return row.secret
}

/** Receivers have this long to change to a new secret. Until then both secrets sign. */
const PREVIOUS_SECRET_VALID_MS = 24 * 60 * 60 * 1_000

/** Gives a webhook a new secret. The previous one stays valid for a day. @throws NotFound */
export async function rotateSecret(tx: Tx, now: Date, webhook: number, sealing_keys: SealingKeys): Promise<WebhookRow> {
  const [row] = await tx<WebhookRow[]>`
    update webhooks set previous_secret = secret, previous_secret_expires = ${new Date(now.getTime() + PREVIOUS_SECRET_VALID_MS)},
      secret = ${encrypt(sealing_keys, generateSecret())}, updated = ${truncateToSecond(now)}
    where id = ${webhook} and deleted is null returning ${columns()}`
  if (!row) throw new NotFound(`There is no webhook ${webhook}.`)
  return row
}

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
    if (/\p{Cc}/u.test(credentials[field])) throw new Invalid({ [field]: ['Control characters are not allowed.'] })
  if (credentials.user.includes(':')) throw new Invalid({ user: ['The user name must not contain a colon.'] })
  const encrypted = encrypt(sealing_keys, `${credentials.user}:${credentials.password}`)
  await tx`
    insert into webhook_credentials (organization, encrypted_credentials, modified) values (${organization}, ${encrypted}, ${now})
    on conflict (organization) do update set encrypted_credentials = excluded.encrypted_credentials, modified = excluded.modified`
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

/** Removes an organization's Basic credentials. Returns whether there were any. */
export async function clearCredentials(tx: Tx, organization: number): Promise<boolean> {
  const removed = await tx`delete from webhook_credentials where organization = ${organization}`
  return removed.count > 0
}

/** A secret in the form of the Standard Webhooks specification: `whsec_` and 24 to 64 bytes in base64. */
function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

function columns() {
  return sql`id, organization, "user", event, created, updated, target, failing_since`
}
