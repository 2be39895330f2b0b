import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { formatAmount } from '../../lib/money.ts'
import { decrypt, encrypt, type SealingKeys } from '../../lib/secrets.ts'
import type { VisitState } from './visits.ts'

/** The purpose of the key that encrypts the secrets of results. */
export const PAGE_KEY_PURPOSE = 'payment pages'

const pageTable = table('payment_pages', {
  organization: column.bigint().key(),
  color: column.text(),
  logo: column.bytea().later(),
  logo_type: column.text().later(),
  sealed_secret: column.text(),
  modified: column.timestamptz(),
})

/** Readable with white letters. */
const DEFAULT_COLOR = '#0b6e4f'

/** Design of an organization's pages. */
export const PageDesign = z.object({
  color: z.string(),
  /** True if there is a logo. */
  logo: z.boolean(),
})
export type PageDesign = z.output<typeof PageDesign>

/** Facts about an organization that its pages show. */
export interface ShopDesign extends PageDesign {
  name: string
  time_zone: string
}

/** Name and time zone of an organization, and the design of its pages. */
export async function readPageDesign(db: Reader, organization: number): Promise<ShopDesign> {
  const [row] = await db<ShopDesign[]>`
    select o.name, o.time_zone, coalesce(p.color, ${DEFAULT_COLOR}) as color, p.logo is not null as logo
    from organizations o left join payment_pages p on p.organization = o.id where o.id = ${organization}`
  return row!
}

/** Changes the look. An undefined logo stays, and null takes it away. */
export async function setPageDesign(
  tx: Tx,
  now: Date,
  organization: number,
  design: { color: string; logo?: { bytes: Buffer; type: string } | null },
  keys: SealingKeys,
): Promise<void> {
  await ensureSecret(tx, now, organization, keys)
  await tx`update payment_pages set color = ${design.color}, modified = ${now} where organization = ${organization}`
  if (design.logo === undefined) return
  await tx`
    update payment_pages set logo = ${design.logo?.bytes ?? null}::bytea, logo_type = ${design.logo?.type ?? null}
    where organization = ${organization}`
}

export async function readLogo(db: Reader, organization: number): Promise<{ bytes: Buffer; type: string } | undefined> {
  const [row] = await db<{ bytes: Buffer; type: string }[]>`
    select logo as bytes, logo_type as type from payment_pages where organization = ${organization} and logo is not null`
  return row
}

/** Makes sure that the organization has a secret for results. */
export async function ensureSecret(tx: Tx, now: Date, organization: number, keys: SealingKeys): Promise<void> {
  const page = { organization, color: DEFAULT_COLOR, sealed_secret: encrypt(keys, generateSecret()) }
  await tx`
    ${insert(pageTable, [page], { modified: now })}
    on conflict (organization) do nothing`
}

/** Replaces the secret at once: a result is read within seconds, so the one before is not needed any more. */
export async function rotateResultSecret(tx: Tx, now: Date, organization: number, keys: SealingKeys): Promise<void> {
  await ensureSecret(tx, now, organization, keys)
  await tx`
    update payment_pages set sealed_secret = ${encrypt(keys, generateSecret())}, modified = ${now}
    where organization = ${organization}`
}

/** The secret that signs results; undefined if there is none yet. @throws WrongKey */
export async function readResultSecret(
  db: Reader,
  organization: number,
  keys: SealingKeys,
): Promise<string | undefined> {
  const [row] = await db<{ sealed_secret: string }[]>`
    select sealed_secret from payment_pages where organization = ${organization}`
  return row && decrypt(keys, row.sealed_secret)
}

/** The form of the secrets of webhooks: `whsec_` and 32 bytes in base64. */
function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Result that a shop gets when the customer comes back. */
interface LinkResult {
  payment_link: number
  request: number
  status: 'paid' | 'unpaid' | 'unclear'
  amount: bigint
  currency: string
  at: Date
}

/** Returns the word of a result for the state of a visit. Reversed money is not paid. */
export function resultStatus(state: VisitState): LinkResult['status'] {
  if (state === 'paid') return 'paid'
  return state === 'ended' || state === 'reversed' ? 'unpaid' : 'unclear'
}

/**
 * The return address with the signed result in its query. The signature is the HMAC-SHA256, in hex, over the values of
 * `payment_link`, `request`, `status`, `amount`, `currency` and `time` with `|` between them; its key is the secret as it is
 * shown (docs/payment-links.md).
 */
export function resultUrl(return_url: string, secret: string, result: LinkResult): string {
  const values = {
    payment_link: String(result.payment_link),
    request: String(result.request),
    status: result.status,
    amount: formatAmount(result.amount),
    currency: result.currency,
    time: String(Math.floor(result.at.getTime() / 1_000)),
  }
  const signature = createHmac('sha256', secret).update(Object.values(values).join('|')).digest('hex')
  const url = new URL(return_url)
  for (const [name, value] of Object.entries({ ...values, signature })) url.searchParams.set(name, value)
  return url.href
}
