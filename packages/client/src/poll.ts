import { type CallOptions, sleep } from './transport.ts'

/** Options for waiting until an object's end. */
export interface WaitOptions extends Pick<CallOptions, 'signal'> {
  /** Maximum wait in milliseconds. Default: five minutes. */
  wait_ms?: number
}

/** Error when an awaited object has not ended in time. It goes on, and may still succeed. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
  /** The object as it was read last. */
  readonly last: unknown

  constructor(message: string, last: unknown) {
    super(message)
    this.last = last
  }
}

const DEFAULT_WAIT_MS = 5 * 60_000
const FIRST_INTERVAL_MS = 1_000
/** Keep several programs that wait with one key below its 30 reads a minute. */
const MAX_INTERVAL_MS = 5_000

/** Read something until it has ended, at growing intervals. @throws WaitTimeout */
export async function poll<Item>(
  what: string,
  read: () => Promise<Item>,
  hasEnded: (item: Item) => boolean,
  { wait_ms = DEFAULT_WAIT_MS, signal }: WaitOptions = {},
): Promise<Item> {
  const deadline = performance.now() + wait_ms
  for (let interval_ms = FIRST_INTERVAL_MS; ; interval_ms = Math.min(MAX_INTERVAL_MS, interval_ms * 1.5)) {
    const item = await read()
    if (hasEnded(item)) return item
    const left_ms = deadline - performance.now()
    if (left_ms <= 0) throw new WaitTimeout(`${what} has not ended within ${wait_ms} ms. It goes on.`, item)
    await sleep(Math.min(interval_ms, left_ms), signal)
  }
}
