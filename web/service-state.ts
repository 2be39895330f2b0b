import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Sending } from './wire.ts'

/** Whether sending is held, by whom and why. */
export const sendingQuery = queryOptions({
  queryKey: ['/sending'],
  queryFn: () => api.get<Sending>('/sending'),
})

/** Whether maintenance is on, and whether managers of this organization may switch it. */
export const maintenanceQuery = queryOptions({
  queryKey: ['/maintenance'],
  queryFn: () => api.get<{ on: boolean; yours: boolean }>('/maintenance'),
})
