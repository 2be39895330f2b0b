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
import { begin, mayRetry } from '../db/client.ts'
import { createBatcher } from '../lib/batches/batch.ts'
import { createHttpClient, type HttpClient, type HttpResult } from '../lib/http/outgoing-http.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { getMessage } from '../lib/messages/message.ts'
import { formatAmount } from '../lib/money.ts'
import { leaseTimes } from './shared/lease-times.ts'
import { reportFailures, runEach } from './shared/run-each.ts'

/** Claims are small, so that a check that waits long delays few others. */
const MAX_CLAIMED = 20
const MAX_CONCURRENT_CLAIMS = 50
const USER_AGENT = 'Kusanya-Hook'
/** No organization may take longer to answer (the table acceptance_urls). */
const MAX_TIMEOUT_MS = 60_000

/**
 * Asks organizations if they accept money that they have not requested ("The wider interface"). Each answer is applied
 * as soon as it arrives. One HTTP client asks all of them, and is closed with the job.
 */
export function runAcceptanceChecks(
  app: App,
  outgoing: Pick<HttpClient, 'post'> & { close?(): void } = createClient(app),
): Job<DueAcceptanceCheck> {
  const apply = createBatcher<AcceptanceResult, void>({
    max_items: MAX_CLAIMED,
    mayRetry,
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
    nextDue: () => nextDueAcceptanceCheck(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(checks) {
      const failed = await runEach(checks, async (check) => {
        await apply(await checkAcceptance(app, outgoing, check))
        // Accepted money causes webhook deliveries.
        app.wake()
      })
      reportFailures(failed, (failures) => {
        for (const { row, error } of failures) {
          const { organization, id: acceptance_check } = row
          logEvent(app.log, 'acceptance_check_failed', { organization, acceptance_check, error })
        }
      })
    },
    close: () => outgoing.close?.(),
  }
}

function createClient(app: App): HttpClient {
  return createHttpClient({ allowsAddress: createAddressCheck(app.config), timeout_ms: MAX_TIMEOUT_MS })
}

async function checkAcceptance(
  app: App,
  outgoing: Pick<HttpClient, 'post'>,
  check: DueAcceptanceCheck,
): Promise<AcceptanceResult> {
  const { id, url, when_unreachable, deadline, attempts, last_error } = check
  const base = { id, unreachable: false, reason: null, error: null, due_at: null }
  if (url === null) return { ...base, verdict: 'accept', error: getMessage('acceptance.organization_no_url') }
  const unreachable = (error: string): AcceptanceResult => ({
    ...base,
    verdict: when_unreachable,
    unreachable: true,
    error,
  })
  const left_s = Math.ceil((deadline.getTime() - app.clock.now().getTime()) / 1_000)
  if (left_s <= 0) return unreachable(last_error ?? getMessage('acceptance.organization_not_asked'))

  const result = await post(app, outgoing, check, new URL(url), left_s * 1_000)
  const answer = result.failure === null ? parseAcceptanceAnswer(result.body ?? '') : undefined
  if (answer) return { ...base, ...answer }
  const error = describeFailure(result)
  const due_at = nextAttemptAt(app.clock.now(), retrySchedules.acceptance_check, attempts)
  // A time-out has used up all the time until the deadline.
  if (result.failure === 'timeout' || due_at === null || due_at >= deadline) return unreachable(error)
  return { ...base, verdict: null, error, due_at }
}

function post(
  app: App,
  outgoing: Pick<HttpClient, 'post'>,
  check: DueAcceptanceCheck,
  url: URL,
  timeout_ms: number,
): Promise<HttpResult> {
  const { remote_transaction_id, phonenumber, reference, amount, currency } = check
  const body = { remote_transaction_id, phonenumber, reference, amount: formatAmount(amount), currency_code: currency }
  const headers = { 'content-type': 'application/json', accept: 'text/plain', 'user-agent': USER_AGENT }
  return outgoing.post(url, headers, JSON.stringify(body), mustVerifyCertificate(app.config, url), timeout_ms)
}

function describeFailure({ failure, status, body }: HttpResult): string {
  if (failure === null) return `The answer is neither ACCEPT nor REJECT: ${JSON.stringify((body ?? '').slice(0, 100))}`
  return failure === 'status'
    ? getMessage('acceptance.answer_had_status', { code: status })
    : getMessage('acceptance.no_answer', { code: failure.replaceAll('_', ' ') })
}
