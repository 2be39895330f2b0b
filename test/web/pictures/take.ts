import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { source as axe } from 'axe-core'
import type { Page } from 'playwright-core'
import { type BrowserTest, signIn } from '../browser.ts'
import { findFaults, prepareWalk, walkDialogs, walkTo } from './walk.ts'

const LANGUAGES = ['en', 'sw', 'fr']
const WINDOWS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const AXE_RUN = `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`

interface Violation {
  impact: string
  id: string
  nodes: { html: string }[]
}

/**
 * Takes a picture of each page and dialog in each language, window and color scheme, and checks each with axe and the
 * measure of the walk. @param dir the folder of the pictures: `<language>/<window>-<scheme>/<page>.png`
 * @returns what is wrong, in sentences
 */
export async function takePictures(
  browserTest: BrowserTest,
  options: { dir: string; email: string; addresses: Iterable<string> },
): Promise<string[]> {
  const faults: string[] = []
  for (const [window, size] of Object.entries(WINDOWS))
    for (const scheme of ['light', 'dark']) {
      const page = await browserTest.openPage({ dark: scheme === 'dark' })
      await page.setViewportSize(size)
      await prepareWalk(page)
      await signIn(page, browserTest.url, options.email)
      for (const language of LANGUAGES) {
        await page.evaluate(`localStorage.setItem('language', '${language}')`)
        await page.goto(`${browserTest.url}/console/account`)
        const folder = join(options.dir, language, `${window}-${scheme}`)
        await mkdir(folder, { recursive: true })
        const look = async (name: string) => {
          const found = await takePicture(page, join(folder, `${name}.png`), window === 'phone')
          faults.push(...found.map((fault) => `${language} ${window} ${scheme} ${name} ${fault}`))
        }
        for (const address of options.addresses) await takePage(page, address, look)
      }
      await page.context().close()
    }
  return faults
}

async function takePage(page: Page, address: string, look: (name: string) => Promise<void>): Promise<void> {
  const name = address.slice(1).replaceAll('/', '-') || 'home'
  await walkTo(page, address)
  await look(name)
  let number = 0
  await walkDialogs(page, () => {
    number += 1
    return look(`${name}-dialog-${number}`)
  })
}

/** Tables of a desk may scroll sideways in their frame; a phone has none. */
async function takePicture(page: Page, path: string, measured: boolean): Promise<string[]> {
  await page.screenshot({ path, fullPage: true })
  await page.evaluate(axe)
  const violations = (await page.evaluate(AXE_RUN)) as Violation[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const named = serious.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.html).join(' ')}`)
  return [...(measured ? await findFaults(page) : []), ...named]
}
