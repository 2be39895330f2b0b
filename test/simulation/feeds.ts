import { type Event, listEvents } from '../../src/core/events/events.ts'
import type { Store } from './store.ts'

/** A client that reads the event feed once from its beginning, page by page. */
export interface Feed {
  organization: number
  seen: Event[]
  /** Read the next pages. Returns the violations found. */
  poll(): Promise<string | undefined>
}

/** Create one reader for each shop. */
export function createFeeds({ checks: watch, shops }: Store): Feed[] {
  return shops.map(({ organization }) => {
    const feed: Feed = {
      organization,
      seen: [],
      async poll() {
        const last = feed.seen.at(-1)?.id ?? 0
        const slice = { limit: 1_000, offset: feed.seen.length, descending: false }
        const { rows } = await listEvents(watch, organization, {}, slice)
        const late = rows.find((event) => event.id <= last)
        feed.seen.push(...rows)
        return late && `The feed of shop ${organization} showed event ${late.id} after event ${last}.`
      },
    }
    return feed
  })
}
