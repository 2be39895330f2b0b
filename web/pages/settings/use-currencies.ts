import { useWallets } from '../wallets/wallet-link.tsx'

/** The currencies in which the organization has wallets. */
export function useCurrencies(): string[] {
  const { data } = useWallets()
  return [...new Set((data?.results ?? []).map((wallet) => wallet.currency))]
}
