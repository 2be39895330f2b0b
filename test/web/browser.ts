import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, TestRunner } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { openChromium } from './chromium.ts'
import { buildConsole } from './machine-lock.ts'
import { checkPicture } from './pictures/docs-pictures.ts'
import { countOpenRequests, type Look, returnWindow, type TestWindow, takeWindow } from './windows.ts'

export const OWNER = 'owner@demo.example'

/**
 * The short form, which a page reads in half the time, without the rules whose violations are not serious. It gives no value,
 * which would be sent back.
 */
const AXE = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
for (const rule of axe._audit.rules) rule.enabled &&= ['serious', 'critical'].includes(rule.impact)
;0`

/**
 * Find what breaks the rules of accessibility, with the elements that do. Style sheets and media are not loaded for it: the
 * rules that read them are off, or about sounds that start by themselves.
 */
export const AXE_RUN = runAxe('document')

function runAxe(context: string): string {
  return `axe.run(${context}, { preload: false, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`
}

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
   * Take a window. The end of the test that took it hands it on to the next one, or else `close`: an open page reads again
   * whatever changes.
   */
  openPage(look?: Look): Promise<Page>
  close(): Promise<void>
}

/** Build the pages if necessary, and start the service with its jobs, and a browser unless one runs. */
export async function openBrowserTest(): Promise<BrowserTest> {
  await buildConsole()
  const testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService()
  const browser = await openChromium()
  const windows = new Map<TestWindow, () => Promise<void>>()
  const page_errors: string[] = []
  const named_url = url.replace('127.0.0.1', 'localhost')
  return {
    testApp,
    url,
    named_url,
    async openPage(look) {
      const window = await takeWindow(browser, { urls: [url, named_url], page_errors }, look)
      const test = TestRunner.getCurrentTest()
      const giveBack = async () => {
        if (windows.delete(window)) await returnWindow(window, test?.result?.state !== 'fail')
      }
      windows.set(window, giveBack)
      test?.context.onTestFinished(giveBack)
      return window.page
    },
    async close() {
      await Promise.all([...windows.values()].map((giveBack) => giveBack()))
      await testApp.close()
      // The test fails if a page sent requests to other hosts, violated the content policy or threw an error.
      expect(page_errors).toEqual([])
    },
  }
}

/**
 * Sign the demo owner or another person in, and wait for the first page: the home page, or the one at `path`. The form of
 * the sign-in page is for tests about it.
 */
export async function signIn(page: Page, url: string, email = OWNER, path = ''): Promise<void> {
  const answer = await page.context().request.post(`${url}/console/api/session`, {
    headers: { 'x-requested-with': 'console' },
    data: { email, password: PASSWORD },
  })
  expect(answer.status(), `the sign-in of ${email}`).toBe(200)
  await page.goto(`${url}/console${path}`)
  await page.getByRole('button', { name: 'Your account and sign out' }).waitFor()
}

/**
 * Open a page of the console as a click on a link does, without loading the console again: this costs as much as ten clicks. It is
 * loaded where it is not open yet, and where a page of the same kind is open. Not for pages that refuse the person: they share a title.
 */
export async function goTo(page: Page, address: string): Promise<void> {
  if (!(await page.evaluate(`(${MOVE})(${JSON.stringify(address)})`))) await page.goto(address)
}

/** Every page sets its title when it is shown. The page before stays until the next one is loaded. */
const MOVE = `async (address) => {
  const kindOf = (url) => new URL(url).pathname.split('/')[2]
  const moves = document.querySelector('.mantine-AppShell-root') && new URL(address).origin === location.origin && kindOf(address) !== kindOf(location.href)
  if (!moves) return false
  document.title = ''
  history.pushState({}, '', address)
  for (const end = Date.now() + ${TIMEOUT_MS}; document.title === ''; await new Promise(requestAnimationFrame))
    if (Date.now() > end) throw new Error('It is not shown: ' + address)
  return true
}`

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
  const frame = (await page.evaluate(FRAME)) as string
  const run = checked_frames.has(frame) ? runAxe(`{ exclude: [['${HEAD}'], ['${NAVIGATION}']] }`) : AXE_RUN
  const violations = (await page.evaluate(run)) as { impact: string; id: string; nodes: { html: string }[] }[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
  checked_frames.add(frame)
}

/**
 * Frames of the console, the head and the navigation, in which axe has found no fault. They are two thirds of the elements of
 * most pages, and the same on all of them but for the mark of the open page.
 */
const checked_frames = new Set<string>()

const [HEAD, NAVIGATION] = ['.mantine-AppShell-header', '.mantine-AppShell-navbar']

/** The frame of a page, and what its colors, sizes and reach follow from. */
const FRAME = `[innerWidth, document.documentElement.dataset.mantineColorScheme, ...[...document.querySelectorAll('${HEAD}, ${NAVIGATION}')].map((part) =>
  part.closest('[aria-hidden=true], [inert]')?.tagName + part.outerHTML.replaceAll(/ (aria-current|data-active)="\\w+"/g, ''))].join()`

/** Wait until a page has no open requests for a short time. */
async function waitForRequests(page: Page): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet = countOpenRequests(page) > 0 ? 0 : quiet + 1) await sleep(50)
}

const WAIT_FOR_ANIMATIONS = `Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished)).then(() => {})`
const HORIZONTAL_OVERFLOW = 'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)'
