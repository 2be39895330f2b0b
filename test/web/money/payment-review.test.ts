import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { PASSWORD } from '../../password.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { db, organization } = browserTest.testApp
  const limits = { per_day: parseAmount('2000000')!, per_recipient: null, per_user: null }
  await begin(db, async (tx) => {
    await setApprovalRule(tx, { organization, currency: 'BXC', threshold: parseAmount('1000')! })
    await setPaymentLimits(tx, { organization, currency: 'BXC', ...limits })
  })
}, 300_000)
afterAll(() => browserTest?.close())

/** Recipients of the simulated network: one that it does not know, one with another name, one that it is silent about. */
const PEOPLE = [
  ['+80000000003', 'Sandbox Customer'],
  ['+80000000404', 'Joe Soap'],
  ['+80000000402', 'Peter Kato'],
  ['+80000000001', 'Grace Akello'],
] as const

/** Open the form of a payment, and fill it in. @param words its labels in the language of the page */
async function fillPayment(page: Page, words: typeof ENGLISH) {
  await goTo(page, `${browserTest.url}/console/payments`)
  await page.getByRole('button', { name: words.open }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[aria-haspopup=listbox]').first().click()
  await page.getByRole('option', { name: /BXC/ }).first().click()
  for (const [index, [phone, name]] of PEOPLE.entries()) {
    if (index > 0) await dialog.getByRole('button', { name: words.add }).click()
    await dialog.getByLabel(`${words.phone} ${index + 1}`).fill(phone)
    await dialog.getByLabel(`${words.name} ${index + 1}`).fill(name)
    await dialog.getByLabel(`${words.amount} ${index + 1}`).fill('450')
  }
  await dialog.getByLabel(/^Description/).fill('Wages')
}

/** Set the fee of a payment to one recipient. */
function setFixedFee(fixed: string) {
  const { db, organization, clock } = browserTest.testApp
  const fee = { organization, kind: 'payment' as const, currency: 'BXC', network: null }
  const rates = { fixed: parseAmount(fixed)!, percent: 0n, min_fee: 0n, max_fee: null }
  return begin(db, (tx) => setFee(tx, clock.now(), { ...fee, ...rates }))
}

const ENGLISH = {
  open: /^Send money$/,
  add: /^Add recipient$/,
  phone: 'Phone number',
  name: 'Name',
  amount: 'Amount',
}

describe('the review of a payment', { timeout: 300_000 }, () => {
  it('shows doubtful recipients first, and sends to an unregistered number only after a confirmation', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await fillPayment(page, ENGLISH)
    await checkPage(page, 'payment-review-form')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('1 number is not registered for mobile money').waitFor()
    const rows = await page.getByRole('region', { name: 'Recipients' }).first().getByRole('row').allInnerTexts()
    expect(rows.slice(1).map((row) => row.slice(0, 12))).toEqual([
      '+80000000001',
      '+80000000402',
      '+80000000404',
      '+80000000003',
    ])
    await page.getByText('AKELLO, Grâce Namukasa').waitFor()
    await page.getByText('1 name could not be checked').waitFor()
    await page.getByText(/^BXC one thousand eight hundred/).waitFor()
    await page.getByText('needed, because it is above BXC 1,000.').waitFor()
    const send = page.getByRole('button', { name: 'Send', exact: true })
    expect(await send.isDisabled()).toBe(true)
    await page.setViewportSize({ width: 1280, height: 2000 })
    await checkPage(page, 'payment-review')
    // The fields are still there for corrections, and a changed payment is reviewed again.
    await page.getByRole('button', { name: 'Go back' }).click()
    expect(await page.getByLabel('Amount 4').inputValue()).toBe('450')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByLabel('Send to 1 number that is not registered').check()
    await setFixedFee('5')
    await send.click()
    await page.getByText('The fee has changed since the review, from BXC 0 to BXC 20.').waitFor()
    await page.getByText('Nothing was sent. Check the new review.').waitFor()
    await page.getByText(/^BXC one thousand eight hundred and twenty/).waitFor()
    await checkPage(page, 'payment-review-changed')
    expect(await send.isDisabled()).toBe(true)
    await page.getByLabel('Send to 1 number that is not registered').check()
    await send.click()
    await page.getByText('Sent for approval.').first().waitFor()
    await page.getByRole('link', { name: '4 phones' }).waitFor()
  })

  it('fits on a phone, in another language', async () => {
    await browserTest.testApp.db`update users set language = 'fr'`
    await setFixedFee('5')
    const page = await browserTest.openPage({ narrow: true, locale: 'fr-CI' })
    await goTo(page, `${browserTest.url}/console`)
    await page.getByLabel(/^E-mail/).fill(OWNER)
    await page.getByLabel(/^Mot de passe/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByRole('button', { name: /^Votre compte/ }).waitFor()
    await fillPayment(page, {
      open: /^Envoyer de l’argent$/,
      add: /^Ajouter un bénéficiaire$/,
      phone: 'Numéro de téléphone',
      name: 'Nom',
      amount: 'Montant',
    })
    await checkPage(page, 'payment-review-form-narrow')
    await page.getByRole('button', { name: 'Vérifier', exact: true }).click()
    await page.getByText('1 numéro n’est pas inscrit au mobile money').waitFor()
    await page.getByText('1\u202f800\u00a0BXC', { exact: true }).last().waitFor()
    await page.getByText('mille huit cent vingt\u00a0BXC').waitFor()
    await page.setViewportSize({ width: 390, height: 3200 })
    await checkPage(page, 'payment-review-narrow')
  })
})
