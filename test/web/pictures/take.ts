import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { AXE_RUN, type BrowserTest, loadAxe, signIn } from '../browser.ts'
import { makeSheets } from './sheets.ts'
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
  /** Also make a sheet of all variants of each page: `sheets/<page>.png`. */
  sheets: boolean
}

/** Pages to walk, and the user who walks them. */
interface Walk {
  order: PictureOrder
  email: string
  /** Addresses of pages of the console. */
  addresses: readonly string[]
  /** Addresses of pages that need no session, by the name of their pictures. */
  visits: ReadonlyMap<string, string>
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
export async function takePictures(browserTest: BrowserTest, walk: Walk): Promise<string[]> {
  const { order } = walk
  const isWanted = (address: string) => order.pages.length === 0 || order.pages.some((part) => address.includes(part))
  const wanted = {
    ...walk,
    addresses: walk.addresses.filter(isWanted),
    visits: new Map([...walk.visits].filter(([, address]) => isWanted(address))),
  }
  const byWindow = Map.groupBy(order.variants, ({ window, scheme }) => `${window}-${scheme}`)
  const walks = [...byWindow.values()].map((variants) => walkVariants(browserTest, wanted, variants))
  const faults = (await Promise.all(walks)).flat()
  if (order.sheets) await makeSheets(browserTest, order)
  return faults
}

/** Walk variants of the same window and color scheme in one page of the browser. */
async function walkVariants(browserTest: BrowserTest, walk: Walk, variants: readonly Variant[]): Promise<string[]> {
  const faults: string[] = []
  const { order } = walk
  const { window, scheme } = variants[0]!
  const page = await browserTest.openPage({ dark: scheme === 'dark', own: true })
  await page.setViewportSize(WINDOWS[window])
  await prepareWalk(page)
  await signIn(page, browserTest.url, walk.email)
  for (const variant of variants) {
    await page.evaluate(`localStorage.setItem('language', '${variant.language}')`)
    await page.goto(`${browserTest.url}/console/account`)
    const folder = join(order.dir, variant.name)
    await mkdir(folder, { recursive: true })
    const look: Look = async (name, content) => {
      // A picture of the whole page changes the height of the window, and that closes menus.
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: content === 'page' })
      faults.push(...(await findAll(page, variant)).map((fault) => `${variant.name} ${name} ${fault}`))
    }
    for (const address of walk.addresses)
      await takePage(page, address, { look, dialogs: order.dialogs }).catch((error: Error) => {
        faults.push(`${variant.name} ${address} ${error.message}`)
      })
    await takeVisits(browserTest, walk.visits, { variant, folder })
  }
  await page.context().close()
  return faults
}

/** Take pictures of the pages that need no session. */
async function takeVisits(
  browserTest: BrowserTest,
  visits: Walk['visits'],
  { variant, folder }: { variant: Variant; folder: string },
): Promise<void> {
  const page = await browserTest.openPage({ dark: variant.scheme === 'dark', locale: variant.language })
  await page.setViewportSize(WINDOWS[variant.window])
  for (const [name, address] of visits) {
    await page.goto(address, { waitUntil: 'networkidle' })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
  await page.context().close()
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
  await loadAxe(page)
  const violations = (await page.evaluate(AXE_RUN)) as Violation[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.html).join(' ')}`)
}
