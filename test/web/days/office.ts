import type { Locator, Page } from 'playwright-core'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import type { Amount } from '../../../src/lib/money.ts'
import { addPerson } from '../../console/shop.ts'
import { createApiClient, eventually } from '../../test-app.ts'
import { type BrowserTest, OWNER, openBrowserTest } from '../browser.ts'
import { WINDOWS } from '../pictures/variants.ts'
import { openConsole } from './hands.ts'

export const COLLEAGUE = 'colleague@shop.example'

/** The office of a shop, with an accountant and a colleague who may approve payments as well. */
export interface Office {
  browserTest: BrowserTest
  api: ReturnType<typeof createApiClient>
}

/** A day at the office: the windows of both people. */
export interface Day {
  page: Page
  colleague: Page
  /** The day in the time zone of the shop, as in an address. */
  date: string
  begins: Date
}

export async function openOffice(): Promise<Office> {
  const browserTest = await openBrowserTest()
  const { testApp, url } = browserTest
  const { db, organization } = testApp
  await addPerson(testApp, { organization, email: COLLEAGUE, permissions: allPermissions })
  await db`insert into approval_rules (organization, currency, threshold) values (${organization}, 'BXC', 1000)`
  return { browserTest, api: createApiClient(url, testApp.api_key) }
}

/** Begin the next day: the accountant has a phone, the colleague sits at a desk. */
export async function beginDay({ browserTest }: Office): Promise<Day> {
  const { clock, db, organization } = browserTest.testApp
  clock.advance(24 * 3_600)
  const page = await openConsole(browserTest, OWNER, WINDOWS.phone)
  const colleague = await openConsole(browserTest, COLLEAGUE, WINDOWS.desk)
  const [day] = await db<{ date: string; begins: Date }[]>`
    select date::text, date at time zone time_zone as begins
    from (select time_zone, (${clock.now()}::timestamptz at time zone time_zone)::date as date
      from organizations where id = ${organization}) d`
  return { page, colleague, ...day! }
}

/** A row of a table, or its card on a phone. */
export function entry(page: Page, words: string | RegExp): Locator {
  const cards = page.locator('ul.row-cards').getByRole('listitem').filter({ hasText: words })
  return page.getByRole('row').filter({ hasText: words }).or(cards).first()
}

/** A customer pays a request at once. */
export async function receive({ browserTest, api }: Office, phonenumber: string, amount: string): Promise<void> {
  const { app, clock } = browserTest.testApp
  const names = { first_name: 'Grace', last_name: 'Akello' }
  const body = { phonenumber, amount, currency: 'BXC', send_instructions: true, ...names }
  const { id } = (await api.post('/api/collectionrequests', body)).body
  await eventually('the request to be paid', async () => {
    clock.advance(1)
    app.wake()
    return (await api.get(`/api/collectionrequests/${id}`)).body.status === 'successful' || undefined
  })
}

/** The wallet in the ledger on a day: its balance before, its balance now, and the number and sum of its movements. */
export async function readLedger({ browserTest }: Office, { begins }: Day) {
  const { db, organization } = browserTest.testApp
  const [wallet] = await db<{ id: number; opening: Amount; moved: Amount; closing: Amount; lines: number }[]>`
    select a.id, a.balance as closing, count(t.id)::integer as lines,
      coalesce(sum(case when t.to_account = a.id then t.amount else -t.amount end), 0) as moved,
      (select coalesce(sum(case when b.to_account = a.id then b.amount else -b.amount end), 0) from transfers b
        where a.id in (b.to_account, b.from_account) and b.created < ${begins}) as opening
    from accounts a
    left join transfers t on a.id in (t.to_account, t.from_account) and t.created >= ${begins}
    where a.organization = ${organization} and a.currency = 'BXC' and a.kind = 'local'
    group by a.id`
  return wallet!
}

/** Sum of what customers paid on a day. */
export async function readCollected({ browserTest }: Office, { begins }: Day): Promise<Amount> {
  const { db, organization } = browserTest.testApp
  const [sum] = await db<{ amount: Amount }[]>`
    select coalesce(sum(amount), 0) as amount from collections
    where organization = ${organization} and status = 'successful' and created >= ${begins}`
  return sum!.amount
}
