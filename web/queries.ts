import { notifyManager, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

// A pressed button rests before the next event: on a slow phone a second press may wait already.
notifyManager.setScheduler(queueMicrotask)

/** The cache of data from the service, which all parts of a page share. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The session has ended: reading it again shows the sign-in page.
      if (error instanceof ApiError && error.status === 401) queries.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: {
    // A browser that claims to be offline may still reach the service, and no change may wait for later.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // Only an outage is worth another try.
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
})

/** Queries that were to be read again while their first answer was on its way. */
const outdated = new WeakSet<Query>()

// The cache waits for a first answer, which may be older than the change.
queries.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { action, query } = event
  const { data, fetchStatus } = query.state
  if (action.type === 'invalidate' && data === undefined && fetchStatus === 'fetching') outdated.add(query)
  if (action.type === 'success' && outdated.delete(query))
    queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
})
