import type { App } from '../app.ts'
import {
  type AcceptanceResult,
  applyAcceptanceResults,
  claimAcceptanceChecks,
  type DueAcceptanceCheck,
  nextDueAcceptanceCheck,
  parseAcceptanceAnswer,
} from '../core/collections/acceptance-checks.ts'
import { nextAttemptAt, retrySchedules } from '../core/retry-schedules.ts'
import { createAddressCheck, mustVerifyCertificate } from '../core/target-urls.ts'
import { begin, CommitUnknown, isConnectionError } from '../db/client.ts'
import { createBatcher } from '../lib/batch.ts'
import type { Job } from '../lib/loop.ts'
import { formatAmount } from '../lib/money.ts'
import { createHttpClient, type HttpClient, type HttpResult } from '../lib/outgoing-http.ts'
import { leaseTimes } from './lease-times.ts'

/** Each claim takes few, so that one question that waits long holds up few others. */
const MAX_CLAIMED = 20
const MAX_CONCURRENT_CLAIMS = 50
const USER_AGENT = 'Kusanya-Hook'

/** What posts a question within so many seconds. */
export type ClientForTimeout = (timeout_s: number) => Pick<HttpClient, 'post'>

/**
 * Asks organizations whether they take money that they have not requested ("The wider interface"). Every answer is
 * settled as soon as it is there.
 */
export function runAcceptanceChecks(app: App, ask: ClientForTimeout = createClients(app)): Job<DueAcceptanceCheck> {
  const settle = createBatcher<AcceptanceResult, void>({
    max_items: MAX_CLAIMED,
    mayRetry: (error) => !(error instanceof CommitUnknown) && !isConnectionError(error),
    async flush(answers) {
      await begin(app.db, (tx) => applyAcceptanceResults(tx, app.clock.now(), answers))
      return answers.map(() => ({ ok: true, value: undefined }))
    },
  })

  return {
    name: 'run-acceptance-checks',
    limit: MAX_CLAIMED,
    concurrency: MAX_CONCURRENT_CLAIMS,
    claim: (limit) => begin(app.db, (tx) => claimAcceptanceChecks(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueAcceptanceCheck(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(questions) {
      const ends = await Promise.allSettled(
        questions.map(async (question) => {
          await settle(await checkAcceptance(app, ask, question))
          // Money that was accepted is to be told of.
          app.wake()
        }),
      )
      const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} questions could not be settled.`)
    },
  }
}

function createClients(app: App): ClientForTimeout {
  const clients = new Map<number, HttpClient>()
  return (timeout_s) => {
    const known = clients.get(timeout_s)
    if (known) return known
    const made = createHttpClient({ allowsAddress: createAddressCheck(app.config), timeout_ms: timeout_s * 1_000 })
    clients.set(timeout_s, made)
    return made
  }
}

async function checkAcceptance(
  app: App,
  ask: ClientForTimeout,
  question: DueAcceptanceCheck,
): Promise<AcceptanceResult> {
  const { id, url, when_unreachable, deadline, attempts, last_error } = question
  const open = { id, unreachable: false, reason: null, error: null, due_at: null }
  if (url === null) return { ...open, verdict: 'accept', error: 'The organization has no hook any more.' }
  const giveUp = (error: string): AcceptanceResult => ({ ...open, verdict: when_unreachable, unreachable: true, error })
  const left_s = Math.ceil((deadline.getTime() - app.clock.now().getTime()) / 1_000)
  if (left_s <= 0) return giveUp(last_error ?? 'Nobody asked in time.')

  const exchange = await post(app, ask(left_s), new URL(url), question)
  const said = exchange.failure === null ? parseAcceptanceAnswer(exchange.body ?? '') : undefined
  if (said) return { ...open, ...said }
  const error = describeFailure(exchange)
  // Whoever let all the time pass is not asked again.
  const due_at = nextAttemptAt(app.clock.now(), retrySchedules.acceptance_check, attempts)
  if (exchange.failure === 'timeout' || due_at === null || due_at >= deadline) return giveUp(error)
  return { ...open, verdict: null, error, due_at }
}

function post(
  app: App,
  outgoing: Pick<HttpClient, 'post'>,
  url: URL,
  question: DueAcceptanceCheck,
): Promise<HttpResult> {
  const { remote_transaction_id, phonenumber, reference, amount, currency } = question
  const body = { remote_transaction_id, phonenumber, reference, amount: formatAmount(amount), currency_code: currency }
  const headers = { 'content-type': 'application/json', accept: 'text/plain', 'user-agent': USER_AGENT }
  return outgoing.post(url, headers, JSON.stringify(body), mustVerifyCertificate(app.config, url))
}

function describeFailure({ failure, status, body }: HttpResult): string {
  if (failure === null) return `The answer is neither ACCEPT nor REJECT: ${JSON.stringify((body ?? '').slice(0, 100))}`
  return failure === 'status' ? `The answer had the status ${status}.` : `No answer (${failure.replaceAll('_', ' ')}).`
}
