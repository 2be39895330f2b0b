import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import type { Wallet } from '../../wire.ts'

/** The currencies in which the organization has wallets. */
export function useCurrencies(): string[] {
  const { data } = useQuery({
    queryKey: ['/accounts', 'all'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { limit: 100, ordering: 'id' }),
  })
  return [...new Set((data?.results ?? []).map((wallet) => wallet.currency))]
}
