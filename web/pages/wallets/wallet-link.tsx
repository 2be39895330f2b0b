import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type List } from '../../api.ts'
import type { Wallet } from '../../wire.ts'

/** Read all wallets of the organization, once for all parts of a page. */
export function useWallets() {
  return useQuery({
    queryKey: ['/accounts', 'all'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { limit: 100, ordering: 'id' }),
  })
}

/** Link to a wallet under its name, or under its ID where the name cannot be read. */
export function WalletLink({ id }: { id: number | null }) {
  const { data } = useWallets()
  if (id === null) return null
  return (
    <Anchor component={Link} to={`/wallets/${id}`} inherit>
      {data?.results.find((wallet) => wallet.id === id)?.name ?? id}
    </Anchor>
  )
}
