import cluster from 'node:cluster'
import type { EventLog } from '../lib/log-events.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { createWorkerThrottle } from './throttle-cluster.ts'
import { createRedisThrottle } from './throttle-redis.ts'

/**
 * Open the throttle that counts for the whole service: in Redis when `redis_url` is set, in the primary when the
 * service is a cluster, and otherwise in this process. The first request opens it: commands count none.
 */
export function openThrottle(options: { redis_url?: string; log: EventLog }): Throttle {
  let opened: Throttle | undefined
  return {
    take(...request) {
      opened ??= chooseThrottle(options)
      return opened.take(...request)
    },
    close: () => opened?.close?.(),
  }
}

function chooseThrottle({ redis_url, log }: { redis_url?: string; log: EventLog }): Throttle {
  if (redis_url) return createRedisThrottle(redis_url, log)
  return cluster.isWorker ? createWorkerThrottle() : createThrottle()
}
