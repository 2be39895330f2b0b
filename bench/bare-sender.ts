import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { createHttpClient } from '../src/lib/outgoing-http.ts'
import { signatureHeaders, signingKey } from '../src/lib/standard-webhooks.ts'

/** What a bare sender is to do. */
export interface SendJob {
  targets: string[]
  /** How many sends to each target are under way at once. */
  max_in_flight: number
  seconds: number
  /** What is sent, without the moment that goes in the place of `{at}`. */
  body: string
}

/**
 * The most that deliveries could reach: the same sends, signed and over the same client, in a loop without any record of
 * them. No database, no order, no turns.
 */
process.once('message', async ({ targets, max_in_flight: under_way, seconds, body }: SendJob) => {
  const outgoing = createHttpClient({ allowsAddress: () => true, timeout_ms: 5_000 })
  const key = signingKey(`whsec_${randomBytes(32).toString('base64')}`)
  const ends = performance.now() + seconds * 1_000
  let failures = 0
  const lane = async (target: URL): Promise<void> => {
    for (let sent = 0; performance.now() < ends; sent += 1) {
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
  await Promise.all(targets.flatMap((target) => Array.from({ length: under_way }, () => lane(new URL(target)))))
  outgoing.close()
  process.send!(failures, () => process.disconnect())
})
