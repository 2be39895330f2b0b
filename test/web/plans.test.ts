import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOccurrences } from '../../src/core/collections/occurrences.ts'
import { begin } from '../../src/db/client.ts'
import { createApiClient } from '../test-app.ts'
import { type BrowserTest, checkPage, OWNER, openBrowserTest, signIn } from './browser.ts'

/* The pages of recurring requests. */

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

it('lists a recurring request, pauses, resumes and stops it', { timeout: 300_000 }, async () => {
  const { testApp, url } = browserTest
  const subscription_settings = { frequency: 'weekly', end_date: '31/12/2030 12:00:00' }
  const body = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC', reason: 'Rent', subscription_settings }
  const { body: first } = await createApiClient(url, testApp.api_key).post('/api/collectionrequests', body)
  const [plan] = await testApp.db<{ id: number; due_at: Date }[]>`
    select id, due_at from plans where collection_request = ${first.id}`
  await begin(testApp.db, (tx) => createOccurrences(tx, plan!.due_at, [plan!.id]))

  const page = await browserTest.openPage()
  await signIn(page, url)
  await page.getByRole('link', { name: 'Recurring requests' }).click()
  const row = page.getByRole('row', { name: /\+80000000003/ })
  await row.getByText('Active').waitFor()
  await checkPage(page, 'plans')
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'BXC 1,500 from +80000000003' }).waitFor()
  await page
    .getByRole('region', { name: 'Collection requests' })
    .getByRole('link', { name: /^Request / })
    .first()
    .waitFor()
  await checkPage(page, 'plan')
  for (const [button, shown] of [
    ['Pause', 'None until resumed'],
    ['Resume', 'Active'],
    ['Stop recurring', 'None, stopped'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('button', { name: button }).click()
    await page.getByText(shown).first().waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const [stopped] = await testApp.db`select stopped is not null as stopped from plans where id = ${plan!.id}`
  expect(stopped).toEqual({ stopped: true })
  const phone = await browserTest.openPage({ dark: true, narrow: true })
  await signIn(phone, url, OWNER, `/plans/${plan!.id}`)
  await phone.getByText('None, stopped').waitFor()
  await checkPage(phone, 'plan-narrow')
})
