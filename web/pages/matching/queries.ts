import { notifications } from '@mantine/notifications'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { isPending, type PendingAnswer } from '../../parts/pending-change.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionAllocations } from '../../wire.ts'

/** Unmatched money that a person matches. */
export interface FreeMoney {
  collection: number
  currency: string
  phonenumber: string
  reference: string | null
  /** Unallocated amount. */
  amount: string
}

export function useAllocations(collection: number) {
  return useQuery({
    queryKey: ['/incoming', String(collection), 'allocations'],
    queryFn: () => api.get<CollectionAllocations>(`/collections/${collection}/allocations`),
  })
}

/** Answer to a match: what the payment is used for, or the change that waits. Undefined if it was sent before, and its answer was lost. */
export type Matched = Partial<CollectionAllocations> | PendingAnswer | undefined

/** Announce the result of a match: done, or waiting for a second manager. */
export function notifyMatch(answer: Matched, done: string = t('matching.done')): void {
  const pending = answer && 'pending' in answer ? answer.pending : undefined
  const waits = Array.isArray(pending) ? pending.length > 0 : isPending(answer)
  notifications.show({ color: waits ? 'yellow' : 'green', message: waits ? t('matching.pending.asked') : done })
}

/** Read all data of the page again: matched money changes invoices, customers and requests. */
export function readAgain(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

export function isSome(amount: string): boolean {
  return !/^0(\.0+)?$/.test(amount)
}
