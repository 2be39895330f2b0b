import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../session.tsx'

const MAX_KEPT = 6
const KEY = 'recent-searches'

/**
 * Earlier searches of this user in this organization, newest first. They stay in the browser until the user signs out.
 */
export function useRecentSearches() {
  const { organization, user } = useSession()
  const [texts, setTexts] = useLocalStorage<string[]>({
    key: `${KEY}-${organization?.id}-${user?.id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  return {
    texts,
    // A function would run at the next rendering, and the dialog may be gone by then.
    add: (text: string) => setTexts([text, ...texts.filter((one) => one !== text)].slice(0, MAX_KEPT)),
    clear: () => setTexts([]),
  }
}

/** Forget all users' searches in this browser: the next user must not see names and numbers of customers. */
export function forgetSearches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(KEY)) localStorage.removeItem(key)
}
