import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../session.tsx'

/**
 * Return the currencies of a form for collections, and the one to begin with: the last one that a form of this
 * organization sent in this browser, otherwise the first.
 */
export function useCurrencies(): { currencies: string[]; current: string; remember(currency: string): void } {
  const { mode, organization } = useSession()
  const currencies = mode === 'sandbox' ? ['BXC', 'UGX', 'KES'] : ['UGX', 'KES']
  const [used, remember] = useLocalStorage({
    key: `currency-${organization?.id}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  return { currencies, current: currencies.includes(used) ? used : currencies[0]!, remember }
}
