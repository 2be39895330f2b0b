import type { Database } from './client.ts'

/** What a running process does for everybody who uses its database. */
export type Role = 'api' | 'jobs'

/** Answers whoever asks, for as long as this process lives, what it does. */
export async function announceRoles(db: Database, roles: readonly Role[]): Promise<{ withdraw(): Promise<void> }> {
  const subscription = await db.listen(ROLES_REQUEST_CHANNEL, () => {
    // The one who asks does not wait for long, and does without an answer that is lost.
    db.notify(ROLES_REPLY_CHANNEL, roles.join(' ')).catch(() => {})
  })
  return { withdraw: () => subscription.unlisten() }
}

/**
 * Asks what is being done, by any process, for the users of this database. A process that was killed is silent, and one
 * that is too busy to answer in time is as good as absent.
 */
export async function findRunningRoles(db: Database, wait_ms = REPLY_TIMEOUT_MS): Promise<Set<Role>> {
  const present = new Set<Role>()
  let stopWaiting = () => {}
  const answered = new Promise<void>((resolve) => {
    stopWaiting = resolve
  })
  const subscription = await db.listen(ROLES_REPLY_CHANNEL, (answer) => {
    for (const role of ROLES) if (answer.split(' ').includes(role)) present.add(role)
    if (present.size === ROLES.length) stopWaiting()
  })
  const timer = setTimeout(stopWaiting, wait_ms)
  await db.notify(ROLES_REQUEST_CHANNEL, '')
  await answered
  clearTimeout(timer)
  await subscription.unlisten()
  return present
}

const ROLES: readonly Role[] = ['api', 'jobs']
const ROLES_REQUEST_CHANNEL = 'presence_request'
const ROLES_REPLY_CHANNEL = 'presence_response'
const REPLY_TIMEOUT_MS = 1_000
