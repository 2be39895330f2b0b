import { afterAll, beforeAll, expect, it } from 'vitest'
import { getConnection, setConnectionState, updateConnection } from '../../../src/core/connections/connections.ts'
import { begin } from '../../../src/db/client.ts'
import { changeContext } from '../../../src/http/change-context.ts'
import { openShop, type Shop } from '../../console/shop.ts'
import { decideChange } from '../../core/approvals/decisions.ts'
import { confirmationOf, postReport } from '../../networks/daraja/paying-network.ts'
import { settings } from '../../networks/daraja/recorded-network.ts'
import { eventually } from '../../test-app.ts'
import { printFigure } from '../figures.ts'

/*
 * A manager alone adds a connection that believes reports from his own machine, and reports money that nobody has paid.
 * He tries a draft, a draft that waits for its confirmation, a paused connection, and settings changed after the
 * operator's check.
 */

let shop: Shop
let wallet: number
let sent = 0

const values = { ...settings, short_code: '174301', trust_confirmations: true, sender_addresses: '127.0.0.1' }

beforeAll(async () => {
  shop = await openShop()
  const { db, organization } = shop.testApp
  const [found] = await db<{ id: number }[]>`
    select id from accounts where organization = ${organization} and currency = 'KES' and kind = 'local'`
  wallet = found!.id
})
afterAll(async () => {
  printFigure(
    'not-in-service',
    `${sent} reports of KES 1,000,000 sent; booked only what came for a connection in service`,
  )
  await shop.testApp.close()
})

async function addDraft(slug: string, short_code: string): Promise<void> {
  const draft = { slug, driver: 'daraja', environment: 'sandbox', values: { ...values, short_code } }
  expect(await shop.owner.post('/connections', draft)).toMatchObject({ status: 201 })
  const placed = await shop.owner.send('PUT', `/connections/${slug}/places/${wallet}`, { number: short_code })
  expect(placed).toMatchObject({ status: 204 })
}

async function report(slug: string, receiver: string, receipt: string, amount = 1_000_000): Promise<number> {
  const { callback_secret } = await getConnectionRow(slug)
  const paid_at = shop.testApp.clock.now()
  const prompt = {
    reference: '',
    checkout_id: '',
    account_number: '',
    callback_url: '',
    receiver,
    receipt,
    paid_at,
  }
  const content = confirmationOf({ ...prompt, amount, phonenumber: '+254711000001' }, 'clear')
  sent += 1
  return postReport(`${shop.url}/api/callbacks/${slug}/${callback_secret}/confirmation`, content)
}

async function getConnectionRow(slug: string): Promise<{ callback_secret: string }> {
  const [row] = await shop.testApp.db<{ callback_secret: string }[]>`
    select callback_secret from connections where slug = ${slug}`
  return row!
}

const balance = async () => {
  const [row] = await shop.testApp.db<{ balance: bigint }[]>`select balance from accounts where id = ${wallet}`
  return row!.balance
}
const kept = (slug: string) => shop.testApp.db`
  select 1 from callbacks where connection = ${slug} and state = 'waiting' and note like '%not in service%'`

async function expectKept(slug: string, count: number, before: bigint): Promise<void> {
  await eventually('the reports to be kept', async () => (await kept(slug)).length === count || undefined)
  expect(await balance()).toBe(before)
  expect([...(await shop.testApp.db`select 1 from unassigned_payments where connection = ${slug}`)]).toEqual([])
}

it('a draft books nothing, fulfils no request, and its reports are booked once when the operator puts it into service', async () => {
  const { app, db, organization, api_key } = shop.testApp
  await addDraft('draft', '174301')
  const before = await balance()
  const asked = await fetch(`${shop.url}/api/collectionrequests`, {
    method: 'POST',
    headers: { authorization: `Token ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      phonenumber: '+254711000001',
      amount: '1000000',
      currency: 'KES',
      expiry_date: '2031-01-01',
    }),
  })
  expect(asked.status).toBe(201)
  const { id: request } = (await asked.json()) as { id: number }
  for (const receipt of ['UA0DRAFT01', 'UA0DRAFT01', 'UA0DRAFT02'])
    expect(await report('draft', '174301', receipt)).toBe(200)
  await expectKept('draft', 3, before)
  expect([...(await db`select 1 from collections where connection = 'draft'`)]).toEqual([])
  const [row] = await db<{ status: string }[]>`select status from collection_requests where id = ${request}`
  expect(row!.status).not.toBe('successful')
  await db`update connections set last_test = '[]' where slug = 'draft'`
  const { status, body } = await shop.owner.post('/connections/draft/activate')
  expect(status).toBe(202)
  const { id } = body.pending
  expect(await report('draft', '174301', 'UA0DRAFT03')).toBe(200)
  await expectKept('draft', 4, before)
  const confirm = (user: number | null) =>
    begin(app.db, (tx) => decideChange(tx, changeContext(app), { organization, user }, { id, verdict: 'confirm' }))
  const [manager] = await db<{ id: number }[]>`
    insert into users (name, email, kind, created) values ('Second', 'second@shop.example', 'person', now()) returning id`
  await db`
    insert into memberships (organization, "user", permissions, created)
    values (${organization}, ${manager!.id}, '{view,manage_organization}', now())`
  await expect(confirm(manager!.id)).rejects.toThrow('operator confirms')
  await confirm(null)
  app.wake()
  await eventually(
    'the kept reports to be booked',
    async () => (await balance()) === before + 3_000_000_0000n || undefined,
  )
  expect(await kept('draft')).toHaveLength(0)
})

it('a paused connection books no unrequested money until it is resumed', async () => {
  const before = await balance()
  expect((await shop.owner.post('/connections/draft/pause')).status).toBe(204)
  await report('draft', '174301', 'UA0PAUSED1')
  await expectKept('draft', 1, before)
  expect((await shop.owner.post('/connections/draft/activate')).status).toBe(204)
  await eventually('the report to be booked', async () => (await balance()) === before + 1_000_000_0000n || undefined)
})

it('a process with outdated settings books nothing by them', async () => {
  const { app, db, clock } = shop.testApp
  const before = await balance()
  const { sealed_secrets, settings: old } = await getConnection(db, 'draft')
  // The notification that comes with the change is on its way while the report arrives.
  const changed = { settings: { ...old, trust_confirmations: false }, sealed_secrets }
  const stale = app.connections.find('draft')!
  await begin(db, (tx) => updateConnection(tx, clock.now(), 'draft', changed))
  const find = app.connections.find
  app.connections.find = (slug) => (slug === 'draft' ? stale : find(slug))
  await report('draft', '174301', 'UA0STALE01')
  app.connections.find = find
  await app.providers.refresh()
  await eventually('the report to be read again', async () => {
    const rows = await db`
      select 1 from callbacks
      where connection = 'draft' and state <> 'settled' and attempts > 0 and body like '%UA0STALE01%'`
    return rows.length > 0 || undefined
  })
  expect(await balance()).toBe(before)
})

it('a trust setting whose test fails leaves the old settings in force', async () => {
  const before = await balance()
  const { status } = await shop.owner.send('PUT', '/connections/draft/settings', {
    values: { trust_confirmations: true },
  })
  expect(status).toBe(400)
  await report('draft', '174301', 'UA0CHANGE1')
  expect((await getConnection(shop.testApp.db, 'draft')).settings).toMatchObject({ trust_confirmations: false })
  expect(await balance()).toBe(before)
})

it('a draft blocks no till, and a refusal reveals nothing about others', async () => {
  await addDraft('mine', '174399')
  const { db, clock } = shop.testApp
  const other = shop.otherOwner
  const theirs = {
    slug: 'theirs',
    driver: 'daraja',
    environment: 'sandbox',
    values: { ...values, short_code: '174399' },
  }
  expect((await other.post('/connections', theirs)).status).toBe(201)
  const account = await openWallet()
  const place = await other.send('PUT', `/connections/theirs/places/${account}`, { number: '174399' })
  expect(place.status).toBe(204)
  await begin(db, (tx) => setConnectionState(tx, clock.now(), 'theirs', 'active', { force: true }))
  await db`update connections set last_test = '[]' where slug = 'mine'`
  const refused = await shop.owner.post('/connections/mine/activate')
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('174399 in KES is in service already')
  expect(JSON.stringify(refused.body)).not.toContain('theirs')
})

async function openWallet(): Promise<number> {
  const { db } = shop.testApp
  const [user] = await db<{ id: number; organization: number }[]>`
    select u.id, m.organization from users u join memberships m on m."user" = u.id where u.email = 'owner@other.example'`
  const [account] = await db<{ id: number }[]>`
    insert into accounts (organization, currency, kind, name, status, created, author, modified)
    values (${user!.organization}, 'KES', 'local', 'Shillings', 'active', now(), ${user!.id}, now()) returning id`
  return account!.id
}
