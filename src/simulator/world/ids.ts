import { randomBytes } from 'node:crypto'
import type { Doors } from './world.ts'

/** A remote id that cannot be guessed and is never used again, even after a reset. */
export function newRemoteId(kind: 'SBO' | 'SBX' | 'SBP' | 'SBR', real: Date): string {
  return `${kind}${real.getTime().toString(36)}${randomBytes(8).toString('hex')}`.toUpperCase()
}

/** Make a transaction id at a door, in the network's own form if it has one. */
export function newTransactionId(
  { doors, now, real }: { doors: Doors; now(): Date; real(): Date },
  door: string,
  kind: 'payment' | 'payout' | 'refund' | 'reversal',
): string {
  const own = doors.get(door)?.transactionId?.(kind, now())
  return own ?? newRemoteId(kind === 'reversal' ? 'SBR' : 'SBX', real())
}

export function addSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1_000)
}
