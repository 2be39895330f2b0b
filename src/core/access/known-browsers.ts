import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { id, timestamp } from '../fields.ts'
import { NotFound } from '../refusals.ts'

/*
 * A browser in which a user has signed in is known for this user. It proves nothing and gives no access: its attempts to
 * sign in only have a count of their own, so that nobody else can make them wait (docs/decisions/0021).
 */

/** A browser is forgotten after a year without signing in. */
export const KNOWN_BROWSER_MS = 365 * 24 * 60 * 60 * 1_000
/** Maximum number of browsers of a user; with more, the least recently used one is forgotten. */
const MAX_BROWSERS = 20
/** The maximum number of users that one browser is known for. */
const MAX_TOKENS = 10

/** Browser that is known for a user. */
export interface KnownBrowser {
  id: number
  user: number
  email: string
}

/** Finds for whom the browser with this cookie is known. */
export async function findKnownBrowsers(db: Reader, now: Date, cookie: string): Promise<KnownBrowser[]> {
  const tokens = readTokens(cookie)
  if (tokens.length === 0) return []
  const rows = await db<KnownBrowser[]>`
    select b.id, b."user", u.email from known_browsers b join users u on u.id = b."user"
    where b.hash in (${hashes(tokens)}) and b.last_sign_in > ${oldest(now)} order by b.id`
  return [...rows]
}

/** A browser in which a user signs in. */
interface SigningBrowser {
  user: number
  /** The value of the cookie that it has sent; empty if it has none. */
  cookie: string
  /** The IP address of the browser. `user_agent` is its User-Agent header. */
  address: string
  user_agent: string
}

/** Remembers a browser in which a user has signed in. @returns the new value of its cookie */
export async function rememberBrowser(tx: Tx, now: Date, browser: SigningBrowser): Promise<string> {
  const { user, cookie, address } = browser
  const user_agent = browser.user_agent.slice(0, 300)
  const tokens = readTokens(cookie)
  if (tokens.length > 0) {
    const known = await tx`
      update known_browsers set address = ${address}, user_agent = ${user_agent}, last_sign_in = ${now}
      where "user" = ${user} and hash in (${hashes(tokens)}) returning id`
    if (known.length > 0) return tokens.join('.')
  }
  const token = randomBytes(32).toString('base64url')
  await tx`
    ${insert(browserTable, [{ user, address, user_agent }], { hash: hash(token), created: now, last_sign_in: now })}`
  await tx`
    delete from known_browsers where "user" = ${user} and id not in (
      select id from known_browsers where "user" = ${user} order by last_sign_in desc, id desc limit ${MAX_BROWSERS})`
  return [token, ...tokens].slice(0, MAX_TOKENS).join('.')
}

const browserTable = table('known_browsers', {
  id: column.id(),
  user: column.bigint(),
  hash: column.bytea(),
  address: column.text(),
  user_agent: column.text(),
  created: column.timestamptz(),
  last_sign_in: column.timestamptz(),
})
const shownBrowser = browserTable.omit('user', 'hash')

/** A known browser as the console shows it to its user. */
export const KnownBrowserView = z.object({
  id,
  address: z.string(),
  user_agent: z.string(),
  created: timestamp,
  last_sign_in: timestamp,
  /** True if this request comes from it. */
  current: z.boolean(),
})
type BrowserSummary = Row<typeof shownBrowser>

/** Lists the known browsers of a user, the most recently used first. */
export async function listKnownBrowsers(db: Reader, now: Date, user: number): Promise<BrowserSummary[]> {
  const rows = await db<BrowserSummary[]>`
    select ${shownBrowser.columns} from known_browsers
    where "user" = ${user} and last_sign_in > ${oldest(now)} order by last_sign_in desc, id desc`
  return [...rows]
}

/** Forgets one known browser of a user. @throws NotFound */
export async function forgetBrowser(tx: Tx, user: number, browser: number): Promise<BrowserSummary> {
  const [row] = await tx<BrowserSummary[]>`
    delete from known_browsers where id = ${browser} and "user" = ${user}
    returning ${shownBrowser.columns}`
  if (!row) throw new NotFound()
  return row
}

/** Forgets all known browsers of a user except `kept`. @returns the number of browsers forgotten */
export async function forgetBrowsers(tx: Tx, user: number, kept = 0): Promise<number> {
  const rows = await tx`delete from known_browsers where "user" = ${user} and id <> ${kept} returning id`
  return rows.length
}

/** Deletes the browsers that were not used for a year. */
export async function deleteExpiredBrowsers(tx: Tx, now: Date): Promise<void> {
  await tx`delete from known_browsers where last_sign_in <= ${oldest(now)}`
}

/** The tokens of a cookie, one for each user, with dots between them. Anything else in it is ignored. */
function readTokens(cookie: string): string[] {
  return cookie.split('.', MAX_TOKENS).filter((token) => /^[\w-]{43}$/.test(token))
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** SQL: the list for `hash in (…)`. */
function hashes(tokens: readonly string[]): Fragment {
  return sql.join(
    tokens.map((token) => sql`${hash(token)}`),
    ', ',
  )
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - KNOWN_BROWSER_MS)
}
