import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/client.ts'
import type { secretKeyIds } from './secret-key.ts'

/** The ids of the keys of a running process: it encrypts with `present`, and decrypts with both. */
export type RunningKeys = ReturnType<typeof secretKeyIds>

/** Answers every process that asks for the keys of this process, until it ends. */
export async function announceKeys(db: Database, keys: RunningKeys): Promise<{ withdraw(): Promise<void> }> {
  const answer = JSON.stringify({ process: randomUUID(), keys })
  const subscription = await db.listen(REQUEST_CHANNEL, () => {
    // Whoever asks does not wait long, and the next start gets the answer that was lost here.
    db.notify(REPLY_CHANNEL, answer).catch(() => {})
  })
  return { withdraw: () => subscription.unlisten() }
}

/** Asks all running services on this database for their keys. One that does not answer within `wait_ms` is left out. */
export async function findRunningKeys(db: Database, wait_ms = REPLY_TIMEOUT_MS): Promise<RunningKeys[]> {
  const found = new Map<string, RunningKeys>()
  const subscription = await db.listen(REPLY_CHANNEL, (text) => {
    const { process, keys } = JSON.parse(text) as { process: string; keys: RunningKeys }
    found.set(process, keys)
  })
  await db.notify(REQUEST_CHANNEL, '')
  await new Promise((resolve) => setTimeout(resolve, wait_ms))
  await subscription.unlisten()
  return [...found.values()]
}

const REQUEST_CHANNEL = 'secret_keys_request'
const REPLY_CHANNEL = 'secret_keys_response'
const REPLY_TIMEOUT_MS = 1_000
