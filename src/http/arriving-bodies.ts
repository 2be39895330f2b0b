import type { IncomingMessage } from 'node:http'

/** Request whose body has not arrived completely. */
export interface ArrivingBody {
  /** The address of the client, by which connections are counted (`addressGroup`). */
  address: string
  /** The length that the client announced, or the maximum when it announced none. */
  bytes: number
  /** Time limit for the body. */
  timeout_ms: number
  /** End the request and close its connection, because it took too long or because newer ones need its place. */
  end(reason: 'slow' | 'crowded'): void
}

/** The requests of this process whose bodies are arriving. */
export interface ArrivingBodies {
  /** Watch a request until its body has arrived or its connection is closed. */
  watch(raw: IncomingMessage, body: ArrivingBody): void
  /** Return the number of arriving bodies. */
  count(): number
}

export interface ArrivingBodyLimits {
  max_per_address: number
  max_connections: number
  max_bytes: number
}

/**
 * Limit the bodies that arrive at the same time: a connection that sends nothing costs memory until its time is over, and
 * a stranger can open thousands. A new request is never refused for the others. Instead the oldest body of its address is
 * given up, and over the limits of the process the oldest of the address that has most. Honest bodies arrive within
 * milliseconds, so the oldest are those that were sent to stay.
 */
export function createArrivingBodies(limits: ArrivingBodyLimits): ArrivingBodies {
  // A Set keeps the order in which bodies were added: the oldest is the first.
  const by_address = new Map<string, Set<ArrivingBody>>()
  let connections = 0
  let bytes = 0

  function remove(body: ArrivingBody): void {
    const group = by_address.get(body.address)
    if (!group?.delete(body)) return
    if (group.size === 0) by_address.delete(body.address)
    connections -= 1
    bytes -= body.bytes
  }

  function giveUpOldest(group: Set<ArrivingBody>): void {
    const [oldest] = group
    remove(oldest!)
    oldest!.end('crowded')
  }

  function findLargest(measure: (group: Set<ArrivingBody>) => number): Set<ArrivingBody> {
    let largest: [size: number, group: Set<ArrivingBody>] | undefined
    for (const group of by_address.values()) {
      const size = measure(group)
      if (!largest || size > largest[0]) largest = [size, group]
    }
    return largest![1]
  }

  function makeRoom(body: ArrivingBody): void {
    const own = by_address.get(body.address)
    if (own && own.size >= limits.max_per_address) giveUpOldest(own)
    if (connections >= limits.max_connections) giveUpOldest(findLargest((group) => group.size))
    while (connections > 0 && bytes + body.bytes > limits.max_bytes) giveUpOldest(findLargest(sumBytes))
  }

  return {
    watch(raw, body) {
      makeRoom(body)
      const group = by_address.get(body.address)
      if (group) group.add(body)
      else by_address.set(body.address, new Set([body]))
      connections += 1
      bytes += body.bytes
      const timer = setTimeout(() => body.end('slow'), body.timeout_ms).unref()
      // Emitted when the body has been read to its end, or when the connection is lost.
      raw.once('close', () => {
        clearTimeout(timer)
        remove(body)
      })
    },
    count: () => connections,
  }
}

/** Return true if a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function sumBytes(group: Set<ArrivingBody>): number {
  let sum = 0
  for (const { bytes } of group) sum += bytes
  return sum
}
