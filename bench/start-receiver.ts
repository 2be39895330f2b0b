import { type AnsweringChild, startAnswering } from './processes.ts'
import type { ReceivedStats, ReceiverCommand } from './receiver.ts'

/** Receiver of notifications in a separate process. */
export type WebhookReceiver = AnsweringChild<ReceiverCommand, ReceivedStats>

/** Start a receiver, and wait until it listens. */
export function startReceiver(): Promise<WebhookReceiver> {
  return startAnswering(new URL('./receiver.ts', import.meta.url))
}
