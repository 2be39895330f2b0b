import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** What was read from the service, shared by all parts of a page. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The session ended meanwhile: looking again at who is there brings up the sign-in page.
      if (error instanceof ApiError && error.status === 401) queries.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: {
    // A browser that believes to be offline may still reach the service, and nothing waits unseen to be sent later.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // What was refused stays refused; only an outage is worth another try.
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
})
