import { setTimeout as sleep } from 'node:timers/promises'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { AccessToken, TokenAnswer, TokenStore } from '../../networks/contract.ts'
import type { RenewalOutcome } from './metrics.ts'

/** A token and its times. */
interface KeptToken {
  token: string
  expires: Date
  fetched: Date
}

/** The tokens that all processes share. Each function may throw; then this process goes on by itself. */
export interface SharedTokens {
  read(name: string): Promise<KeptToken | undefined>
  /** Claim the right to fetch the token for this many seconds. False while another process has it. */
  claim(name: string, lease_s: number): Promise<boolean>
  /** Give the right back without a token. */
  release(name: string): Promise<void>
  store(name: string, token: KeptToken): Promise<void>
}

interface TokenStoreOptions {
  real: () => Date
  /** Maximum seconds for fetching a token. */
  fetch_s: number
  shared: SharedTokens
  onRenewal: (outcome: RenewalOutcome) => void
  onRefusal: () => void
  /** Called when the shared tokens cannot be reached. */
  onError: (error: unknown) => void
}

type Fetch = () => Promise<AccessToken | UnknownOutcome>

/** State of one token in this process. */
interface Entry {
  kept: KeptToken | null
  /** The last token that the network has refused. It is not used again if another process still has it. */
  refused: string | null
  renewal: Promise<TokenAnswer> | null
  /** Until this time nothing is fetched. */
  paused_until_ms: number
  last_failure: UnknownOutcome | null
  failures: number
  /** Number of consecutive new tokens that were refused soon after fetching. */
  early_refusals: number
}

/**
 * A token is renewed when a tenth of its life is left, and at most half a minute before it expires: time enough to reach the
 * network, and late enough for networks where a new token ends the earlier one.
 */
const MARGIN = { share: 0.1, most_ms: 30_000 }
/** While the earlier token is still valid, no caller waits for a new one for longer than this. */
const RENEWAL_WAIT_MS = 2_000
/** Pause after a failed fetch: the first one, which doubles, and the maximum. */
const FAILURE_WAIT_MS = { first: 1_000, max: 15_000 }
/** A new token that is refused within this time was refused early. After the second one in a row there are waits. */
const EARLY_REFUSAL_MS = 10_000
const POLL_MS = 100

/**
 * Create the token store of one connection. A token is fetched once for all callers of all processes. The fetching
 * process has a lease; the others wait. A failure is not kept, but fetches pause after it, first briefly, then up to 15
 * seconds. Without the database each process fetches its own tokens.
 */
export function createTokenStore(options: TokenStoreOptions): TokenStore {
  const entries = new Map<string, Entry>()
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name) ?? newEntry()
    entries.set(name, entry)
    return entry
  }

  return {
    async get(name, fetchNew) {
      const entry = entryOf(name)
      const now_ms = options.real().getTime()
      const { kept } = entry
      if (kept && isFresh(kept, now_ms)) return { outcome: 'token', token: kept.token }
      const valid = kept && kept.expires.getTime() > now_ms ? kept : null
      if (!entry.renewal && now_ms < entry.paused_until_ms) return valid ? asAnswer(valid) : entry.last_failure!
      entry.renewal ??= renew(options, name, entry, fetchNew).finally(() => {
        entry.renewal = null
      })
      if (!valid) return entry.renewal
      const renewed = await Promise.race([entry.renewal, sleep(RENEWAL_WAIT_MS, undefined, { ref: false })])
      return renewed?.outcome === 'token' ? renewed : asAnswer(valid)
    },
    refuse(name, token) {
      const entry = entryOf(name)
      if (entry.kept?.token !== token) return
      options.onRefusal()
      const now_ms = options.real().getTime()
      const was_early = now_ms - entry.kept.fetched.getTime() < EARLY_REFUSAL_MS
      entry.early_refusals = was_early ? entry.early_refusals + 1 : 0
      if (entry.early_refusals > 1) {
        entry.paused_until_ms = now_ms + failureWaitMs(entry.early_refusals - 1)
        entry.last_failure = { outcome: 'unknown', message: getMessage('connections.network_refuses_own') }
      }
      entry.kept = null
      entry.refused = token
    },
  }
}

function newEntry(): Entry {
  return {
    kept: null,
    refused: null,
    renewal: null,
    paused_until_ms: 0,
    last_failure: null,
    failures: 0,
    early_refusals: 0,
  }
}

function asAnswer({ token }: KeptToken): TokenAnswer {
  return { outcome: 'token', token }
}

function isFresh({ expires, fetched }: KeptToken, now_ms: number): boolean {
  const life_ms = expires.getTime() - fetched.getTime()
  return now_ms < expires.getTime() - Math.min(life_ms * MARGIN.share, MARGIN.most_ms)
}

function failureWaitMs(failures: number): number {
  return Math.min(FAILURE_WAIT_MS.first * 2 ** (failures - 1), FAILURE_WAIT_MS.max)
}

/** Take the token that another process has fetched, or fetch one. It never throws. */
async function renew(options: TokenStoreOptions, name: string, entry: Entry, fetchNew: Fetch): Promise<TokenAnswer> {
  const found = await findOrClaim(options, name, entry)
  const answer = found === 'claimed' ? await fetchToken(options, name, fetchNew) : found
  const now_ms = options.real().getTime()
  if ('token' in answer) {
    options.onRenewal(found === 'claimed' ? 'fetched' : 'shared')
    entry.kept = answer
    entry.failures = 0
    return asAnswer(answer)
  }
  options.onRenewal('failed')
  entry.failures += 1
  entry.paused_until_ms = now_ms + failureWaitMs(entry.failures)
  entry.last_failure = answer
  return answer
}

/** Wait for the token of another process that is fetching one, and otherwise claims the right to fetch. */
async function findOrClaim(
  { real, fetch_s, shared, onError }: TokenStoreOptions,
  name: string,
  entry: Entry,
): Promise<KeptToken | UnknownOutcome | 'claimed'> {
  // A lease is longer than a fetch may take; after it, the process that had it is gone.
  const lease_s = fetch_s + 5
  const deadline_ms = performance.now() + lease_s * 1_000
  const findShared = async () => {
    const token = await shared.read(name)
    return token && token.token !== entry.refused && isFresh(token, real().getTime()) ? token : undefined
  }
  try {
    for (;;) {
      const token = await findShared()
      if (token) return token
      if (await shared.claim(name, lease_s)) {
        // Another process may have stored one between the two statements.
        const stored = await findShared()
        if (!stored) return 'claimed'
        await shared.release(name)
        return stored
      }
      if (performance.now() > deadline_ms)
        return { outcome: 'unknown', message: getMessage('connections.another_process_fetching') }
      await sleep(POLL_MS)
    }
  } catch (error) {
    onError(error)
    return 'claimed'
  }
}

async function fetchToken(
  { real, shared, onError }: TokenStoreOptions,
  name: string,
  fetchNew: Fetch,
): Promise<KeptToken | UnknownOutcome> {
  const began = real()
  // The error may contain the token, so it is not passed on.
  const answer = await (async () => fetchNew())().catch(() => undefined)
  if (!answer || 'outcome' in answer || !isUsable(answer)) {
    await shared.release(name).catch(onError)
    return answer && 'outcome' in answer ? answer : unreadable
  }
  const expires = new Date(began.getTime() + answer.expires_in_s * 1_000)
  const token = { token: answer.token, fetched: began, expires }
  await shared.store(name, token).catch(onError)
  return token
}

const unreadable: UnknownOutcome = {
  outcome: 'unknown',
  message: getMessage('connections.answer_access_token'),
}

/**
 * Return true if a token is usable. A network without lifetimes must not cause a fetch per call, nor an endless one
 * keep a token forever.
 */
function isUsable({ token, expires_in_s }: AccessToken): boolean {
  return token !== '' && expires_in_s > 0 && expires_in_s <= 366 * 86_400
}
