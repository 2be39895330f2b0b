import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserTest } from '../browser.ts'
import type { PictureOrder } from './take.ts'
import { WINDOWS } from './variants.ts'

/** Width of a picture of a desk on a sheet, in px: its texts can still be read. Phones keep their size. */
const DESK_WIDTH = 960
/** Long pages end here, in px of the sheet. */
const MAX_HEIGHT = 1_600

const CSS = `
  body { margin: 0; padding: 12px; width: ${2 * DESK_WIDTH + 12}px; background: #888; font: 14px sans-serif }
  main { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
  figure { margin: 0 } figcaption { background: #fff; padding: 2px 6px }
  div { max-height: ${MAX_HEIGHT}px; overflow: hidden } img { display: block }`

/** Join the pictures of each page into one sheet, with desks above and phones below. */
export async function makeSheets(browserTest: BrowserTest, order: PictureOrder): Promise<void> {
  const folder = join(order.dir, 'sheets')
  await mkdir(folder, { recursive: true })
  const files = (await readdir(join(order.dir, order.variants[0]!.name))).filter((file) => file.endsWith('.png'))
  const page = await browserTest.openPage()
  for (const file of files) {
    const figures = await Promise.all(
      order.variants.map(async ({ name, window }) => {
        const data = await readFile(join(order.dir, name, file), 'base64').catch(() => '')
        const width = window === 'desk' ? DESK_WIDTH : WINDOWS[window].width
        return `<figure><figcaption>${name}</figcaption><div><img width="${width}" src="data:image/png;base64,${data}"></div></figure>`
      }),
    )
    await page.setContent(`<style>${CSS}</style><main>${figures.join('')}</main>`)
    await page.screenshot({ path: join(folder, file), fullPage: true })
  }
  await page.context().close()
}
