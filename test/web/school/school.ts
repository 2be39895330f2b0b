import type { Page } from 'playwright-core'
import { type BrowserTest, openBrowserTest, signIn } from '../browser.ts'

/** A school with its bursar at the console, and a parent with a phone. */
export interface School {
  browserTest: BrowserTest
  /** The window of the bursar. */
  bursar: Page
  /** The browser of a parent's phone. */
  phone: Page
  /** The number to which parents send money. */
  till: string
  /** The address of the school's payment link, once there is one. */
  link: string
}

export async function openSchool(): Promise<School> {
  const browserTest = await openBrowserTest()
  const { db, organization } = browserTest.testApp
  const [place] = await db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const bursar = await browserTest.openPage()
  const phone = await browserTest.openPage({ narrow: true })
  await signIn(bursar, browserTest.url)
  return { browserTest, bursar, phone, till: place!.number, link: '' }
}

/** Open a page of the console. */
export async function open({ bursar, browserTest }: School, path: string): Promise<void> {
  await bursar.goto(`${browserTest.url}/console${path}`)
}

/** The invoice of a pupil. */
export async function invoiceOf(
  { browserTest }: School,
  pupil: string,
): Promise<{ id: number; code: string; contact: number; number: string }> {
  const [found] = await browserTest.testApp.db<{ id: number; code: string; contact: number; number: string }[]>`
    select i.id, i.code, i.contact, 'INV-' || lpad(i.number::text, 6, '0') as number from invoices i join contacts c on c.id = i.contact where c.number = ${pupil}`
  return found!
}
