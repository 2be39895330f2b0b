import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, openTheatre, signIn, type Theatre } from './browser.ts'

let theatre: Theatre

beforeAll(async () => {
  theatre = await openTheatre()
}, 120_000)
afterAll(() => theatre?.close())

describe('the phone of a customer', { timeout: 120_000 }, () => {
  it('shows the prompt of a request, takes the PIN, and the request is seen to succeed beside it', async () => {
    const page = await theatre.open()
    await signIn(page, theatre.url)
    await page.getByRole('link', { name: 'Phone' }).click()
    await page.getByText('No messages yet.').waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const prompt = page.getByRole('dialog', { name: 'Prompt of the network' })
    await prompt.getByText('to Demo Shop for Order 7').waitFor()
    await look(page, 'phone-prompt')
    for (const digit of '1234') await prompt.getByRole('button', { name: digit, exact: true }).click()
    await prompt.getByRole('button', { name: 'Pay' }).click()
    await page
      .getByText(/has arrived\. Thank you\./)
      .first()
      .waitFor()
    const timeline = page.getByRole('list', { name: 'What happened' })
    await timeline.getByText('Successful', { exact: true }).waitFor()
    await look(page, 'phone')

    await page.getByRole('button', { name: 'Send money' }).click()
    await page.getByRole('dialog', { name: 'Send money' }).getByLabel('Amount').fill('nothing')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('A valid number is required.').waitFor()
    await look(page, 'phone-send')
  })

  it('is dark in the dark, and fits on a phone', async () => {
    const page = await theatre.open({ dark: true })
    await signIn(page, theatre.url)
    await page.goto(`${theatre.url}/console/phone`)
    await page
      .getByText(/has arrived\. Thank you\./)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const prompt = page.getByRole('dialog', { name: 'Prompt of the network' })
    await prompt.waitFor()
    await look(page, 'phone-dark')

    const narrow = await theatre.open({ narrow: true })
    await signIn(narrow, theatre.url)
    await narrow.goto(`${theatre.url}/console/phone`)
    await narrow.getByRole('dialog', { name: 'Prompt of the network' }).waitFor()
    await look(narrow, 'phone-narrow')
    expect(await narrow.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false)
    await narrow.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('Cancelled By User').first().waitFor()
  })
})
