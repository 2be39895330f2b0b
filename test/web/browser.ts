import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { source as axe } from 'axe-core'
import { pino } from 'pino'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { buildWeb } from '../../src/cli/service/build-web.ts'
import { provideDemo } from '../../src/cli/service/demo.ts'
import { buildHouse, eventually, type House } from '../test-app.ts'
import { alone } from './machine-lock.ts'
import { launchChromium } from './chromium.ts'

/** Where the pictures of every walk are kept, to be looked at. */
const PICTURES = join(import.meta.dirname, 'screenshots')

export const OWNER = 'owner@demo.example'
export const PASSWORD = 'correct horse battery'

/** Machines that are busy need time; nothing that works comes near it. */
const PATIENCE_MS = 45_000

/** A real Chromium before the real service, in a house of its own. */
export interface Theatre {
  house: House
  url: string
  /** A browser window; `dark` and `narrow` as some people have it. Closed with the theatre. */
  open(options?: { dark?: boolean; narrow?: boolean }): Promise<Page>
  close(): Promise<void>
}

/** Builds the pages if need be, starts the service with its jobs, and a browser. */
export async function openTheatre(): Promise<Theatre> {
  await alone('web', () => buildWeb(pino({ level: 'error' })).done)
  const house = await buildHouse({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await provideDemo(house.app)
  const { url } = await house.open()
  await mkdir(PICTURES, { recursive: true })
  const browser = await launchChromium()
  const complaints: string[] = []
  return {
    house,
    url,
    async open({ dark = false, narrow = false } = {}) {
      const context = await browser.newContext({
        viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 860 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
      })
      context.setDefaultTimeout(PATIENCE_MS)
      watch(context, url, complaints)
      return context.newPage()
    },
    async close() {
      await browser.close()
      await house.close()
      // A page that asked somebody else, broke the content policy or threw fails the test that showed it.
      expect(complaints).toEqual([])
    },
  }
}

/** Signs the demo owner in and waits for the first page. */
export async function signIn(page: Page, url: string, email = OWNER): Promise<void> {
  await page.goto(`${url}/console`)
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Your account and sign out' }).waitFor()
}

/** Lets time pass, a second at a time, until the page shows this text: what it is about happens in the world outside. */
export async function passUntilSeen({ house }: Theatre, page: Page, text: string): Promise<void> {
  const lookOnce = async () => {
    house.clock.advance(1)
    house.app.wake()
    return (await page.getByText(text).count()) > 0 || undefined
  }
  await eventually(`the page to show ${text}`, lookOnce, PATIENCE_MS)
}

/**
 * Takes a picture of the page and checks that everybody can use it (axe: WCAG 2.2 A and AA, serious and worse), and that
 * it is no wider than the window.
 */
export async function look(page: Page, name: string): Promise<void> {
  // Pictures of things on their way are different every time, and a colour on its way has no contrast to speak of.
  await settle(page)
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  await page.evaluate(STILL)
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
  expect(await page.evaluate(BEYOND_THE_WINDOW), `what ${name} hides to the right`).toBe(0)
  await page.evaluate(axe)
  const found = (await page.evaluate(AXE_RUN)) as { impact: string; id: string; nodes: { html: string }[] }[]
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
}

/** What each page is waiting for; streams of events, which never end, apart. */
const underway = new WeakMap<Page, Set<Request>>()

/** Waits until a page has asked nothing for a moment. */
async function settle(page: Page): Promise<void> {
  const requests = underway.get(page)
  for (let quiet = 0; quiet < 3; quiet = requests?.size ? 0 : quiet + 1) await sleep(50)
}

const STILL = `Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished)).then(() => {})`
const BEYOND_THE_WINDOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const AXE_RUN = `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`

/** Notes what no page may do: ask another host, break the content policy, throw. */
function watch(context: BrowserContext, url: string, complaints: string[]): void {
  context.on('page', (page) => {
    const requests = new Set<Request>()
    underway.set(page, requests)
    page.on('request', (request) => request.resourceType() !== 'eventsource' && requests.add(request))
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => requests.delete(request))
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      complaints.push(`asked ${request.url()}`)
  })
  context.on('weberror', (error) => complaints.push(`threw ${error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Warning:|React/.test(message.text()))
      complaints.push(message.text())
  })
}
