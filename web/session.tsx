import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Permission, Session } from './wire.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => api.get<Session>('/session'),
  staleTime: 60_000,
})

/** Who is there, what they may do, and in which organization. Only pages for signed-in people use it. */
export function useSession(): Session & { may(permission: Permission): boolean } {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('The session is looked up before any page is shown.')
  return { ...data, may: (permission) => data.permissions.includes(permission) }
}

/** Takes in who is there now. What was read as somebody else, or for another organization, is forgotten. */
export function useStartSession(): (session: Session) => void {
  const client = useQueryClient()
  return (session) => {
    clearCachedQueries(client)
    client.setQueryData(sessionQuery.queryKey, session)
  }
}

/** After a session ended: the page looks again who is there, which is nobody. */
export function useEndSession(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.refetchQueries(sessionQuery)
    clearCachedQueries(client)
  }
}

function clearCachedQueries(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' })
}
