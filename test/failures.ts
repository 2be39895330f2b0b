import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'

/* Report of a failed test besides its error: the output of its services and programs, and the open pages. */

/** The end of an output is what tells; a service at work writes much more. */
const MAX_LINES = 200
const SCREENSHOTS_DIR = join(import.meta.dirname, 'web/screenshots/failed')

const lines: string[] = []
const pages = new Set<Page>()

/** Keep lines of a log or an output of the running test. */
export function keepOutput(text: string): void {
  lines.push(...text.split('\n').filter(Boolean))
  if (lines.length > 2 * MAX_LINES) lines.splice(0, lines.length - MAX_LINES)
}

/** Take a screenshot of this page if a test fails while it is open. @returns a function that ends this */
export function watchPage(page: Page): () => void {
  pages.add(page)
  const unwatch = () => pages.delete(page)
  page.once('close', unwatch)
  return unwatch
}

/** Registers, for all tests of a file, what is shown when one fails. */
export function showFailures(): void {
  afterEach(async ({ task }) => {
    const written = lines.splice(0).slice(-MAX_LINES)
    if (task.result?.state !== 'fail') return
    const shown = await Promise.all([...pages].map((page, index) => takeScreenshot(page, `${task.id}-${index}`)))
    const parts = [`After the failure of "${task.name}":`, ...shown, ...written]
    process.stderr.write(`${parts.join('\n')}\n`)
  })
}

async function takeScreenshot(page: Page, name: string): Promise<string> {
  await mkdir(SCREENSHOTS_DIR, { recursive: true })
  const path = join(SCREENSHOTS_DIR, `${name}.png`)
  return page.screenshot({ path, timeout: 10_000 }).then(
    () => `${page.url()} is in ${path}`,
    (error: Error) => `${page.url()} could not be photographed: ${error.message}`,
  )
}
