import { setTimeout as sleep } from 'node:timers/promises'

/** Callers who read lists and objects at a steady rate. The balancer counts their answers. */
export interface Readers {
  count(): number
  stop(): Promise<void>
}

const PATHS = [
  '/api/collectionrequests?limit=20',
  '/api/collections?limit=20',
  '/api/accounts',
  '/api/contacts?limit=20',
  '/api/events',
]

/** Read `per_second` times a second until `stop`. */
export function openReaders(url: string, api_key: string, per_second: number): Readers {
  let stopped = false
  let reads = 0
  const open = new Set<Promise<unknown>>()
  const run = async () => {
    const begun = performance.now()
    while (!stopped) {
      await sleep(Math.max(0, begun + (reads * 1_000) / per_second - performance.now()))
      const path = PATHS[reads % PATHS.length]!
      reads += 1
      const call = fetch(url + path, { headers: { authorization: `Token ${api_key}` } })
        .then((response) => response.text())
        .catch(() => {})
      open.add(call)
      void call.finally(() => open.delete(call))
    }
  }
  const running = run()
  return {
    count: () => reads,
    async stop() {
      stopped = true
      await running
      await Promise.all(open)
    },
  }
}
