import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import type { ApprovalCounts, ApprovalQueue } from '../../wire.ts'

/** Approvals that wait. */
export function useApprovals({ enabled = true } = {}) {
  return useQuery({
    queryKey: ['/approvals'],
    queryFn: () => api.get<ApprovalQueue>('/approvals'),
    enabled,
  })
}

/** Number of approvals that wait for the user; 0 until it is known. */
export function useMyApprovals(): number {
  const { data } = useQuery({
    queryKey: ['/approvals', 'count'],
    queryFn: () => api.get<ApprovalCounts>('/approvals/count'),
  })
  return data?.mine ?? 0
}
