import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../../src/core/access/organizations.ts'
import { requestChange } from '../../../../src/core/approvals/changes/changes.ts'
import { digestOf } from '../../../../src/core/approvals/changes/connection-kinds.ts'
import type { ControlRequest } from '../../../../src/core/approvals/changes/kinds.ts'
import {
  type ConnectionRow,
  getConnection,
  insertConnection,
  recordTest,
  sealSecrets,
  setConnectionState,
  unsealSecrets,
  updateConnection,
} from '../../../../src/core/connections/connections.ts'
import { addPlace, listPlaces } from '../../../../src/core/connections/places.ts'
import { begin } from '../../../../src/db/client.ts'
import { openShop, type Shop } from '../../shop.ts'
import { type ChangeDecision, decideChange } from '../decisions.ts'

const HOUR_MS = 3_600_000
const deriveSecret = () => 'ab'.repeat(32)
const SECRET = 'secret-of-the-merchant'

let shop: Shop
let owner: number
let partner: number
let account: number
let count = 0
let slug: string

beforeAll(async () => {
  shop = await openShop()
  ;({ author: owner, id: account } = await shop.wallet())
  partner = await hire('partner@demo.example', ['manage_organization'])
})
afterAll(() => shop.close())

/** Each test has a connection of the organization: a draft that has passed its test. */
beforeEach(async () => {
  count += 1
  slug = `own-${count}`
  await shop.db`delete from control_changes`
  await begin(shop.db, async (tx) => {
    const row = await insertConnection(tx, shop.now(), {
      slug,
      kind: 'network',
      driver: 'any',
      environment: 'production',
      organization: shop.organization,
      hosts: {},
      settings: { short_code: '1' },
      callback_secret: '0'.repeat(48),
      sealed_secrets: sealSecrets(deriveSecret, { api_key: SECRET }),
    })
    await recordTest(tx, shop.now(), row, [{ name: 'token', outcome: 'ok', message: 'It works.' }])
  })
})

function hire(email: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name: email.split('@')[0]!, email })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

function context(later_ms = 0) {
  const now = new Date(shop.now().getTime() + later_ms)
  return {
    now,
    real: now,
    approver_wait_ms: 24 * HOUR_MS,
    pending_ms: 72 * HOUR_MS,
    base_url: 'https://pay.shop.example',
    mail: null,
  }
}

const ask = (request: ControlRequest, user: number | null = owner, later_ms = 0) =>
  begin(shop.db, (tx) => requestChange(tx, context(later_ms), { organization: shop.organization, user }, request))
const decide = (id: number, verdict: ChangeDecision['verdict'] = 'confirm', user: number | null = partner) =>
  begin(shop.db, (tx) => decideChange(tx, context(), { organization: shop.organization, user }, { id, verdict }))
const use = (): ControlRequest => ({ kind: 'connection_state', connection: slug, state: 'active' })
const activate = () => begin(shop.db, (tx) => setConnectionState(tx, shop.now(), slug, 'active'))
const settings = (api_key: string): ControlRequest => ({
  kind: 'connection_settings',
  connection: slug,
  settings: { short_code: '2' },
  sealed_secrets: sealSecrets(deriveSecret, { api_key }),
  changed: ['short_code', 'api_key'],
  last_test: null,
})
const place = (number: string): ControlRequest => ({
  kind: 'connection_place',
  connection: slug,
  account,
  place: { number, unrequested: false },
})
const read = () => getConnection(shop.db, slug)
const secretOf = (row: ConnectionRow) => unsealSecrets(deriveSecret, row.sealed_secrets).api_key

describe('an organization that puts its connection into use', () => {
  it('needs a second manager', async () => {
    const { is_pending, change } = await ask(use())
    expect({ is_pending, state: (await read()).state }).toEqual({ is_pending: true, state: 'draft' })
    expect(change!.description).toBe(`The connection ${slug} (any, production) is put into use.`)
    await expect(decide(change!.id, 'confirm', owner)).rejects.toThrow('A manager other than')
    await decide(change!.id)
    expect((await read()).state).toBe('active')
  })

  it('gets what the second manager has looked at, and nothing else', async () => {
    const first = await ask(use())
    await ask({ ...settings('another-secret'), last_test: [] } as ControlRequest)
    await expect(decide(first.change!.id)).rejects.toThrow('has changed since')
    await decide(first.change!.id, 'reject')
    const second = await ask(use())
    await ask(place('777'))
    await expect(decide(second.change!.id)).rejects.toThrow('has changed since')
    expect((await read()).state).toBe('draft')
  })

  it('needs a test that has passed', async () => {
    await begin(shop.db, (tx) => updateConnection(tx, shop.now(), slug, { settings: { short_code: '3' } }))
    await expect(ask(use())).rejects.toThrow('has not been tested')
  })

  it('may pause it, and resume it, alone', async () => {
    await activate()
    expect(await ask({ kind: 'connection_state', connection: slug, state: 'paused' })).toMatchObject({
      is_pending: false,
    })
    expect((await read()).state).toBe('paused')
    expect(await ask(use())).toMatchObject({ is_pending: false })
  })
})

describe('other settings and secrets', () => {
  it('of a draft count at once', async () => {
    expect(await ask(settings('new-secret'))).toMatchObject({ is_pending: false, change: null })
    expect(secretOf(await read())).toBe('new-secret')
  })

  it('of a connection in use wait for a second manager, encrypted, and leave with the decision', async () => {
    await activate()
    const { is_pending, change } = await ask(settings('new-secret'))
    expect(is_pending).toBe(true)
    expect(change!.description).toBe(
      `The connection ${slug} (any, production) gets other settings: short_code, api_key.`,
    )
    const stored = async () =>
      (
        await shop.db<{ change: string; sealed: string | null }[]>`
        select change::text, sealed from control_changes where id = ${change!.id}`
      )[0]!
    expect((await stored()).change).not.toMatch(/sealed|new-secret/)
    expect(unsealSecrets(deriveSecret, (await stored()).sealed)).toEqual({ api_key: 'new-secret' })
    expect(secretOf(await read())).toBe(SECRET)
    await decide(change!.id)
    expect(await read()).toMatchObject({ settings: { short_code: '2' }, last_test: null, state: 'active' })
    expect(secretOf(await read())).toBe('new-secret')
    expect((await stored()).sealed).toBe(null)
  })

  it('are forgotten when the change is rejected, or when it has expired', async () => {
    await activate()
    const sealed = async () => (await shop.db`select 1 from control_changes where sealed is not null`).length
    const { change } = await ask(settings('rejected'))
    await decide(change!.id, 'reject')
    expect(await sealed()).toBe(0)
    await ask(settings('expired'))
    expect(await sealed()).toBe(1)
    await ask({ kind: 'connection_state', connection: slug, state: 'paused' }, owner, 80 * HOUR_MS)
    expect(await sealed()).toBe(0)
    expect(secretOf(await read())).toBe(SECRET)
  })
})

describe('the number that money goes to', () => {
  it('needs a second manager while the connection is in use', async () => {
    await begin(shop.db, (tx) => addPlace(tx, { connection: slug, account, number: `10${count}`, unrequested: false }))
    await activate()
    const { is_pending, change } = await ask(place(`20${count}`))
    expect(is_pending).toBe(true)
    expect(change!.description).toBe(
      `The account ${account} uses ${slug} (any, production) under 20${count} (before: 10${count}).`,
    )
    await decide(change!.id)
    expect(await listPlaces(shop.db, slug)).toMatchObject([{ number: `20${count}` }])
  })

  it('may be taken away by one', async () => {
    await begin(shop.db, (tx) => addPlace(tx, { connection: slug, account, number: `30${count}`, unrequested: false }))
    await activate()
    expect(await ask({ kind: 'connection_place', connection: slug, account, place: null })).toMatchObject({
      is_pending: false,
    })
    expect(await listPlaces(shop.db, slug)).toEqual([])
  })

  it('is refused for an account of somebody else before anybody is asked', async () => {
    await expect(
      ask({ kind: 'connection_place', connection: slug, account: 999_999, place: { number: '1' } }),
    ).rejects.toThrow('There is no account 999999')
  })
})

it("the operator's connections, and those of others, are out of reach", async () => {
  await expect(ask({ kind: 'connection_state', connection: 'sandbox', state: 'paused' })).rejects.toThrow(
    'There is no connection sandbox',
  )
  await expect(ask({ kind: 'connection_place', connection: 'sandbox', account, place: null })).rejects.toThrow(
    'There is no connection sandbox',
  )
})

it('an operator changes them alone', async () => {
  expect(await ask(use(), null)).toMatchObject({ is_pending: false })
  expect((await read()).state).toBe('active')
})

describe('new settings that were made of earlier ones', () => {
  it('are refused when the connection was changed meanwhile', async () => {
    const based_on = digestOf(await getConnection(shop.db, slug))
    const change = { ...settings('one-secret'), based_on } as ControlRequest
    await ask(change)
    const after = await getConnection(shop.db, slug)
    await expect(ask({ ...settings('other-secret'), based_on } as ControlRequest)).rejects.toThrow(
      'changed in the meantime',
    )
    expect(await getConnection(shop.db, slug)).toEqual(after)
  })
})
