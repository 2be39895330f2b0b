import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { decrypt, encrypt } from '../../lib/secrets.ts'
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
 * The body of a notification (interface 4.2). Both parts come as JSON, because the object leaves byte for byte as it was
 * recorded.
 */
export function notificationBody(hook: string, data: string): string {
  return `{"hook":${hook},"data":${data}}`
}

/** A webhook as it lies in the table, without its secrets. */
export interface WebhookRow extends Webhook {
  organization: number
  failing_since: Date | null
}

/** The purpose of the key under which secrets and credentials of webhooks are sealed. */
export const WEBHOOK_KEY_PURPOSE = 'webhooks'

const MAX_TARGET_LENGTH = 2_000

/** The body that makes a webhook (interface 4.2). `events` are the types that this installation offers. */
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

/** Makes a webhook with a secret of its own, sealed under `sealing_key`. */
export async function createWebhook(tx: Tx, now: Date, input: NewWebhook, sealing_key: string): Promise<WebhookRow> {
  const at = truncateToSecond(now)
  const [row] = await tx<WebhookRow[]>`
    insert into webhooks (organization, "user", event, target, token, secret, created, updated)
    values (${input.organization}, ${input.user}, ${input.event}, ${input.target},
      ${randomBytes(12).toString('base64url')}, ${encrypt(sealing_key, generateSecret())}, ${at}, ${at})
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
  slice: WebhookPageOptions,
): Promise<{ rows: WebhookRow[]; count: number }> {
  const where = sql`organization = ${organization} and deleted is null
    and ${filters.user === undefined ? sql.always : sql`"user" = ${filters.user}`}
    and ${filters.event === undefined ? sql.always : sql`event = ${filters.event}`}`
  const direction = slice.descending ? sql`desc` : sql`asc`
  const [rows, [total]] = await Promise.all([
    db<WebhookRow[]>`select ${columns()} from webhooks where ${where}
      order by ${sql.identifier(slice.field)} ${direction}, id ${direction} limit ${slice.limit} offset ${slice.offset}`,
    db<{ count: number }[]>`select count(*) from webhooks where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** The webhook with this id whoever owns it, so that the caller can tell 403 from 404. A deleted one is not found. */
export async function findWebhook(db: Reader, webhook: number): Promise<WebhookRow | undefined> {
  const [row] = await db<WebhookRow[]>`select ${columns()} from webhooks where id = ${webhook} and deleted is null`
  return row
}

/** A webhook as its owners look after it. */
export const WebhookHealth = Webhook.extend({
  /** When the first attempt failed after the last success; null while all is well. */
  failing_since: timestamp.nullable(),
  /** Until when the secret before signs as well; null when there is none. */
  previous_secret_expires: timestamp.nullable(),
  /** How many notifications wait to be sent, and how many were given up. */
  waiting: z.int(),
  failed: z.int(),
})
export type WebhookHealth = z.output<typeof WebhookHealth>

/** How these webhooks fare, in the order in which they are named. */
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

/** The secret that receivers check signatures with. It is shown to people; nothing else needs to read it. @throws NotFound */
export async function readSealedSecret(db: Reader, webhook: number): Promise<string> {
  const [row] = await db<{ secret: string }[]>`select secret from webhooks where id = ${webhook} and deleted is null`
  if (!row) throw new NotFound(`There is no webhook ${webhook}.`)
  return row.secret
}

/** Receivers have this long to move to a new secret; both sign until then. */
const PREVIOUS_SECRET_VALID_MS = 24 * 60 * 60 * 1_000

/** Gives a webhook a new secret. The one before stays valid for a day. @throws NotFound */
export async function rotateSecret(tx: Tx, now: Date, webhook: number, sealing_key: string): Promise<WebhookRow> {
  const [row] = await tx<WebhookRow[]>`
    update webhooks set previous_secret = secret, previous_secret_expires = ${new Date(now.getTime() + PREVIOUS_SECRET_VALID_MS)},
      secret = ${encrypt(sealing_key, generateSecret())}, updated = ${truncateToSecond(now)}
    where id = ${webhook} and deleted is null returning ${columns()}`
  if (!row) throw new NotFound(`There is no webhook ${webhook}.`)
  return row
}

/** Sets the Basic credentials that an organization's notifications carry from now on. @throws Invalid */
export async function setCredentials(
  tx: Tx,
  now: Date,
  organization: number,
  credentials: { user: string; password: string },
  sealing_key: string,
): Promise<void> {
  if (credentials.user === '') throw new Invalid({ user: [fieldMessages.not_blank] })
  // RFC 7617, section 2. A line too many in what is piped in would otherwise become a part of them unnoticed.
  for (const field of ['user', 'password'] as const)
    if (/\p{Cc}/u.test(credentials[field])) throw new Invalid({ [field]: ['Control characters are not allowed.'] })
  if (credentials.user.includes(':')) throw new Invalid({ user: ['A colon may not stand in the user name.'] })
  const encrypted = encrypt(sealing_key, `${credentials.user}:${credentials.password}`)
  await tx`
    insert into webhook_credentials (organization, encrypted_credentials, modified) values (${organization}, ${encrypted}, ${now})
    on conflict (organization) do update set encrypted_credentials = excluded.encrypted_credentials, modified = excluded.modified`
}

/** The user name of an organization's Basic credentials and since when they hold, if there are any. */
export async function findCredentials(
  db: Reader,
  organization: number,
  sealing_key: string,
): Promise<{ user: string; modified: Date } | undefined> {
  const [row] = await db<{ encrypted_credentials: string; modified: Date }[]>`
    select encrypted_credentials, modified from webhook_credentials where organization = ${organization}`
  return row && { user: decrypt(sealing_key, row.encrypted_credentials).split(':', 1)[0]!, modified: row.modified }
}

/** Takes an organization's Basic credentials away; says whether there were any. */
export async function clearCredentials(tx: Tx, organization: number): Promise<boolean> {
  const gone = await tx`delete from webhook_credentials where organization = ${organization}`
  return gone.count > 0
}

/** A secret in the form of the Standard Webhooks specification: `whsec_` and 24 to 64 bytes in base64. */
function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

function columns() {
  return sql`id, organization, "user", event, created, updated, target, failing_since`
}
