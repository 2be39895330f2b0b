import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrowserTest, checkPage, goTo, openBrowserTest, signIn } from '../browser.ts'
import { fillShop } from '../pictures/shop.ts'
import { prepareWalk, walkTo } from '../pictures/walk.ts'

/** The lists of the console that a full shop has rows for, with the columns that only a file has. */
const LISTS: Record<string, readonly string[]> = {
  '/collections': ['Phone number', 'Currency'],
  '/collectionrequests': ['Phone number', 'Currency'],
  '/payments': ['Phone number', 'Currency'],
  '/bulk-payments': ['Currency', 'Rows'],
  '/invoices': ['Currency'],
  '/contacts': [],
  '/payment-links': ['Currency'],
  '/plans': ['Phone number', 'Currency'],
  '/bills': ['Currency'],
  '/sms': ['Problem', 'Currency'],
  '/sms/opt-outs': [],
  '/events': [],
  '/webhooks': ['Description'],
  '/deliveries': [],
  '/wallets': ['Currency'],
  '/receipts': ['Currency'],
  '/reconciliation': [],
  '/unassigned': ['Currency'],
  '/users': ['E-mail'],
  '/keys': ['Key'],
  '/connections': ['Time'],
  '/audit': [],
}
/** Columns of buttons, which a file does not have. */
const BUTTONS = ['Actions', 'Change']

let browserTest: BrowserTest
let page: Page

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const owner = await fillShop(browserTest.testApp, browserTest.url)
  const consent = { phonenumber: '+80000000077', state: 'withdrawn', reason: 'She asked at the till.' }
  expect((await owner.post('/settings/sms/opt-outs', consent)).status).toBeLessThan(300)
  page = await browserTest.openPage()
  await prepareWalk(page)
  await signIn(page, browserTest.url)
}, 300_000)
afterAll(() => browserTest?.close())

/** Save a file with an entry of the menu of the page, and read it. */
async function save(from: Page, button: string, entry: string): Promise<{ name: string; rows: string[][] }> {
  await from.getByRole('button', { name: button, exact: true }).first().click()
  const [file] = await Promise.all([
    from.waitForEvent('download'),
    from.getByRole('menuitem', { name: entry, exact: true }).click(),
  ])
  return { name: file.suggestedFilename(), rows: parse(await readFile(await file.path()), { bom: true }) }
}

describe('a list', { timeout: 300_000 }, () => {
  it.each(Object.entries(LISTS))(
    'at %s is saved with the columns of the screen, or with all fields',
    async (path, more) => {
      await walkTo(page, path)
      await page.getByRole('button', { name: 'Download', exact: true }).first().waitFor()
      const tables = page.getByRole('table')
      const table = path === '/users' ? tables.first() : tables.last()
      const shown = (await table.locator('th').allInnerTexts()).map((title) => title.trim()).filter(Boolean)
      const { name, rows } = await save(page, 'Download', 'Columns shown (CSV)')
      expect(name).toMatch(/^[^/]+ \d{4}-\d\d-\d\d\.csv$/)
      const [titles = [], ...lines] = rows
      expect(titles.filter((title) => shown.includes(title))).toEqual(shown.filter((title) => !BUTTONS.includes(title)))
      expect(titles.filter((title) => !shown.includes(title))).toEqual(more)
      expect(lines.length).toBeGreaterThan(0)
      expect(lines.flat().filter(looksLikeJson)).toEqual([])
      const all = await save(page, 'Download', 'All fields (CSV)')
      expect(all.rows.flat().filter(looksLikeJson)).toEqual([])
      expect(all.rows).toHaveLength(rows.length)
    },
  )

  it('is saved in the language of the person, with the columns that are not hidden', async () => {
    const french = await browserTest.openPage({ locale: 'fr-FR', narrow: true })
    await french.goto(`${browserTest.url}/console`)
    await french.getByLabel(/^E-mail/).fill('owner@demo.example')
    await french.getByLabel(/^Mot de passe/).fill('correct horse battery')
    await french.getByRole('button', { name: 'Se connecter' }).click()
    await french.getByLabel(/^Mot de passe/).waitFor({ state: 'detached' })
    const query = 'columns=payer,amount&days=2029-12-01..2031-01-31'
    await goTo(french, `${browserTest.url}/console/collections?${query}`)
    await french.getByRole('button', { name: 'Télécharger' }).click()
    await french.getByRole('menuitem', { name: 'Colonnes affichées (CSV)' }).waitFor()
    await checkPage(french, 'export-menu-fr')
    await french.keyboard.press('Escape')
    const { name, rows } = await save(french, 'Télécharger', 'Colonnes affichées (CSV)')
    expect(name).toMatch(/^\S+ du 2029-12-01 au 2031-01-31\.csv$/)
    expect(rows[0]).toEqual(['De', 'Numéro de téléphone', 'Montant', 'Devise'])
    expect(rows[1]).toEqual([
      expect.any(String),
      expect.stringMatching(/^'\+800/),
      expect.stringMatching(/^\d+(\.\d\d)?$/),
      'BXC',
    ])
  })

  it('offers both files for the selected rows as well', async () => {
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    await page.getByRole('table').getByRole('checkbox').nth(1).check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: 'All fields (Excel)' }).waitFor()
    await checkPage(page, 'export-menu')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Columns shown (CSV)' }).click(),
    ])
    const rows: string[][] = parse(await readFile(await file.path()), { bom: true })
    expect(rows).toHaveLength(2)
    expect(rows[0]?.slice(0, 2)).toEqual(['Customer', 'Phone number'])
  })
})

function looksLikeJson(cell: string): boolean {
  return /[{[]/.test(cell)
}
