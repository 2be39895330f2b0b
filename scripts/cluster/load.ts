import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** Result of one try to create a collection request. */
export type Try =
  | { outcome: 'created' | 'duplicate'; id: number }
  /** 503 with Retry-After: the caller should come back after so many seconds. */
  | { outcome: 'unavailable'; retry_after_s: number }
  /** Nothing certain: the connection was refused or broken, or the caller waited too long. */
  | { outcome: 'no_answer' }
  | { outcome: 'wrong'; text: string }

/** Collection request from its caller's view. */
export interface Collection {
  number: number
  /** The id that the service has answered, with 201 or as the first request of a duplicate. */
  id: number
}

/** Results of the tries, and the longest time in which no request was accepted. */
export interface LoadReport {
  collections: Collection[]
  tries: Record<Try['outcome'], number>
  wrong: string[]
  /** Number of requests and lists read after a request was accepted. */
  reads: number
  /** Times at which new requests were accepted, by the clock of `performance.now()`. */
  accepted_at: readonly number[]
  /** Return the longest time without a new request since `since`, in ms. */
  outageSince(since: number): number
}

const TIMEOUT_MS = 30_000
/** Interval, in requests, of checks in the list. */
const LISTED_EVERY = 10
/** Wait before a caller repeats a request that got no answer. */
const REPEAT_S = 0.5

/**
 * Create collection requests at a steady rate until `stop`, whether answers come or not. Each is repeated with the same
 * Duplicate-Check-Key until it is accepted, after the wait that the answer named, like a careful caller. Then it is
 * read, through any process and any server of the database: a confirmed request must be visible.
 */
export class Load {
  readonly #url: string
  readonly #api_key: string
  readonly #agent = new Agent({ connections: 200, pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
  readonly #open = new Set<Promise<void>>()
  readonly #accepted_at: number[] = []
  readonly #collections: Collection[] = []
  readonly #tries = { created: 0, duplicate: 0, unavailable: 0, no_answer: 0, wrong: 0 }
  readonly #wrong: string[] = []
  #reads = 0
  #running: Promise<void> | undefined
  #stopped = false
  #number: number

  /** Open a load. @param first the number of the first request; each belongs to a different customer */
  constructor(options: { url: string; api_key: string; first: number }) {
    this.#url = `${options.url}/api/collectionrequests`
    this.#api_key = options.api_key
    this.#number = options.first
  }

  start(per_second: number): void {
    this.#running = this.#run(per_second)
  }

  /** Make no new requests, and wait until each has been accepted. */
  async stop(): Promise<LoadReport> {
    this.#stopped = true
    await this.#running
    await Promise.all(this.#open)
    await this.#agent.close()
    const accepted_at = this.#accepted_at
    return {
      collections: this.#collections,
      tries: this.#tries,
      wrong: this.#wrong,
      reads: this.#reads,
      accepted_at,
      outageSince: (since) => longestGap(accepted_at, since),
    }
  }

  /** Return the number of requests accepted after a moment, by the clock of `performance.now()`. */
  acceptedSince(since: number): number {
    return this.#accepted_at.filter((at) => at > since).length
  }

  async #run(per_second: number): Promise<void> {
    const begun = performance.now()
    for (let due = 0; !this.#stopped; due += 1) {
      const wait_ms = begun + (due * 1_000) / per_second - performance.now()
      if (wait_ms > 0) await sleep(wait_ms)
      const work = this.#collect(this.#number)
      this.#number += 1
      this.#open.add(work)
      void work.then(() => this.#open.delete(work))
    }
  }

  /** The next number that no request has had. */
  get next(): number {
    return this.#number
  }

  async #collect(number: number): Promise<void> {
    const key = randomUUID()
    for (;;) {
      const result = await this.#try(number, key)
      this.#tries[result.outcome] += 1
      if (result.outcome === 'wrong') this.#wrong.push(result.text)
      if (result.outcome === 'created' || result.outcome === 'duplicate') {
        if (result.outcome === 'created') this.#accepted_at.push(performance.now())
        this.#collections.push({ number, id: result.id })
        return this.#see(number, result.id)
      }
      const wait_s = result.outcome === 'unavailable' ? result.retry_after_s : REPEAT_S
      await sleep(wait_s * 1_000 * (0.5 + Math.random()))
    }
  }

  /** Read a request that was accepted. An outage may hide it, but no answer may say that it does not exist. */
  async #see(number: number, id: number): Promise<void> {
    const one = await this.#read(`/${id}`)
    if (one?.status === 200) this.#reads += 1
    else if (one && one.status < 500)
      this.#wrong.push(`${one.status} to who reads the request ${id} after it was accepted`)
    if (number % LISTED_EVERY !== 0) return
    const list = await this.#read(`?phonenumber=${encodeURIComponent(phoneOf(number))}`)
    if (list?.status !== 200) return
    this.#reads += 1
    if (!list.text.includes(`"id":${id},`)) this.#wrong.push(`a list without the request ${id} after it was accepted`)
  }

  async #read(address: string): Promise<{ status: number; text: string } | undefined> {
    try {
      const { statusCode, body } = await request(this.#url + address, {
        dispatcher: this.#agent,
        headers: { authorization: `Token ${this.#api_key}` },
      })
      return { status: statusCode, text: await body.text() }
    } catch {
      return undefined
    }
  }

  async #try(number: number, key: string): Promise<Try> {
    try {
      const { statusCode, headers, body } = await request(this.#url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: {
          authorization: `Token ${this.#api_key}`,
          'content-type': 'application/json',
          'duplicate-check-key': key,
        },
        body: JSON.stringify(newRequest(number)),
      })
      return readAnswer(statusCode, headers['retry-after'], await body.text())
    } catch {
      return { outcome: 'no_answer' }
    }
  }
}

/** A request to a customer without special behaviour in the sandbox, who pays a second later. */
function newRequest(number: number): object {
  return {
    phonenumber: phoneOf(number),
    amount: '1500',
    currency: 'BXC',
    reason: `Order ${number}`,
    metadata: { order: number },
    send_instructions: false,
  }
}

function phoneOf(number: number): string {
  return `+800${10_010_000 + number}`
}

function readAnswer(status: number, retry_after: unknown, text: string): Try {
  // Without Retry-After a caller does not know that it should come back.
  if ([502, 503, 504].includes(status) && retry_after !== undefined)
    return { outcome: 'unavailable', retry_after_s: Number(retry_after) }
  if (status !== 201 && status !== 409) return { outcome: 'wrong', text: `${status}: ${text.slice(0, 200)}` }
  const { id } = JSON.parse(text) as { id?: number }
  if (id === undefined) return { outcome: 'wrong', text: `${status} without an id: ${text.slice(0, 200)}` }
  return { outcome: status === 201 ? 'created' : 'duplicate', id }
}

/** Return the longest time between two consecutive moments, of those that end after `since`. */
export function longestGap(moments: readonly number[], since: number): number {
  const sorted = [...moments].sort((a, b) => a - b)
  const gaps = sorted.slice(1).flatMap((moment, index) => (moment > since ? [moment - sorted[index]!] : []))
  return Math.max(0, ...gaps)
}
