import type { App } from '../../../app.ts'
import { listFailingWebhooks, readDeliveryBacklog } from '../../../core/events/backlog.ts'
import { countAbandoned, MAX_COUNTED, queues, readQueue } from '../../../core/queues.ts'
import { readSendingHold } from '../../../core/sending.ts'
import { error, type Finding, warning } from './check.ts'

const MAX_DELAY_MS = 15 * 60_000
/** The jobs that rest while sending is held. */
const HELD_JOBS = ['collect', 'network-orders', 'send-payments', 'start-occurrences']

/** Jobs with rows that have been due for long, and leases that no process renews. */
export async function checkJobs({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<Finding[]> {
  const times = { now: clock.now(), real: clock.real() }
  const is_held = (await readSendingHold(db)) !== null
  const states = [(await readDeliveryBacklog(db, times.now)).due]
  for (const queue of queues) states.push(await readQueue(db, queue, times.now))
  const late = states.filter(
    ({ job, oldest }) =>
      oldest && times.now.getTime() - oldest.getTime() > MAX_DELAY_MS && !(is_held && HELD_JOBS.includes(job)),
  )
  const found = late.map(({ job, due, oldest }) =>
    error(
      `${countOf(due)} of the job ${job} ${due === 1 ? 'is' : 'are'} due, the oldest since ${oldest!.toISOString()}.`,
      `Check that a process with jobs runs (\`npx kusanya serve\` without --no-jobs), and look for job_failed in the log.${job === 'network-orders' ? ' Orders also wait while their connection is paused or degraded.' : ''}`,
    ),
  )
  for (const queue of queues) {
    const count = await countAbandoned(db, queue, times)
    if (count > 0 && !(is_held && HELD_JOBS.includes(queue.job)))
      found.push(
        error(
          `${countOf(count)} of the job ${queue.job} ${count === 1 ? 'has a lease' : 'have leases'} that ended more than five minutes ago: a process took them and ended, and no other goes on.`,
          'Start the service, or look why its jobs do not run: `journalctl -u kusanya -p warning`.',
        ),
      )
  }
  return found
}

function countOf(count: number): string {
  return count === 1 ? 'One row' : `${count >= MAX_COUNTED ? 'At least ' : ''}${count} rows`
}

const MAX_NAMED = 20
const TOLERATED_MS = 3_600_000

/** Webhooks whose attempts fail: for an hour it is a warning, because most recover by themselves. */
export async function checkWebhooks({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): Promise<Finding[]> {
  const failing = await listFailingWebhooks(db, MAX_NAMED)
  return failing.map(({ id, organization, target, failing_since }) => {
    const lasts = clock.now().getTime() - failing_since.getTime() > TOLERATED_MS
    const level = lasts && config.MODE === 'live' ? error : warning
    return level(
      `Webhook ${id} of organization ${organization} (${new URL(target).host}) has failed since ${failing_since.toISOString()}.`,
      `See \`npx kusanya webhooks attempts ${id}\`, and tell the organization. After its repair: \`npx kusanya webhooks replay ${id} --failed\`.`,
    )
  })
}

/** Report a hold on sending: since when, by whom and why. */
export async function checkSending({ db }: Pick<App, 'db'>): Promise<Finding[]> {
  const hold = await readSendingHold(db)
  if (!hold) return []
  const details = [
    hold.since && `since ${hold.since.toISOString()}`,
    hold.by && `by ${hold.by}`,
    hold.reason && `because: ${hold.reason}`,
  ].filter((text) => typeof text === 'string')
  const described = details.length === 0 ? '' : ` It is held ${details.join(', ')}.`
  return [warning(`Nothing goes to networks and billers until \`npx kusanya sending release\`.${described}`)]
}
