import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { watchPage } from '../failures.ts'
import { beginDelays, delayAnswers } from './late/delays.ts'

/*
 * Windows of the browser, which tests of one process hand on. A window costs as much as four pages in a window that is
 * there: Chromium starts a process, and loads and compiles the console anew.
 */

/** Far above what any step needs, for busy machines. */
const TIMEOUT_MS = 120_000

/** Most tests have one window; each that waits for the next test keeps its memory. */
const MAX_IDLE = 2

/** Look of a window: with the dark color scheme, as narrow as a phone, or in a browser with another language. */
export interface Look {
  dark?: boolean
  narrow?: boolean
  locale?: string
  /** For a test that changes the window itself, such as its clock: no later test gets it. */
  own?: boolean
}

/** The test file that has a window: its addresses, and the errors of its pages. */
export interface Tenant {
  urls: readonly string[]
  page_errors: string[]
}

/** A window, and who has it. */
export interface TestWindow {
  page: Page
  tenant: Tenant | undefined
  is_own: boolean
  /** End the watch for screenshots of failed tests. */
  unwatch(): void
}

const idle: TestWindow[] = []

/** Take a window from the test before, or open one. */
export async function takeWindow(browser: Browser, tenant: Tenant, look: Look = {}): Promise<TestWindow> {
  const { dark = false, narrow = false, locale, own = false } = look
  const is_own = own || locale !== undefined
  const window = (!is_own && takeIdle()) || (await openWindow(browser, locale))
  const { page } = window
  beginDelays(page)
  await page.setViewportSize(narrow ? { width: 390, height: 844 } : { width: 1280, height: 860 })
  await page.emulateMedia({ media: 'screen', colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  return Object.assign(window, { tenant, is_own, unwatch: watchPage(page) })
}

function takeIdle(): TestWindow | undefined {
  for (let window = idle.pop(); window; window = idle.pop()) if (!window.page.isClosed()) return window
  return undefined
}

async function openWindow(browser: Browser, locale = 'en-US'): Promise<TestWindow> {
  const context = await browser.newContext({ timezoneId: 'UTC', locale })
  context.setDefaultTimeout(TIMEOUT_MS)
  let window: TestWindow | undefined
  recordPageErrors(context, () => window?.tenant)
  window = { page: await context.newPage(), tenant: undefined, is_own: true, unwatch: () => {} }
  await delayAnswers(window.page)
  return window
}

/** Hand a window on to the next test as if it were new, or close it. */
export async function returnWindow(window: TestWindow, is_reusable: boolean): Promise<void> {
  const { page, is_own } = window
  const url = window.tenant?.urls[0]
  window.tenant = undefined
  window.unwatch()
  const isCleared = async () => !is_own && is_reusable && (await clearWindow(page, url!).then(Boolean, () => false))
  if (idle.length < MAX_IDLE && !page.isClosed() && (await isCleared())) idle.push(window)
  else await page.context().close()
}

/** Leave nothing of a test in its window. */
async function clearWindow(page: Page, url: string): Promise<true> {
  const context = page.context()
  await Promise.all(context.pages().map((one) => one !== page && one.close()))
  await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.unrouteAll({ behavior: 'ignoreErrors' })])
  // An answer without scripts, at the same address: the process of the window keeps what it has compiled.
  await page.goto(`${url}/healthz`)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await context.clearCookies()
  await context.clearPermissions()
  await page.mouse.move(0, 0)
  return true
}

/** The open requests of each page, without event streams, which never end. */
const openRequests = new WeakMap<Page, Set<Request>>()

/** Return the number of open requests of a page. */
export function countOpenRequests(page: Page): number {
  return openRequests.get(page)?.size ?? 0
}

/**
 * Return true for a request with which a person changes something. Pages ask by themselves for the network of a number that is
 * typed, and note the language of the browser after signing in.
 */
const changes = (request: Request) =>
  request.method() !== 'GET' && !/\/(network|account\/language)$/.test(request.url())

/**
 * Record what no page may do: send requests to other hosts, violate the content policy, throw an error. A test that leaves
 * a page while it changes something has not waited for the result: what it finds next depends on the machine.
 */
function recordPageErrors(context: BrowserContext, readTenant: () => Tenant | undefined): void {
  const record = (error: string) => readTenant()?.page_errors.push(error)
  context.on('page', (page) => {
    const requests = new Set<Request>()
    openRequests.set(page, requests)
    page.on('request', (request) => request.resourceType() !== 'eventsource' && requests.add(request))
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => requests.delete(request))
  })
  context.on('request', (request) => {
    const is_known = readTenant()?.urls.some((url) => request.url().startsWith(url)) ?? true
    if (!is_known && !/^(data|blob):/.test(request.url())) record(`requested ${request.url()}`)
  })
  context.on('requestfailed', (request) => {
    if (changes(request) && request.failure()?.errorText === 'net::ERR_ABORTED')
      record(`was left before it had an answer to ${request.method()} ${request.url()}`)
  })
  context.on('weberror', (error) => record(`threw ${error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Warning:|React/.test(message.text()))
      record(message.text())
  })
}
