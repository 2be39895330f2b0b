import type { AnyReader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { PAID_STATUSES } from './payment-link.ts'

/** Asking and asked person, as keyed digests: they can be compared and name no person. */
export interface PromptSource {
  phone: Buffer
  address: Buffer
}

/**
 * Maximum numbers of unpaid prompts within an hour. A phone that paid starts again at zero, so that a regular customer
 * is never refused. Many customers of a network may share an address, and many people a link.
 */
const PROMPT_LIMITS = { phone: 3, address: 60, link: 600 }
const HOUR_MS = 3_600_000

/**
 * The limit that the next prompt would pass, or undefined. It counts over all links of the installation, of all
 * organizations. The caller holds the lock of the phone, so that two forms at once count as two.
 */
export async function promptLimit(
  tx: Tx,
  now: Date,
  link: number,
  source: PromptSource,
): Promise<keyof typeof PROMPT_LIMITS | undefined> {
  const since = new Date(now.getTime() - HOUR_MS)
  const last = await tx<{ paid: boolean }[]>`
    select r.status = any(${PAID_STATUSES}::text[]) as paid
    from payment_link_visits v join collection_requests r on r.id = v.request
    where v.phone_digest = ${source.phone} and v.created > ${since}
    order by v.created desc, v.id desc limit ${PROMPT_LIMITS.phone}`
  if (last.length === PROMPT_LIMITS.phone && last.every(({ paid }) => !paid)) return 'phone'
  if (await hasTooMany(tx, sql`v.address_digest = ${source.address}`, since, PROMPT_LIMITS.address)) return 'address'
  return (await hasTooMany(tx, sql`v.link = ${link}`, since, PROMPT_LIMITS.link)) ? 'link' : undefined
}

/**
 * Counts the phones prompted over a link in the last hour that are locked now: no link prompts them, because the last
 * prompts were not paid. Somebody else may have typed their numbers.
 */
export async function countLockedPhones(db: AnyReader, now: Date, link: number): Promise<number> {
  const since = new Date(now.getTime() - HOUR_MS)
  const [row] = await db<{ count: number }[]>`
    select count(*) as count
    from (select distinct phone_digest from payment_link_visits where link = ${link} and created > ${since}) as phone
    where (
      select count(*) = ${PROMPT_LIMITS.phone} and not bool_or(last.paid) from (
        select r.status = any(${PAID_STATUSES}::text[]) as paid
        from payment_link_visits v join collection_requests r on r.id = v.request
        where v.phone_digest = phone.phone_digest and v.created > ${since}
        order by v.created desc, v.id desc limit ${PROMPT_LIMITS.phone}) as last)`
  return row!.count
}

/** True if this number of prompts since then has not been paid. It stops counting there. */
async function hasTooMany(tx: Tx, condition: Fragment, since: Date, limit: number): Promise<boolean> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from (
      select 1 from payment_link_visits v join collection_requests r on r.id = v.request
      where ${condition} and v.created > ${since} and r.status <> all(${PAID_STATUSES}::text[]) limit ${limit}) as unpaid`
  return row!.count >= limit
}
