import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

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
