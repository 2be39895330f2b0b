/*
 * Why loops are woken. Each loop that wakes looks into its table, and most causes concern few of them. A cause that names too
 * few jobs costs a second, because every loop also polls.
 */

/** The jobs that may have something to do after each of the frequent causes. */
const jobsOf = {
  /** Collection requests were created, with their contacts and plans. */
  request_created: ['collect', 'start-occurrences', 'look-up-account-holders', 'deliver-webhooks'],
  /** Collection requests were started, or have ended without money. */
  request_dispatched: ['collect', 'network-orders', 'deliver-webhooks', 'send-sms-messages'],
  /** Networks have answered about charges; they may have reported money. */
  charge_answered: ['collect', 'network-orders', 'run-acceptance-checks', 'deliver-webhooks', 'send-sms-messages'],
  /** A network has called: about charges, payouts or refunds, or about unrequested money. */
  callback_received: [
    'collect',
    'network-orders',
    'send-payments',
    'process-callbacks',
    'assign-payments',
    'run-acceptance-checks',
    'deliver-webhooks',
    'look-up-account-holders',
    'send-sms-messages',
  ],
  /** Bill purchases were created. */
  purchase_created: ['network-orders'],
  /** Bill providers have answered. A purchase may be due again: at another provider, or for a status query. */
  purchase_answered: ['network-orders', 'deliver-webhooks', 'send-sms-messages'],
  /** SMS providers have answered. An SMS may be due again: over its second route, or for a status query. */
  sms_answered: ['send-sms-messages'],
} as const satisfies Record<string, readonly string[]>

/** A frequent cause of a wake. */
export type WakeCause = keyof typeof jobsOf

/** Causes with a waiting caller. They wake loops at once. */
const urgentCauses: ReadonlySet<WakeCause | undefined> = new Set<WakeCause>(['purchase_created'])

/** The causes of one wake; undefined when everything may be due. */
export type WakeCauses = readonly WakeCause[] | undefined
export type WakeListener = (causes: WakeCauses) => void

/** True if a job may have work after a wake. */
export function concernsJob(causes: WakeCauses, job: string): boolean {
  return causes === undefined || causes.some((cause) => (jobsOf[cause] as readonly string[]).includes(job))
}

/** True if a wake must not wait for others. */
export function isUrgent(cause: WakeCause | undefined): boolean {
  return urgentCauses.has(cause)
}

/** Joins the causes of several wakes into one set. */
export function joinWakeCauses(causes: Iterable<WakeCause | undefined>): WakeCauses {
  const all = new Set(causes)
  return all.has(undefined) ? undefined : ([...all] as WakeCause[])
}

/**
 * Reads the causes that another process has sent. Causes of another version, which may be unknown here, concern every
 * job.
 */
export function readWakeCauses(names: readonly string[]): WakeCauses {
  const known = names.every((name): name is WakeCause => Object.hasOwn(jobsOf, name))
  return known && names.length > 0 ? (names as readonly WakeCause[]) : undefined
}

/** The names of all jobs that have causes, for the test that compares them with the list of jobs. */
export const jobsWithCauses: readonly string[] = [...new Set(Object.values(jobsOf).flat())]
