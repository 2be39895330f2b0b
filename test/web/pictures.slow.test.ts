import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions, type Permission } from '../../src/core/access/api-keys.ts'
import { setMembership } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { addPerson } from '../console/shop.ts'
import { type BrowserTest, openBrowserTest, signIn } from './browser.ts'
import { addressOf, LEFT_OUT, type Route, readRoutes, visitsOf } from './pictures/routes.ts'
import { fillShop } from './pictures/shop.ts'
import { type PictureOrder, takePictures } from './pictures/take.ts'
import { WINDOWS } from './pictures/variants.ts'
import { findDoubleLandmarks, findFaults, prepareWalk, walkDialogs, walkTo } from './pictures/walk.ts'

/* Every page of the console on a phone, for each kind of user: nothing is cut off, broken, overlapped or to the side. */

const USER = 'kwame@shop.example'

const ROLES: Record<string, readonly Permission[]> = {
  'a viewer': ['view'],
  'a clerk': ['view', 'initiate_collections', 'manage_contacts', 'initiate_payments', 'approve_payments', 'pay_bills'],
}

/** Lists whose first row is in sight on a phone. */
const LISTS = [
  '/collectionrequests',
  '/collections',
  '/payments',
  '/invoices',
  '/receipts',
  '/payment-links',
  '/plans',
  '/contacts',
  '/wallets',
  '/bills',
  '/events',
  '/deliveries',
  '/webhooks',
]

let browserTest: BrowserTest
let page: Page
let user: number
const addresses = new Map<Route, string>()
let visits: ReadonlyMap<string, string>

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { testApp, url } = browserTest
  const owner = await fillShop(testApp, url)
  for (const route of readRoutes())
    if (!LEFT_OUT.includes(route.path)) addresses.set(route, await addressOf(route, owner))
  visits = await visitsOf(url, owner)
  user = await addPerson(testApp, { email: USER, organization: testApp.organization, permissions: ['view'] })
  page = await browserTest.openPage({ narrow: true, own: true })
  await prepareWalk(page)
  await signIn(page, url, USER)
}, 300_000)
afterAll(() => browserTest?.close())

/** Give the user these permissions, and load the console again. */
async function become(permissions: readonly Permission[]): Promise<void> {
  const { db, clock, organization } = browserTest.testApp
  await begin(db, (tx) => setMembership(tx, clock.now(), { organization, user, permissions }))
  await page.goto(`${browserTest.url}/console/account`)
}

/** Everything that is wrong on the pages of a walk, by what was looked for. */
type Faults = Record<'page' | 'row' | 'dialog' | 'landmark', string[]>

describe('at a width of 390 px', { timeout: 300_000 }, () => {
  it.each(Object.entries(ROLES))('%s reads every page', async (_role, permissions) => {
    await become(permissions)
    const faults: string[] = []
    for (const [{ permission }, address] of addresses) {
      if (permission !== undefined && !permissions.includes(permission as Permission)) continue
      await walkTo(page, address)
      faults.push(...(await findFaults(page)).map((fault) => `${address} ${fault}`))
    }
    expect(faults.join('\n')).toBe('')
  })
})

describe('a manager at a width of 390 px', () => {
  const faults: Faults = { page: [], row: [], dialog: [], landmark: [] }

  // One walk: to open a page costs more than to look at it.
  beforeAll(async () => {
    await become(allPermissions)
    for (const address of addresses.values()) {
      await walkTo(page, address)
      faults.page.push(...(await findFaults(page)).map((fault) => `${address} ${fault}`))
      faults.landmark.push(...(await findDoubleLandmarks(page)).map((fault) => `${address} ${fault}`))
      if (LISTS.includes(address)) faults.row.push(...(await findLowRow()).map((fault) => `${address} ${fault}`))
      await walkDialogs(page, async (label) => {
        faults.dialog.push(...(await findFaults(page)).map((fault) => `${address}, ${label}: ${fault}`))
      })
    }
  }, 900_000)

  it.each([
    ['reads every page', 'page'],
    ['sees the first row of a list above the middle of the screen', 'row'],
    ['reads every dialog', 'dialog'],
    ['hears the name of each landmark once', 'landmark'],
  ] as const)('%s', (_name, looked_for) => {
    expect(faults[looked_for].join('\n')).toBe('')
  })

  it('has been to every list', () => {
    expect([...addresses.values()]).toEqual(expect.arrayContaining(LISTS))
  })
})

/** Find that the first row of the open list is not above the middle of the screen. */
async function findLowRow(): Promise<string[]> {
  const top = Number(await page.evaluate(`document.querySelector('.row-cards > li')?.getBoundingClientRect().top`))
  return top < WINDOWS.phone.height / 2 ? [] : [`begins at ${top} px`]
}

describe('at a width of 1440 px', { timeout: 300_000 }, () => {
  // Rows are cards on a phone, and tables in regions on a desk.
  it('a manager hears the name of each landmark once', async () => {
    await page.setViewportSize(WINDOWS.desk)
    await become(allPermissions)
    const faults: string[] = []
    for (const address of addresses.values()) {
      await walkTo(page, address)
      faults.push(...(await findDoubleLandmarks(page)).map((fault) => `${address} ${fault}`))
    }
    await page.setViewportSize(WINDOWS.phone)
    expect(faults.join('\n')).toBe('')
  })
})

/** Order of `npm run console:pictures`, which is too slow for every change. */
const order = process.env.KUSANYA_PICTURES

it.runIf(order)(
  'pictures of every page in each language, window and color scheme',
  { timeout: 7_200_000 },
  async () => {
    await become(allPermissions)
    const faults = await takePictures(browserTest, {
      order: JSON.parse(order!) as PictureOrder,
      email: USER,
      addresses: [...addresses.values()],
      visits,
    })
    expect(faults.join('\n')).toBe('')
  },
)

describe('the measure', { timeout: 300_000 }, () => {
  it.each([
    ['lies outside', '<p style="position: relative; left: 380px">Nakayenga</p>'],
    ['The page is wider', '<div style="width: 500px">.</div>'],
    ['scrolls sideways', '<div style="overflow: auto; width: 300px"><div style="width: 400px">Amount</div></div>'],
    ['is cut off', '<div style="overflow: hidden; width: 30px; white-space: nowrap">Collections</div>'],
    ['is cut off below', '<div style="overflow: hidden; height: 5px">Collections</div>'],
    ['narrower than its word', '<div style="width: 40px; overflow-wrap: anywhere">Deliveries</div>'],
    [
      'narrower than its word',
      '<code style="display: block; width: 40px; overflow-wrap: anywhere">notifications</code>',
    ],
    ['lies upon another text', '<p>Payment</p><p style="margin-top: -30px">Request</p>'],
    [
      'is a state that is cut off',
      '<div class="mantine-Badge-root"><div class="mantine-Badge-label" style="overflow: hidden; width: 20px; white-space: nowrap">Instructions sent</div></div>',
    ],
    [
      'is wider than its column',
      '<ul class="row-cards"><li><dl><dd style="width: 90px; margin: 0"><button style="width: 120px">Reset password</button></dd></dl></li></ul>',
    ],
    ['is a code without words', '<p>Request 5: <span>processing_started</span></p>'],
    [
      'has several primary actions',
      '<button class="mantine-Button-root">Add</button><button class="mantine-Button-root" data-variant="filled">Upload</button>',
    ],
    ['state does not come first', '<ul class="row-cards"><li>Ann <b data-status="paid">Paid</b></li></ul>'],
  ])('finds what %s', async (fault, html) => {
    const other = await page.context().newPage()
    await other.setViewportSize(WINDOWS.phone)
    await other.setContent(`<meta name="viewport" content="width=device-width"><h1>Payments</h1>${html}`)
    expect((await findFaults(other)).join('\n')).toContain(fault)
    await other.setContent('<h1>Payments</h1><p>Nothing is wrong here.</p>')
    expect(await findFaults(other)).toEqual([])
    await other.close()
  })
})
