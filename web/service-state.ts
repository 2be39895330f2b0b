import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Sending } from './wire.ts'

/** How often an open page looks whether the state has changed. */
const INTERVAL_MS = 15_000

/** Whether sending is held, by whom and why. */
export const sendingQuery = queryOptions({
  queryKey: ['/sending'],
  queryFn: () => api.get<Sending>('/sending'),
  refetchInterval: INTERVAL_MS,
})

/** Whether maintenance is on, and whether managers of this organization may switch it. */
export const maintenanceQuery = queryOptions({
  queryKey: ['/maintenance'],
  queryFn: () => api.get<{ on: boolean; yours: boolean }>('/maintenance'),
  refetchInterval: INTERVAL_MS,
})
