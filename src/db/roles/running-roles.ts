import type { Database } from '../client.ts'

/** The work that a running process does for all users of its database. */
export type Role = 'api' | 'jobs'

/** Reports the roles of this process to every process that asks, until this process ends. */
export async function announceRoles(db: Database, roles: readonly Role[]): Promise<{ withdraw(): Promise<void> }> {
  const subscription = await db.listen(ROLES_REQUEST_CHANNEL, () => {
    // The asking process does not wait long, and manages without a lost response.
    db.notify(ROLES_REPLY_CHANNEL, roles.join(' ')).catch(() => {})
  })
  return { withdraw: () => subscription.unlisten() }
}

/**
 * Asks all processes for their roles for this database. A process that was killed, or that does not respond in time, counts
 * as absent.
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
