import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BrowserTest, checkPage, openBrowserTest } from './browser.ts'

let browser: BrowserTest

beforeAll(async () => {
  browser = await openBrowserTest()
})
afterAll(() => browser.close())

it.each([
  ['front-page', {}],
  ['front-page-dark-narrow', { dark: true, narrow: true }],
])('the address of the service leads to the console and the reference: %s', async (name, options) => {
  const page = await browser.openPage(options)
  await page.goto(browser.url)
  await checkPage(page, name)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.waitForURL(`${browser.url}/docs/reference`)
  await page.goBack()
  await page.getByRole('link', { name: 'Console' }).click()
  await page.getByLabel(/^E-mail/).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/console/)
})

it.each([
  ['sw-KE', 'Hapa ni mahali pa majaribio: hakuna pesa halisi zinazohama.', 'Konsoli'],
  ['fr-CI', 'Ceci est un environnement de test : aucun argent réel ne circule.', 'Console'],
  ['de-DE', 'This is a sandbox: no real money moves.', 'Console'],
])('the address of the service speaks the language of the browser: %s', async (language, sentence, link) => {
  const answer = await fetch(browser.url, { headers: { accept: 'text/html', 'accept-language': language } })
  expect(answer.headers.get('vary')).toContain('accept-language')
  const html = await answer.text()
  expect(html).toContain(`<html lang="${language.startsWith('de') ? 'en' : language.slice(0, 2)}">`)
  expect(html).toContain(`<p>${sentence}</p>`)
  expect(html).toContain(`<a href="/console">${link}</a>`)
})
