import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { DEFAULT_TIME_ZONE } from '../../lib/text/time-zones.ts'
import { id, timestamp } from '../fields.ts'
import { Forbidden } from '../refusals.ts'
import { type Caller, moneyPermissions, type Permission } from './api-keys.ts'
import { deleteExpiredBrowsers } from './known-browsers.ts'
import { secondFactorOf } from './second-factors.ts'
import { UserLanguage } from './user-language.ts'

/** A session ends after 12 hours without use, and after 7 days in any case. */
const MAX_IDLE_MS = 12 * 60 * 60 * 1_000
const MAX_SESSION_MS = 7 * 24 * 60 * 60 * 1_000
/** The maximum time between the password and the second factor. */
const MAX_SECOND_FACTOR_WAIT_MS = 10 * 60 * 1_000
/** `last_seen` is updated at most this often. */
const LAST_SEEN_INTERVAL_MS = 60 * 1_000

/** A browser that is signed in. All times are in real time. */
export interface Session {
  id: number
  user: number
  name: string
  email: string
  second_factor: boolean
  /** The language that the user has chosen; null if none. */
  language: UserLanguage | null
  /** False until the user has entered the second factor. Until then the session permits only that step. */
  complete: boolean
  organization: number | null
  permissions: Permission[]
  /** Time zone of the organization; UTC and no country without one. */
  time_zone: string
  country: string | null
  /** True if the organization demands a second factor of users who move money. */
  second_factor_required: boolean
  last_seen: Date
}

/** The second factors that a browser can use now. */
const SecondStep = z.object({
  app: z.boolean(),
  passkey: z.boolean(),
  /** Origin where passkeys work, such as `https://pay.example.com`; null if the service has no such address. */
  passkey_origin: z.string().nullable(),
})

/** The state of the console and of its signed-in user. */
export const SessionView = z.object({
  stage: z.enum(['signed_out', 'second_factor', 'signed_in']),
  /** Second step, at the stage `second_factor` only. */
  second_step: SecondStep.optional(),
  service_name: z.string(),
  mode: z.enum(['sandbox', 'live']),
  /** True if users can reset a forgotten password by e-mail. */
  mail: z.boolean(),
  now: timestamp,
  user: z
    .object({
      id,
      name: z.string(),
      email: z.string(),
      second_factor: z.boolean(),
      language: UserLanguage.nullable(),
    })
    .nullable(),
  organization: z.object({ id, name: z.string(), time_zone: z.string(), country: z.string().nullable() }).nullable(),
  organizations: z.array(z.object({ id, name: z.string() })),
  /** True while the user must set up a second factor, because the organization demands it. */
  second_factor_missing: z.boolean(),
  permissions: z.array(z.string()),
})

const sessionTable = table('sessions', {
  id: column.id(),
  /** SHA-256 of the secret in the cookie. */
  hash: column.bytea(),
  user: column.bigint(),
  organization: column.bigint().nullable(),
  complete: column.boolean(),
  /** The IP address of the browser. `user_agent` is its User-Agent header. */
  address: column.text(),
  user_agent: column.text(),
  created: column.timestamptz(),
  last_seen: column.timestamptz(),
  expires: column.timestamptz(),
})
type NewSession = Pick<Row<typeof sessionTable>, 'user' | 'complete' | 'address' | 'user_agent'>

/** Starts a session in the last organization of this user. @returns the secret for the cookie. */
export async function startSession(tx: Tx, now: Date, input: NewSession): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expires = new Date(now.getTime() + (input.complete ? MAX_SESSION_MS : MAX_SECOND_FACTOR_WAIT_MS))
  const organization = await findHomeOrganization(tx, input.user)
  await tx`
    ${insert(sessionTable, [input], {
      hash: hashToken(token),
      organization,
      user_agent: ({ user_agent }) => user_agent.slice(0, 300),
      created: now,
      last_seen: now,
      expires,
    })}`
  return token
}

/** Finds the last organization in which this user worked, where the next session starts. Null if the user has none. */
export async function findHomeOrganization(db: Reader, user: number): Promise<number | null> {
  const [row] = await db<{ organization: number }[]>`
    select m.organization from memberships m left join sessions s on s."user" = m."user" and s.organization = m.organization
    where m."user" = ${user} and m.permissions <> '{}' order by s.last_seen desc nulls last, m.organization limit 1`
  return row?.organization ?? null
}

/** Finds the session with this secret, with the current permissions of its user in its organization. */
export async function findSession(db: Reader, now: Date, token: string): Promise<Session | undefined> {
  const [row] = await db<Session[]>`
    select s.id, s."user", u.name, u.email, ${secondFactorOf('u')} as second_factor, u.language, s.complete,
      s.organization, coalesce(m.permissions, '{}') as permissions, coalesce(o.second_factor_required, false) as second_factor_required,
      coalesce(o.time_zone, ${DEFAULT_TIME_ZONE}) as time_zone, o.country,
      s.last_seen
    from sessions s join users u on u.id = s."user" left join organizations o on o.id = s.organization
      left join memberships m on m.organization = s.organization and m."user" = s."user"
    where s.hash = ${hashToken(token)} and s.expires > ${now} and s.last_seen > ${new Date(now.getTime() - MAX_IDLE_MS)}`
  return row
}

/** True if `last_seen` of this session must be updated. */
export function isLastSeenOutdated(session: Session, now: Date): boolean {
  return now.getTime() - session.last_seen.getTime() > LAST_SEEN_INTERVAL_MS
}

/** Updates `last_seen` of a session. */
export async function recordSessionUse(tx: Tx, now: Date, session: number): Promise<void> {
  await tx`update sessions set last_seen = ${now} where id = ${session}`
}

/** The caller for a signed-in person, as for an API key. @throws Forbidden if the session has no organization. */
export function toCaller(session: Session): Caller {
  if (session.organization === null) throw new Forbidden(getMessage('access.no_organization'))
  return {
    key: 0,
    organization: session.organization,
    time_zone: session.time_zone,
    user: session.user,
    permissions: new Set(permittedNow(session)),
    read_only: false,
    reads_per_minute: null,
    writes_per_minute: null,
    expires: null,
  }
}

/**
 * True if the user must set up a second factor before anything that moves money, because the organization demands it.
 */
export function isSecondFactorMissing(
  session: Pick<Session, 'second_factor' | 'second_factor_required' | 'permissions'>,
): boolean {
  return (
    session.second_factor_required &&
    !session.second_factor &&
    session.permissions.some((permission) => moneyPermissions.includes(permission))
  )
}

/** The permissions that a session has now: without those that need a second factor, while it is missing. */
export function permittedNow(
  session: Pick<Session, 'second_factor' | 'second_factor_required' | 'permissions'>,
): Permission[] {
  if (!isSecondFactorMissing(session)) return session.permissions
  return session.permissions.filter((permission) => !moneyPermissions.includes(permission))
}

/** An organization that a user can open, with the permissions of the user. */
interface Membership {
  id: number
  name: string
  permissions: Permission[]
  /** True if the organization demands a second factor of users who move money. */
  second_factor_required: boolean
}

/** Lists the organizations in which this user has permissions, by name. */
export async function listMemberships(db: Reader, user: number): Promise<Membership[]> {
  const rows = await db<Membership[]>`
    select o.id, o.name, m.permissions, o.second_factor_required from memberships m join organizations o on o.id = m.organization
    where m."user" = ${user} and m.permissions <> '{}' order by o.name, o.id`
  return [...rows]
}

/** Switches a session to another organization of its user. @throws Forbidden if the user has no permissions there. */
export async function switchOrganization(tx: Tx, session: Session, organization: number): Promise<void> {
  const [updated] = await tx`
    update sessions s set organization = m.organization from memberships m
    where s.id = ${session.id} and m."user" = s."user" and m.organization = ${organization} and m.permissions <> '{}'
    returning s.id`
  if (!updated) throw new Forbidden()
}

/** Signs out one session. */
export async function endSession(tx: Tx, session: number): Promise<void> {
  await tx`delete from sessions where id = ${session}`
}

/** Ends all sessions of a user except the session `kept`. @returns the number of sessions that ended. */
export async function endSessions(tx: Tx, user: number, kept = 0): Promise<number> {
  const ended = await tx`delete from sessions where "user" = ${user} and id <> ${kept} returning id`
  return ended.length
}

/** A session as the console shows it to its user. */
type SessionSummary = Row<typeof summary>
const summary = sessionTable.pick('id', 'address', 'user_agent', 'created', 'last_seen')

/** Lists the active sessions of a user, the most recently used first. */
export async function listSessions(db: Reader, now: Date, user: number): Promise<SessionSummary[]> {
  const rows = await db<SessionSummary[]>`
    select ${summary.columns} from sessions
    where "user" = ${user} and complete and expires > ${now} and last_seen > ${new Date(now.getTime() - MAX_IDLE_MS)}
    order by last_seen desc, id desc limit 100`
  return [...rows]
}

/** Deletes expired sessions, expired links, old sign-in failures and browsers that were not used for a year. */
export async function deleteExpiredSessions(tx: Tx, now: Date): Promise<void> {
  await tx`delete from sessions where expires <= ${now} or last_seen <= ${new Date(now.getTime() - MAX_IDLE_MS)}`
  await tx`delete from one_time_links where expires <= ${new Date(now.getTime() - MAX_SESSION_MS)}`
  await deleteExpiredBrowsers(tx, now)
  await tx`delete from sign_in_failures where last_failure <= ${new Date(now.getTime() - MAX_SESSION_MS)}`
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
