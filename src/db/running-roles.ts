import type { Database } from './client.ts'

/** What a running process does for everybody who uses its database. */
export type Role = 'api' | 'jobs'

/** Answers whoever asks, for as long as this process lives, what it does. */
export async function showPresence(db: Database, roles: readonly Role[]): Promise<{ withdraw(): Promise<void> }> {
  const subscription = await db.listen(QUESTION, () => {
    // The one who asks does not wait for long, and does without an answer that is lost.
    db.notify(ANSWER, roles.join(' ')).catch(() => {})
  })
  return { withdraw: () => subscription.unlisten() }
}

/**
 * Asks what is being done, by any process, for the users of this database. A process that was killed is silent, and one
 * that is too busy to answer in time is as good as absent.
 */
export async function presentRoles(db: Database, wait_ms = PATIENCE_MS): Promise<Set<Role>> {
  const present = new Set<Role>()
  let stopWaiting = () => {}
  const answered = new Promise<void>((resolve) => {
    stopWaiting = resolve
  })
  const subscription = await db.listen(ANSWER, (answer) => {
    for (const role of ROLES) if (answer.split(' ').includes(role)) present.add(role)
    if (present.size === ROLES.length) stopWaiting()
  })
  const timer = setTimeout(stopWaiting, wait_ms)
  await db.notify(QUESTION, '')
  await answered
  clearTimeout(timer)
  await subscription.unlisten()
  return present
}

const ROLES: readonly Role[] = ['api', 'jobs']
const QUESTION = 'who is there'
const ANSWER = 'present'
const PATIENCE_MS = 1_000
