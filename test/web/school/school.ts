import type { Page } from 'playwright-core'
import { type BrowserTest, goTo, OWNER, openBrowserTest } from '../browser.ts'
import { openConsole } from '../days/hands.ts'
import { checkInBothWindows } from '../days/windows.ts'
import { WINDOWS } from '../pictures/variants.ts'

/** A school with its bursar at the console, and a parent with a phone. */
export interface School {
  browserTest: BrowserTest
  /** The window of the bursar, in turn as wide as a desk and as a phone. */
  bursar: Page
  /** The browser of a parent's phone. */
  phone: Page
  /** The number to which parents send money. */
  till: string
  /** The address of the school's payment link, once there is one. */
  link: string
  /** Number of visits to each kind of page. */
  visits: Map<string, number>
  /** Names of pages and dialogs that were checked in both windows. */
  checked: Set<string>
}

export async function openSchool(): Promise<School> {
  const browserTest = await openBrowserTest()
  const { db, organization } = browserTest.testApp
  const [place] = await db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const bursar = await openConsole(browserTest, OWNER, WINDOWS.desk)
  const phone = await browserTest.openPage({ narrow: true })
  return { browserTest, bursar, phone, till: place!.number, link: '', visits: new Map(), checked: new Set() }
}

/** Open a page of the console: each kind of page at the desk and on the phone in turn. */
export async function open({ bursar, browserTest, visits }: School, path: string): Promise<void> {
  const kind = path.replace(/\?.*/, '').replace(/\d+/, '')
  const visit = visits.get(kind) ?? 0
  visits.set(kind, visit + 1)
  await bursar.setViewportSize(visit % 2 === 0 ? WINDOWS.desk : WINDOWS.phone)
  await goTo(bursar, `${browserTest.url}/console${path}`)
}

/** Check a page or dialog in both windows, the first time that it is seen. */
export async function check({ bursar, checked }: School, name: string): Promise<void> {
  if (checked.has(name)) return
  checked.add(name)
  await checkInBothWindows(bursar, `term-${name}`)
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
