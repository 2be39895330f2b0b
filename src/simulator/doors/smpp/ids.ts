import type { SmppSwitches } from './switches.ts'

let last = 0n

/** A new number for a message, which is new after a restart, too. */
export function newMessageNumber(): bigint {
  const now = BigInt(Date.now()) * 1_000n
  last = now > last ? now : last + 1n
  return last
}

/** The id of a message, as an answer or a report writes it. */
export function writeId(number: bigint, where: 'answer' | 'report', mode: SmppSwitches['message_ids']): string {
  const is_hex = mode === 'hexadecimal' || mode.includes(`${where}s hexadecimal`)
  return is_hex ? number.toString(16).toUpperCase() : number.toString()
}
