import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, callFor } from './api.ts'
import { showTimesIn } from './format.ts'
import type { Permission, Session } from './wire.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
})

/** Number of the sessions that this window has begun. */
let begun = 0

/**
 * Read the session. An answer from before another one began is read again. Data of the person or organization before is dropped:
 * another window may have changed both.
 */
async function readSession({ client }: { client: QueryClient }): Promise<Session> {
  const before = begun
  const known = client.getQueryData<Session>(['session'])
  const session = await api.get<Session>('/session')
  if (before !== begun) return readSession({ client })
  if (known?.organization && isOther(known, session)) clearCachedQueries(client)
  return showPlace(session)
}

function isOther(before: Session, now: Session): boolean {
  return before.user?.id !== now.user?.id || before.organization?.id !== now.organization?.id
}

/** The session: user, permissions and organization. Only pages for signed-in users use it. */
export function useSession(): Session & { may(permission: Permission): boolean } {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('The session must be loaded before a page is shown.')
  return { ...data, may: (permission) => includesPermission(data.permissions, permission) }
}

/** Return a function that tells the time of the service's clock. */
export function useNow(): () => Date {
  const { data, dataUpdatedAt } = useQuery(sessionQuery)
  return () => new Date(Date.parse(data?.now ?? '') + Date.now() - dataUpdatedAt)
}

/** The time zone of the organization, for sentences that name it. */
export function useTimeZone(): string {
  return useSession().organization?.time_zone ?? 'UTC'
}

/** Set the current session, and drop data of another user or organization. */
export function useStartSession(): (session: Session) => void {
  const client = useQueryClient()
  return (session) => {
    begun += 1
    clearCachedQueries(client)
    client.setQueryData(sessionQuery.queryKey, showPlace(session))
  }
}

/** Read the session again after it ended, which shows the sign-in page. */
export function useEndSession(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.refetchQueries(sessionQuery)
    clearCachedQueries(client)
  }
}

/** Remember the e-mail of a person who comes from a one-time link, for the sign-in page. */
export function rememberEmail(client: QueryClient, email: string): void {
  client.setQueryData(EMAIL, email)
}

/** Return the e-mail with which the sign-in page begins. */
export function useRememberedEmail(): string {
  return useQueryClient().getQueryData<string>(EMAIL) ?? ''
}

const EMAIL = ['sign-in-email']

/** Show times in the time zone of the session's organization, and call the service for it, from now on. */
function showPlace(session: Session): Session {
  showTimesIn(session.organization?.time_zone)
  callFor(session.user?.id, session.organization?.id)
  return session
}

function clearCachedQueries(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' })
}

/** Return true if these permissions have one. Who manages the organization manages its keys and webhooks. */
function includesPermission(had: readonly string[], permission: Permission): boolean {
  return had.includes(permission) || (permission === 'manage_integrations' && had.includes('manage_organization'))
}
