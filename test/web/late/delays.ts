import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { keepOutput } from '../../failures.ts'

/*
 * `npm run test:late` holds each request of a page, its answer and each live update for a random time, so that they come in another
 * order than on a quiet machine.
 */

const { KUSANYA_TEST_DELAYS: chosen } = process.env

/** The seed of the delays. Nothing is late without one. */
const seed = chosen === 'random' ? String(Date.now() % 2 ** 31) : chosen

/** The longest time for which a request, its answer or a live update is held. */
const MAX_MS = 400

/** The data of the console, and the parts of its program. */
const PATTERNS = ['*/console/api/*', '*/console/assets/*'].flatMap((urlPattern) =>
  (['Request', 'Response'] as const).map((requestStage) => ({ urlPattern, requestStage })),
)

/** The numbers of equal requests and answers of each page in the running test. */
const counts = new WeakMap<Page, Map<string, number>>()

/** Begin a test in a page: its delays do not depend on the tests before. Its failure shows the seed. */
export function beginDelays(page: Page): void {
  if (seed === undefined) return
  counts.set(page, new Map())
  keepOutput(`KUSANYA_TEST_DELAYS=${seed} repeats the delays of this test.`)
}

/** Hold what a page asks and hears from now on, if answers are to be late. */
export async function delayAnswers(page: Page): Promise<void> {
  if (seed === undefined) return
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', async ({ requestId, request, responseStatusCode, responseErrorReason }) => {
    const stage = (responseStatusCode ?? responseErrorReason) ? 'answer' : 'request'
    await sleep(delayOf(page, `${stage} ${request.method} ${request.url.replace(/^\w+:\/\/[^/]+/, '')}`))
    // The page may have been left.
    await session.send('Fetch.continueRequest', { requestId }).catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: PATTERNS })
  await page.addInitScript(`(${DELAY_EVENTS})(${readNumber(`${seed} events`)}, ${MAX_MS})`)
}

/** Return milliseconds that follow from the seed, the words, and how often the page has asked for the same. */
function delayOf(page: Page, words: string): number {
  const of_page = counts.get(page) ?? new Map<string, number>()
  counts.set(page, of_page)
  const count = (of_page.get(words) ?? 0) + 1
  of_page.set(words, count)
  return readNumber(`${seed} ${words} ${count}`) % MAX_MS
}

function readNumber(words: string): number {
  return createHash('sha1').update(words).digest().readUInt32LE()
}

/** Hold the events of streams, which keep their order. A test may replace the clock of the page later. */
const DELAY_EVENTS = `(state, max) => {
  const { addEventListener } = EventSource.prototype
  const setTimer = setTimeout, readTime = Date.now
  const dues = new WeakMap()
  EventSource.prototype.addEventListener = function (type, listener) {
    addEventListener.call(this, type, (event) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      const due = Math.max(dues.get(this) ?? 0, readTime() + (state >>> 8) % max)
      dues.set(this, due)
      setTimer(() => this.readyState === EventSource.CLOSED || listener(event), due - readTime())
    })
  }
}`
