import { randomBytes } from 'node:crypto'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { cellMark } from '../../lib/text/cells.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { readKept } from '../allocations/allocations.ts'
import { lockSeries, setLastNumber } from '../documents/series.ts'
import { followPayments } from '../events/money-positions.ts'
import { exactText } from '../filters.ts'
import { findAccountOwners, listActiveWallets } from '../ledger/accounts.ts'
import { equals, type List, pageQuery, type SortedPage, timeConditions, timeFilters } from '../list-query.ts'
import { type FieldErrors, Forbidden, Invalid } from '../refusals.ts'
import { type NewPaymentLink, type PaymentLinkChanges, readExpiry } from './new-link.ts'
import { type LinkRow, type LinkState, linkColumns, linkTable, stateAt } from './payment-link.ts'

/** 144 bits, 24 characters: too many to guess. */
const TOKEN_BYTES = 18

/** Author of a link or of its change. */
interface LinkAuthor {
  organization: number
  user: number
}

/**
 * Creates a link with a random address and the next number, which a person types who pays to the till. The number rises in this
 * transaction, so none is missing.
 * @throws Invalid, Forbidden if the wallet is not one of the organization
 */
export async function createNumberedLink(
  tx: Tx,
  now: Date,
  author: LinkAuthor,
  link: NewPaymentLink,
): Promise<LinkRow> {
  const { id } = await createPaymentLink(tx, now, author, link)
  const series = await lockSeries(tx, author.organization, 'payment_link')
  const number = series.last_number + 1
  await tx`update payment_links set number = ${number} where id = ${id}`
  await setLastNumber(tx, series, number)
  await followPayments(tx, author.organization)
  return (await findPaymentLink(tx, now, id))!
}

/** Creates a link with a random address. @throws Invalid, Forbidden if the wallet is not one of the organization */
export async function createPaymentLink(tx: Tx, now: Date, author: LinkAuthor, link: NewPaymentLink): Promise<LinkRow> {
  await requireWallet(tx, author.organization, link)
  const at = truncateToSecond(now)
  const [row] = await tx<LinkRow[]>`
    ${insert(linkTable, [link], {
      organization: author.organization,
      token: cellMark(tx.cell) + randomBytes(TOKEN_BYTES).toString('base64url'),
      created: at,
      author: author.user,
      modified: at,
    })}
    returning ${linkColumns(now)}`
  return row!
}

/**
 * Refuses at once a wallet that could never collect. A wallet without money may get some.
 * @throws Invalid, Forbidden if the wallet is not one of the organization
 */
export async function requireWallet(
  db: Reader,
  organization: number,
  { account, currency }: Pick<NewPaymentLink, 'account' | 'currency'>,
): Promise<void> {
  const wallets = (await listActiveWallets(db, [organization])).filter((one) => one.organization === organization)
  if (account === null) {
    if (wallets.some((one) => one.currency === currency && one.kind === 'local')) return
    throw new Invalid({ currency: [getMessage('wallets.none_in', { currency })] })
  }
  const wallet = wallets.find(({ id }) => id === account)
  if (wallet && wallet.currency !== currency)
    throw new Invalid({ account: [getMessage('wallets.other_currency', { currency: wallet.currency })] })
  if (wallet) return
  const owner = (await findAccountOwners(db, [account])).get(account)
  if (owner !== undefined && owner !== organization) throw new Forbidden()
  const key = owner === undefined ? 'fields.no_object' : 'fields.inactive_account'
  throw new Invalid({ account: [getMessage(key, { id: account })] })
}

/** The link with this id, of any organization. The caller distinguishes 403 from 404. */
export async function findPaymentLink(db: AnyReader, now: Date, link: number): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`select ${linkColumns(now)} from payment_links where id = ${link}`
  return row
}

/** The link at an address. */
export async function findLinkByToken(db: Reader, now: Date, token: string): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`select ${linkColumns(now)} from payment_links where token = ${token}`
  return row
}

/** Locks a link until the transaction ends, and reads it. A link for one use is locked before each prompt. */
export async function lockPaymentLink(tx: Tx, now: Date, link: number): Promise<LinkRow> {
  await tx`select id from payment_links where id = ${link} for update`
  return (await findPaymentLink(tx, now, link))!
}

export const linkFilters = {
  currency: exactText('Currency code.', 'BXC'),
  state: exactText('State; an unknown state finds nothing.', 'active'),
  title: exactText('Title, exact.', 'School fees, term 2'),
  ...timeFilters,
}

interface LinkFilters {
  currency?: string
  state?: string
  title?: string
  created_after?: Date
  created_before?: Date
  modified_after?: Date
  modified_before?: Date
}

/** Lists one page of an organization's links, with the exact count of all that match. */
export async function listPaymentLinks(
  db: AnyReader,
  now: Date,
  organization: number,
  filters: LinkFilters,
  page: SortedPage<'id' | 'created' | 'modified'>,
): Promise<{ rows: LinkRow[]; count: number }> {
  const list: List<LinkFilters> = {
    table: 'payment_links',
    conditions: () => ({
      currency: equals('currency'),
      state: (state) => sql`${stateAt(now)} = ${state}`,
      title: equals('title'),
      ...timeConditions,
    }),
  }
  const [found] = await db<{ count: number; ids: number[] }[]>`${pageQuery(list, organization, filters, page)}`
  const { count, ids } = found!
  const rows = await db<LinkRow[]>`select ${linkColumns(now)} from payment_links where id = any(${ids}::bigint[])`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { rows: ids.map((id) => byId.get(id)!), count }
}

/** Changes a link. `user` is null for an operator. @throws Invalid for a wrong date, or for a used link that is opened again */
export async function changePaymentLink(
  tx: Tx,
  now: Date,
  link: LinkRow,
  user: number | null,
  changes: PaymentLinkChanges,
): Promise<LinkRow> {
  const current = await lockPaymentLink(tx, now, link.id)
  const errors: FieldErrors = {}
  const { expiry_date: date } = changes
  const expiry_date = date === undefined ? current.expiry_date : readExpiry(date, now, errors)
  if (changes.state === 'active' && current.state === 'paid') errors.state = [getMessage('links.used')]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const { title, description, success_message, return_url, frame_ancestors } = changes
  const closes = changes.state === undefined ? sql`closed` : sql`${changes.state === 'closed'}`
  const [row] = await tx<LinkRow[]>`
    update payment_links set title = ${title?.trim() ?? current.title},
      description = ${description?.trim() ?? current.description},
      success_message = ${success_message?.trim() ?? current.success_message}, expiry_date = ${expiry_date},
      return_url = ${return_url === undefined ? current.return_url : return_url},
      frame_ancestors = ${frame_ancestors ?? current.frame_ancestors}::text[], closed = ${closes},
      modified = ${truncateToSecond(now)}, updated_by = ${user}
    where id = ${link.id} returning ${linkColumns(now)}`
  return row!
}

/** Totals of the payments over a link, and of those to the till with its number. Reversed money does not count. */
export interface LinkTotals {
  count: number
  amount: Amount
}

export async function readLinkTotals(db: AnyReader, link: number): Promise<LinkTotals> {
  const [row] = await db<LinkTotals[]>`
    select count(*) as count, coalesce(sum(r.amount - coalesce(c.reversed_in_parts, 0)), 0)::numeric(19,4) as amount
    from payment_link_visits v join collection_requests r on r.id = v.request left join collections c on c.id = r.collection
    where v.link = ${link} and r.status = 'successful'`
  const kept = await readKept(db, sql`(a.payment_link is not null and a.payment_link = ${link})`)
  const arrived = kept.filter((one) => one.arrived > 0n)
  return {
    count: row!.count + new Set(arrived.map((one) => one.row.collection)).size,
    amount: arrived.reduce((sum, one) => sum + one.arrived, row!.amount),
  }
}

/** True if a link takes payments now. */
export function isPayable({ state }: { state: LinkState }): boolean {
  return state === 'active'
}
