import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect, TestRunner } from 'vitest'
import { buildWeb } from '../../src/cli/service/build-web.ts'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { watchPage } from '../failures.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { openChromium } from './chromium.ts'
import { withMachineLock } from './machine-lock.ts'
import { checkPicture } from './pictures/docs-pictures.ts'

export const OWNER = 'owner@demo.example'
export const PASSWORD = 'correct horse battery'

/** The short form, which a page reads in half the time. It gives no value, which would be sent back. */
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}\n;0`

/**
 * Find what breaks the rules of accessibility, with the elements that do. Style sheets and media are not loaded for it: the
 * rules that read them are off, or about sounds that start by themselves.
 */
export const AXE_RUN = `axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`

/** Load axe into the document of a page, unless it is there: a document outlives the pages of the console. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
}

/** Far above what any step needs, for busy machines. */
const TIMEOUT_MS = 120_000

/** A real Chromium and the real service with its own test app. */
export interface BrowserTest {
  testApp: TestApp
  url: string
  /** The same service under the name `localhost`, where passkeys work. */
  named_url: string
  /**
   * Open a window, if wanted with the dark color scheme, as narrow as a phone, or in a browser with another language.
   * The end of the test that opened it closes it, or else `close`: an open page reads again whatever changes.
   */
  openPage(options?: { dark?: boolean; narrow?: boolean; locale?: string }): Promise<Page>
  close(): Promise<void>
}

/** Build the pages if necessary, and start the service with its jobs, and a browser unless one runs. */
export async function openBrowserTest(): Promise<BrowserTest> {
  await withMachineLock('web', () => buildWeb(pino({ level: 'error' })).done)
  const testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService()
  const browser = await openChromium()
  const contexts = new Set<BrowserContext>()
  const page_errors: string[] = []
  const named_url = url.replace('127.0.0.1', 'localhost')
  return {
    testApp,
    url,
    named_url,
    async openPage({ dark = false, narrow = false, locale = 'en-US' } = {}) {
      const context = await browser.newContext({
        viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 860 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        locale,
      })
      contexts.add(context)
      TestRunner.getCurrentTest()?.context.onTestFinished(async () => {
        contexts.delete(context)
        await context.close()
      })
      context.setDefaultTimeout(TIMEOUT_MS)
      recordPageErrors(context, [url, named_url], page_errors)
      const page = await context.newPage()
      watchPage(page)
      return page
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
      await testApp.close()
      // The test fails if a page sent requests to other hosts, violated the content policy or threw an error.
      expect(page_errors).toEqual([])
    },
  }
}

/** Sign the demo owner or another person in, and wait for the first page: the home page, or the one at `path`. */
export async function signIn(page: Page, url: string, email = OWNER, path = ''): Promise<void> {
  await page.goto(`${url}/console${path}`)
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Your account and sign out' }).waitFor()
}

/** Type the password where the console asks who the person is, and wait until the form behind it goes on. */
export async function confirmIdentity(page: Page): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
  await asked.getByLabel(/^Your password/).fill(PASSWORD)
  await asked.getByRole('button', { name: 'Continue' }).click()
  await asked.waitFor({ state: 'detached' })
}

/** Advance the clock by a second at a time until the page shows this text. */
export async function advanceUntilShown({ testApp }: BrowserTest, page: Page, text: string): Promise<void> {
  const advanceOnce = async () => {
    testApp.clock.advance(1)
    testApp.app.wake()
    return (await page.getByText(text).count()) > 0 || undefined
  }
  await eventually(`the page to show ${text}`, advanceOnce, TIMEOUT_MS)
}

/**
 * Check that a page is accessible (axe: WCAG 2.2 A and AA, serious and critical) and not wider than the window. A failed test
 * takes a screenshot of it.
 * @param name names the page in a fault, and the picture of the documentation that shows it
 */
export async function checkPage(page: Page, name: string): Promise<void> {
  // Wait for data and animations: they change the picture, and an animated colour has no stable contrast.
  await waitForRequests(page)
  await page.locator('[role=status].mantine-Loader-root').first().waitFor({ state: 'detached' })
  await page.evaluate(WAIT_FOR_ANIMATIONS)
  await checkPicture(page, name)
  expect(await page.evaluate(HORIZONTAL_OVERFLOW), `what ${name} hides to the right`).toBe(0)
  await loadAxe(page)
  const violations = (await page.evaluate(AXE_RUN)) as { impact: string; id: string; nodes: { html: string }[] }[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
}

/** The open requests of each page, without event streams, which never end. */
const openRequests = new WeakMap<Page, Set<Request>>()

/** Wait until a page has no open requests for a short time. */
async function waitForRequests(page: Page): Promise<void> {
  const requests = openRequests.get(page)
  for (let quiet = 0; quiet < 3; quiet = requests?.size ? 0 : quiet + 1) await sleep(50)
}

const WAIT_FOR_ANIMATIONS = `Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished)).then(() => {})`
const HORIZONTAL_OVERFLOW = 'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)'

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
function recordPageErrors(context: BrowserContext, urls: string[], page_errors: string[]): void {
  context.on('page', (page) => {
    const requests = new Set<Request>()
    openRequests.set(page, requests)
    page.on('request', (request) => request.resourceType() !== 'eventsource' && requests.add(request))
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => requests.delete(request))
  })
  context.on('request', (request) => {
    if (!urls.some((url) => request.url().startsWith(url)) && !/^(data|blob):/.test(request.url()))
      page_errors.push(`requested ${request.url()}`)
  })
  context.on('requestfailed', (request) => {
    if (changes(request) && request.failure()?.errorText === 'net::ERR_ABORTED')
      page_errors.push(`was left before it had an answer to ${request.method()} ${request.url()}`)
  })
  context.on('weberror', (error) => page_errors.push(`threw ${error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Warning:|React/.test(message.text()))
      page_errors.push(message.text())
  })
}
