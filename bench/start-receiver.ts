import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { trackChild } from './processes.ts'
import type { ReceivedStats, ReceiverCommand } from './receiver.ts'

/** A receiver of notifications in a process of its own. */
export interface WebhookReceiver {
  url: string
  child: ChildProcess
  send(command: ReceiverCommand): Promise<ReceivedStats>
}

/** Starts a receiver, and waits until it listens. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const child = trackChild(fork(new URL('./receiver.ts', import.meta.url)))
  const [url] = (await once(child, 'message')) as [string]
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (command: ReceiverCommand): Promise<ReceivedStats> => {
    const answer = once(child, 'message') as Promise<[ReceivedStats]>
    child.send(command)
    return (await answer)[0]
  }
  return {
    url,
    child,
    // One command after the other, so that each caller gets its own answer.
    send(command) {
      const answer = last.then(() => ask(command))
      last = answer
      return answer
    },
  }
}
