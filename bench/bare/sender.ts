import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { createHttpClient } from '../../src/lib/http/outgoing-http.ts'
import { signatureHeaders, signingKey } from '../../src/lib/http/standard-webhooks.ts'

/** The input of a bare sender. */
export interface SendJob {
  targets: string[]
  /** Maximum requests in flight to each target. */
  max_in_flight: number
  seconds: number
  /** The body to send; `{at}` is replaced by the time of sending. */
  body: string
}

/**
 * The upper limit for deliveries: the same signed requests with the same HTTP client, in a loop that records nothing.
 * There is no database, no order and no queue.
 */
process.once('message', async ({ targets, max_in_flight, seconds, body }: SendJob) => {
  const outgoing = createHttpClient({ allowsAddress: () => true, timeout_ms: 5_000 })
  const key = signingKey(`whsec_${randomBytes(32).toString('base64')}`)
  const end = performance.now() + seconds * 1_000
  let failures = 0
  const sendUntilEnd = async (target: URL): Promise<void> => {
    for (let sent = 0; performance.now() < end; sent += 1) {
      const text = body.replace('{at}', String(performance.timeOrigin + performance.now()))
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'bench',
        ...signatureHeaders([key], `msg_${sent}`, new Date(), text),
      }
      const { failure } = await outgoing.post(target, headers, text, false)
      if (failure) failures += 1
    }
  }
  await Promise.all(
    targets.flatMap((target) => Array.from({ length: max_in_flight }, () => sendUntilEnd(new URL(target)))),
  )
  outgoing.close()
  process.send!(failures, () => process.disconnect())
})
