import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { loadAxe } from '../browser.ts'

const MEASURE = readFileSync(join(import.meta.dirname, 'measure.js'), 'utf8')

/** Maximum time to load a page on a busy machine. */
const LOAD_MS = 120_000

/** Count the open requests of the page, so that the walk goes on as soon as there are none. */
const COUNT_REQUESTS = `{
  window.openRequests = 0
  const original = window.fetch
  window.fetch = (...args) => {
    window.openRequests++
    return original(...args).finally(() => window.openRequests--)
  }
}`

/**
 * Wait until the page is loaded and at rest: a head, no requests, no loaders or placeholders, no animations, for some
 * frames.
 */
const REST = `async (isReady) => {
  const end = Date.now() + ${LOAD_MS}
  for (let quiet = 0; quiet < 3; ) {
    await new Promise(requestAnimationFrame)
    const busy = window.openRequests > 0 || document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root') || !isReady() ||
      document.getAnimations().some((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime !== Infinity)
    quiet = busy ? 0 : quiet + 1
    if (Date.now() > end) throw new Error('It does not come to rest: ' + location.pathname + ' with ' + window.openRequests + ' requests, and the dialog ' + document.querySelector('[role=dialog]')?.innerText.slice(0, 200))
  }
}`

/** Prepare a window, before its first page is loaded. */
export async function prepareWalk(page: Page): Promise<void> {
  await page.addInitScript(COUNT_REQUESTS)
}

/** Open a page of the console as a click on a link does, without loading the console again. */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`(${WALK})(${JSON.stringify(`/console${path}`)})`)
}

/** Every page sets its title when it is shown. The page before stays until the next one is loaded. */
const WALK = `async (address) => {
  document.title = ''
  history.pushState({}, '', address)
  await (${REST})(() => document.title !== '' && document.querySelector('h1'))
}`

/** Find the parts of the open page that people cannot read. */
export async function findFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(MEASURE)) as string[]
}

/** Rules of axe about the landmarks of a page. Screen readers tell them apart by their names. */
const LANDMARK_RULES = [
  'landmark-unique',
  'landmark-one-main',
  'landmark-no-duplicate-main',
  'landmark-main-is-top-level',
]

const FIND_LANDMARKS = `axe.run(document, { runOnly: ${JSON.stringify(LANDMARK_RULES)} }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' at ' + html.slice(0, 150))))`

/** Find landmarks of the open page with the same role and name, in sentences. */
export async function findDoubleLandmarks(page: Page): Promise<string[]> {
  await loadAxe(page)
  return (await page.evaluate(FIND_LANDMARKS)) as string[]
}

/** The text that people see tells buttons apart, so a button in each of many rows is pressed once. */
const LABEL = `one.textContent || one.getAttribute('aria-label')`
const OPENERS = `[...document.querySelectorAll('main [aria-haspopup=dialog]')].filter((one) => one.checkVisibility() && !one.disabled)`

/** Show the actions that the head of a page folds on a phone. */
const UNFOLD = `document.querySelector('h1').closest('.mantine-Group-root')?.querySelector('button[aria-expanded=false]:not([aria-haspopup])')?.click()`

/**
 * Open each dialog of the open page, one after the other, and close it again. Of buttons with the same label, such as
 * in rows, it takes the first. Escape must close it.
 * @param look called while a dialog is open, with its label
 */
export async function walkDialogs(page: Page, look: (label: string) => Promise<void>): Promise<void> {
  await page.evaluate(UNFOLD)
  const labels = (await page.evaluate(`[...new Set(${OPENERS}.map((one) => ${LABEL}))]`)) as string[]
  for (const label of labels) {
    const opened = await page.evaluate(`(async () => {
      const button = ${OPENERS}.find((one) => (${LABEL}) === ${JSON.stringify(label)})
      // As a person does: Mantine hides the popover of a button that is not in view, and Escape would not reach it.
      button?.scrollIntoView({ block: 'center', behavior: 'instant' })
      button?.click()
      if (button) await (${REST})(() => document.querySelector('[role=dialog]'))
      return button !== undefined
    })()`)
    if (!opened) continue
    await look(label)
    // The dialog before may have returned the focus to its button only after this one had opened.
    await page.evaluate(`document.querySelector('[role=dialog]').querySelector('button, input')?.focus()`)
    await page.keyboard.press('Escape')
    await page.evaluate(`(${REST})(() => !document.querySelector('[role=dialog]'))`)
  }
}
