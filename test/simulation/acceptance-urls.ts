import { removeAcceptanceUrl, setAcceptanceUrl, type Verdict } from '../../src/core/collections/acceptance-urls.ts'
import { begin, type Database } from '../../src/db/client.ts'
import type { HttpResult } from '../../src/lib/http/outgoing-http.ts'
import type { Random } from './random.ts'
import type { Shop } from './store.ts'

/** Answers of the shops to the question whether they take unrequested money. */
export interface AcceptanceUrls {
  /** Set a shop's hook, another in its place, or take it away. Says which. */
  change(shop: Shop, now: Date): Promise<string>
  /** Post a question here instead of over the network. */
  post(target: URL, headers: Record<string, string>, body: string): Promise<HttpResult>
  /** Answers to the questions, by the network's id of the money. */
  verdicts: Map<string, Verdict>
}

const EMPTY_EXCHANGE = { remote_address: null, headers: null, duration_ms: 5 }

/** @param isRough whether hooks may fail to answer */
export function createAcceptanceUrls(db: Database, random: Random, isRough: () => boolean): AcceptanceUrls {
  const said: AcceptanceUrls['verdicts'] = new Map()
  return {
    verdicts: said,
    change: ({ organization }, now) =>
      begin(db, async (tx) => {
        if (random.chance(0.3)) {
          // There may be none to remove.
          await removeAcceptanceUrl(tx, organization).catch(() => {})
          return `shop ${organization} takes all money`
        }
        const when_unreachable = random.pick(['accept', 'reject'] as const)
        // Short enough that a question's lease is over when the faults have ended.
        const timeout_s = random.pick([1, 4])
        await setAcceptanceUrl(tx, now, {
          organization,
          url: 'https://shop.example/hook',
          when_unreachable,
          timeout_s,
        })
        return `shop ${organization} is asked about money; unanswered means ${when_unreachable}`
      }),
    async post(_target, _headers, body) {
      const { remote_transaction_id: id } = JSON.parse(body) as { remote_transaction_id: string }
      if (isRough() && random.chance(0.4))
        return random.pick<HttpResult>([
          { ...EMPTY_EXCHANGE, failure: 'timeout', status: null, body: null },
          { ...EMPTY_EXCHANGE, failure: 'status', status: 500, body: '' },
          { ...EMPTY_EXCHANGE, failure: null, status: 200, body: 'What?' },
        ])
      const verdict = said.get(id) ?? random.pick(['accept', 'reject'] as const)
      said.set(id, verdict)
      return { ...EMPTY_EXCHANGE, failure: null, status: 200, body: `${verdict.toUpperCase()} ${id} so it is` }
    },
  }
}
