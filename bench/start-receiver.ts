import { type AnsweringChild, startAnswering } from './processes.ts'
import type { ReceivedStats, ReceiverCommand } from './receiver.ts'

/** Receiver of notifications in a separate process. */
export type WebhookReceiver = AnsweringChild<ReceiverCommand, ReceivedStats>

/** Starts a receiver, and waits until it listens. */
export function startReceiver(): Promise<WebhookReceiver> {
  return startAnswering(new URL('./receiver.ts', import.meta.url))
}
