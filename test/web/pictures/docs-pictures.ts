import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/*
 * The pictures of README.md and docs are screenshots of checked pages. Beside each stands the text of its page, so that
 * a test fails when the page has changed and the picture has not.
 */

const IMAGES = join(import.meta.dirname, '../../../docs/images')
const PICTURES: readonly string[] = ['phone', 'home', 'connection']

/** Compare the text of a pictured page with its picture's text; with `KUSANYA_DOCS_PICTURES=write`, take the picture again. */
export async function checkPicture(page: Page, name: string): Promise<void> {
  if (!PICTURES.includes(name)) return
  const lines = toStableLines((await page.evaluate('document.body.innerText')) as string)
  const file = join(IMAGES, `${name}.txt`)
  if (process.env.KUSANYA_DOCS_PICTURES === 'write') {
    await page.screenshot({ path: join(IMAGES, `${name}.png`) })
    return writeFile(file, `${lines.join('\n')}\n`)
  }
  const pictured = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(lines, `docs/images/${name}.png shows an older page: run npm run docs:pictures`).toEqual(pictured)
}

/** Lines of a page without those that have a digit: amounts, ids and times differ from run to run. */
function toStableLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/\d/.test(line))
}
