import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { Wallet } from '../../wire.ts'

/** The active wallets with their balances, as choices of a field. */
export function useWalletChoices(): { value: string; label: string; currency: string }[] {
  const { data } = useQuery({
    queryKey: ['/accounts', 'active'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { status: 'active', limit: 100, ordering: 'id' }),
  })
  return (data?.results ?? []).map(({ id, name, balance, currency }) => ({
    value: String(id),
    currency,
    label: t('payments.new.wallet', { name, balance: formatMoney(String(balance), currency) }),
  }))
}
