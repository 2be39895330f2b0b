import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Sending } from './wire.ts'

/** Hold on sending, with its author and reason. */
export const sendingQuery = queryOptions({
  queryKey: ['/sending'],
  queryFn: () => api.get<Sending>('/sending'),
})

/** State of maintenance, and the right of this organization's managers to switch it. */
export const maintenanceQuery = queryOptions({
  queryKey: ['/maintenance'],
  queryFn: () => api.get<{ on: boolean; yours: boolean }>('/maintenance'),
})
