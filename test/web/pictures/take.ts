import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { AXE, AXE_RUN, type BrowserTest, signIn } from '../browser.ts'
import { type Variant, WINDOWS } from './variants.ts'
import { findFaults, prepareWalk, walkDialogs, walkTo } from './walk.ts'

/** Order of `npm run console:pictures`. */
export interface PictureOrder {
  /** The folder of the pictures: `<variant>/<page>.png`. */
  dir: string
  variants: readonly Variant[]
  /** Parts of the addresses of the wanted pages; none for all pages. */
  pages: readonly string[]
  dialogs: boolean
}

interface Violation {
  impact: string
  id: string
  nodes: { html: string }[]
}

/**
 * Take a picture of each page and dialog in each ordered variant. Check each with the measure of the walk, and in
 * English with axe. Windows and color schemes are walked beside each other, their languages one after the other.
 * @returns the faults, in sentences
 */
export async function takePictures(
  browserTest: BrowserTest,
  { order, email, addresses }: { order: PictureOrder; email: string; addresses: readonly string[] },
): Promise<string[]> {
  const { pages } = order
  const wanted = addresses.filter((address) => pages.length === 0 || pages.some((part) => address.includes(part)))
  const byWindow = Map.groupBy(order.variants, ({ window, scheme }) => `${window}-${scheme}`)
  const walks = [...byWindow.values()].map((variants) => walkVariants(browserTest, { order, email, wanted, variants }))
  return (await Promise.all(walks)).flat()
}

/** Walk variants of the same window and color scheme in one page of the browser. */
async function walkVariants(
  browserTest: BrowserTest,
  options: { order: PictureOrder; email: string; wanted: readonly string[]; variants: readonly Variant[] },
): Promise<string[]> {
  const faults: string[] = []
  const { window, scheme } = options.variants[0]!
  const page = await browserTest.openPage({ dark: scheme === 'dark' })
  await page.setViewportSize(WINDOWS[window])
  await prepareWalk(page)
  await signIn(page, browserTest.url, options.email)
  for (const variant of options.variants) {
    await page.evaluate(`localStorage.setItem('language', '${variant.language}')`)
    await page.goto(`${browserTest.url}/console/account`)
    const folder = join(options.order.dir, variant.name)
    await mkdir(folder, { recursive: true })
    const look: Look = async (name, content) => {
      // A picture of the whole page changes the height of the window, and that closes menus.
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: content === 'page' })
      faults.push(...(await findAll(page, variant)).map((fault) => `${variant.name} ${name} ${fault}`))
    }
    for (const address of options.wanted)
      await takePage(page, address, { look, dialogs: options.order.dialogs }).catch((error: Error) => {
        faults.push(`${variant.name} ${address} ${error.message}`)
      })
  }
  await page.context().close()
  return faults
}

type Look = (name: string, content: 'page' | 'dialog') => Promise<void>

async function takePage(
  page: Page,
  address: string,
  { look, dialogs }: { look: Look; dialogs: boolean },
): Promise<void> {
  const name = address.slice(1).replaceAll('/', '-') || 'home'
  await walkTo(page, address)
  await look(name, 'page')
  let number = 0
  if (dialogs)
    await walkDialogs(page, () => {
      number += 1
      return look(`${name}-dialog-${number}`, 'dialog')
    })
}

/** Find all faults. Elements and colors are the same in every language, so axe checks English alone. */
async function findAll(page: Page, { language }: Variant): Promise<string[]> {
  const faults = await findFaults(page)
  if (language === 'en') faults.push(...(await findViolations(page)))
  return faults
}

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const violations = (await page.evaluate(AXE_RUN)) as Violation[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.html).join(' ')}`)
}
