import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrowserTest, checkPage, openBrowserTest } from './browser.ts'
import { buildSite } from './machine-lock.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'site/dist')
const SCREENSHOTS_DIR = join(import.meta.dirname, 'screenshots')

let browser: BrowserTest

beforeAll(async () => {
  await buildSite()
  browser = await openBrowserTest()
}, 300_000)
afterAll(() => browser?.close())

describe('the built documentation', () => {
  it('has no broken links, and loads nothing from elsewhere', () => {
    const pages = readPages()
    expect(pages.size).toBeGreaterThan(70)
    expect([...pages].flatMap(([file, html]) => brokenLinks(pages, file, html))).toEqual([])
    const foreign = /<(script|img|link|source|iframe)[^>]* (src|href)="(https?:)?\/\//
    expect([...pages].flatMap(([file, html]) => (foreign.test(html) ? [file] : []))).toEqual([])
  })

  it('has no script and no style that the content policy would refuse', () => {
    const refused = /<script(?![^>]* src=)[^>]*>| style="|<style/
    expect([...readPages()].flatMap(([file, html]) => (refused.test(html) ? [file] : []))).toEqual([])
  })
})

function readPages(): Map<string, string> {
  const files = globSync('**/*.html', { cwd: DIST })
  return new Map(files.map((file) => [file, readFileSync(join(DIST, file), 'utf8')]))
}

/** The addresses of a page that lead to no file of the site, or to no heading of it. */
function brokenLinks(pages: Map<string, string>, from: string, html: string): string[] {
  const urls = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, url]) => url!)
  return urls.flatMap((url) => {
    const [path = '', anchor] = url.split('#')
    if (/^https?:/.test(path) || path === '/docs/reference') return []
    const name = path.replace(/^\/docs\/?/, '').replace(/\/$/, '/index') || 'index'
    const page = path === '' ? from : pages.has(`${name}.html`) ? `${name}.html` : undefined
    if (page === undefined) return path.startsWith('/docs/') && existsSync(join(DIST, name)) ? [] : [`${from}: ${url}`]
    return !anchor || pages.get(page)!.includes(` id="${decodeURIComponent(anchor)}"`) ? [] : [`${from}: ${url}`]
  })
}

it.each([
  ['docs', '/docs', {}],
  ['docs-dark', '/docs', { dark: true }],
  ['docs-narrow', '/docs', { narrow: true }],
  ['docs-code', '/docs/getting-started', {}],
  ['docs-code-dark-narrow', '/docs/getting-started', { dark: true, narrow: true }],
  ['docs-how-it-works', '/docs/how-it-works', { dark: true }],
  ['docs-tables-narrow', '/docs/operating/settings', { narrow: true }],
])('shows %s', async (name, path, options) => {
  const page = await browser.openPage(options)
  await page.goto(browser.url + path)
  await checkPage(page, name)
})

it('finds words in all pages, and leads to them', async () => {
  const page = await browser.openPage()
  await page.goto(`${browser.url}/docs`)
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').fill('opt-out')
  const result = page.getByRole('dialog').getByRole('link', { name: 'SMS Consent, STOP and quiet hours' })
  await result.waitFor()
  await checkPage(page, 'docs-search')
  await result.click()
  await page.waitForURL(`${browser.url}/docs/sms#consent-stop-and-quiet-hours`)
  await page.getByRole('heading', { name: 'Consent, STOP and quiet hours' }).waitFor()
})

const PLACES: [words: string, place: string, heading: string][] = [
  ['pay salaries', '/docs/manual/pay-people', 'Pay people'],
  ['getPayment', '/docs/reference#tag/payments/GET/api/payments/{id}', 'Get one payment'],
  ['collection.received', '/docs/reference#tag/webhooks/webhook/POST/collection.received', 'Money was received'],
  ['contact.credit_changed', '/docs/reference#tag/webhooks/webhook/POST/contact.credit-changed', 'The credit of a'],
  ['too many requests', '/docs/reference#description/429-too-many-requests', '429 Too many requests'],
]

/** Search for words on a page, and return the first result. */
async function searchFor(page: Page, words: string, heading: string): Promise<Locator> {
  await page.goto(`${browser.url}/docs/glossary`)
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').fill(words)
  const first = page.getByRole('dialog').getByRole('link').first()
  await first.filter({ hasText: heading }).waitFor()
  return first
}

const isAt = (place: string) => (url: URL) => decodeURI(url.href).startsWith(browser.url + place)

it.each(PLACES)('leads from the words "%s" to their place by Enter', async (words, place, heading) => {
  const page = await browser.openPage()
  await searchFor(page, words, heading)
  await page.keyboard.press('Enter')
  await page.waitForURL(isAt(place))
  await page.getByRole('heading', { name: heading }).first().waitFor()
})

it('leads from words to their place in the reference by a click', async () => {
  const [words, place, heading] = PLACES[1]!
  const page = await browser.openPage()
  const result = await searchFor(page, words, heading)
  await result.click()
  await page.waitForURL(isAt(place))
  await page.getByRole('heading', { name: heading }).first().waitFor()
})

it('shows quickstart and errors at the head of the reference', async () => {
  const page = await browser.openPage()
  await page.goto(`${browser.url}/docs/reference`)
  for (const name of ['Quickstart', 'Errors', '429 Too many requests'])
    await page.getByRole('heading', { name, exact: true }).first().waitFor()
  await page.screenshot({ path: join(SCREENSHOTS_DIR, 'docs-reference.png') })
})

it('leads from page to page, to the reference, and into the dark', async () => {
  const page = await browser.openPage()
  await page.goto(`${browser.url}/docs`)
  await page.getByRole('link', { name: 'Glossary', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Glossary' }).waitFor()
  expect(page.url()).toBe(`${browser.url}/docs/glossary`)
  await page.getByRole('switch').first().click()
  expect(await page.evaluate('document.documentElement.className')).toContain('dark')
  await page.getByRole('link', { name: 'API reference' }).first().click()
  await page.waitForURL(`${browser.url}/docs/reference`)
})

it('forwards links to sections of the reference, once at /docs, to their new place', async () => {
  const page = await browser.openPage()
  await page.goto(`${browser.url}/docs#tag/events`)
  await page.waitForURL(`${browser.url}/docs/reference#tag/events`)
})

it('says that a page does not exist', async () => {
  const page = await browser.openPage()
  const answer = await page.goto(`${browser.url}/docs/nothing`)
  expect(answer!.status()).toBe(404)
  await page.getByText('PAGE NOT FOUND').waitFor()
})
