import { z } from 'zod'
import type { Reader, Tx } from '../db/client.ts'
import { timestamp } from './fields.ts'
import { readFlag, setFlag } from './flags.ts'

/*
 * Sending is held by a person, or by a restore (docs/operating/backup.md). The flag `sending` decides, and `sending_hold` describes it.
 */

/** Start, author and reason of a hold of sending. Null if unknown. */
export const SendingHold = z.object({
  since: timestamp.nullable(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
})
export type SendingHold = z.output<typeof SendingHold>

/** The longest reason for holding, in characters. */
export const MAX_HOLD_REASON = 500

/**
 * Holds sending in all processes within a second. A hold that exists keeps its description.
 * @returns true if it was released before
 */
export async function holdSending(tx: Tx, now: Date, hold: { by: string; reason: string | null }): Promise<boolean> {
  if (await isSendingHeld(tx)) return false
  await setFlag(tx, 'sending', 'held')
  await setFlag(tx, 'sending_hold', JSON.stringify(z.encode(SendingHold, { since: now, ...hold })))
  return true
}

/** Releases sending. @returns true if it was held before */
export async function releaseSending(tx: Tx): Promise<boolean> {
  const was_held = await isSendingHeld(tx)
  await setFlag(tx, 'sending', null)
  await setFlag(tx, 'sending_hold', null)
  return was_held
}

/** True if sending is held: nothing new goes to networks. Status queries for earlier orders go on. */
export async function isSendingHeld(db: Reader): Promise<boolean> {
  return (await readFlag(db, 'sending')) === 'held'
}

/** Describes the hold; null if sending is not held. */
export async function readSendingHold(db: Reader): Promise<SendingHold | null> {
  if (!(await isSendingHeld(db))) return null
  const text = await readFlag(db, 'sending_hold')
  return text === null ? { since: null, by: null, reason: null } : z.decode(SendingHold, JSON.parse(text))
}
