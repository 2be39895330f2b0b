import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../session.tsx'

const MOST_KEPT = 6
const KEY = 'recent-searches'

/** What this user searched for in this organization, the newest first. It stays in the browser until the user signs out. */
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
    add: (text: string) => setTexts([text, ...texts.filter((one) => one !== text)].slice(0, MOST_KEPT)),
    clear: () => setTexts([]),
  }
}

/** Forgets what all users searched for in this browser: names and numbers of customers are none of the next user's business. */
export function forgetSearches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(KEY)) localStorage.removeItem(key)
}
