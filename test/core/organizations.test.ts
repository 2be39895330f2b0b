import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accountOwners,
  activeWallets,
  assignReceiver,
  createAccount,
  listAccounts,
  receiversOf,
} from '../../src/core/accounts.ts'
import { allPermissions, listKeys } from '../../src/core/credentials.ts'
import { ensureDemo } from '../../src/core/demo.ts'
import {
  createOrganization,
  createUser,
  findUser,
  getOrganization,
  listMembers,
  listOrganizations,
  owned,
  setMembership,
} from '../../src/core/organizations.ts'
import { Forbidden, Invalid, NotFound } from '../../src/core/refusals.ts'
import { begin } from '../../src/db/client.ts'
import { buildHouse, type House } from '../house.ts'

let house: House

beforeAll(async () => {
  house = await buildHouse()
})
afterAll(() => house.close())

describe('an organization', () => {
  it('has a system user of its own, who may do everything and is no person', async () => {
    const made = await create('Kampala Books')
    expect(await getOrganization(house.db, made.id)).toEqual(made)
    const [system] = await house.db`select * from users where id = ${made.service_user}`
    expect(system).toMatchObject({ kind: 'system', name: 'Kampala Books (system)', email: null, password_hash: null })
    expect(await listMembers(house.db, made.id)).toEqual([])
    expect((await listOrganizations(house.db)).map((one) => one.name)).toEqual(['Demo Shop', 'Kampala Books'])
  })

  it('needs a name', async () => {
    await expect(create('  ')).rejects.toThrow(Invalid)
    await expect(getOrganization(house.db, 999_999)).rejects.toThrow(NotFound)
  })

  it('has members with exactly the permissions that were set last', async () => {
    const made = await create('Members')
    const user = await newUser('grace@example.com')
    const set = (permissions: typeof allPermissions) =>
      begin(house.db, (tx) =>
        setMembership(tx, house.clock.now(), { organization: made.id, user: user.id, permissions }),
      )
    await set(allPermissions)
    await set(['view'])
    expect(await listMembers(house.db, made.id)).toEqual([{ ...user, organization: made.id, permissions: ['view'] }])
  })
})

describe('a person', () => {
  it('is found by e-mail address in any case', async () => {
    const user = await newUser(' Amina@Example.com ')
    expect(user.email).toBe('amina@example.com')
    expect(await findUser(house.db, 'AMINA@example.com')).toEqual(user)
    expect(await findUser(house.db, 'nobody@example.com')).toBeUndefined()
  })

  it('has an e-mail address that is one, and that nobody else has', async () => {
    await newUser('taken@example.com')
    await expect(newUser('Taken@example.com')).rejects.toThrow('There is a user with this e-mail already.')
    for (const wrong of ['', 'x', 'x@y', '@example.com', 'a b@example.com'])
      await expect(newUser(wrong)).rejects.toThrow('Enter a valid email address.')
  })
})

describe('what belongs to whom', () => {
  it('is decided in one place: nothing is 404, what is another organization’s is 403', () => {
    const object = { organization: 1 }
    expect(owned(1, object)).toBe(object)
    expect(() => owned(2, object)).toThrow(Forbidden)
    expect(() => owned(1, undefined)).toThrow(NotFound)
  })
})

describe('a wallet', () => {
  it('comes with the far sides of its currency, once per organization', async () => {
    const made = await create('Wallets')
    const one = await open(made, 'UGX')
    const two = await open(made, 'UGX')
    expect(one).toMatchObject({ currency: 'UGX', kind: 'local', status: 'active', balance: 0n })
    const rows = await house.db`select kind from accounts where organization = ${made.id} order by id`
    expect(rows.map((row) => row.kind).sort()).toEqual(['external', 'fees', 'held', 'local', 'local', 'suspense'])
    expect((await listAccounts(house.db, made.id)).map((account) => account.id)).toEqual([one.id, two.id])
  })

  it('is in a currency that exists', async () => {
    const made = await create('Currencies')
    await expect(open(made, 'XYZ')).rejects.toThrow('"XYZ" is not a valid choice.')
  })

  it('is no longer chosen when it is inactive', async () => {
    const made = await create('Inactive')
    const wallet = await open(made, 'KES')
    await house.db`update accounts set status = 'inactive' where id = ${wallet.id}`
    expect(await activeWallets(house.db, [made.id])).toEqual([])
    expect(await accountOwners(house.db, [wallet.id])).toEqual(new Map([[wallet.id, made.id]]))
  })

  it('shares its receiver number with no other, and has one per network', async () => {
    const made = await create('Receivers')
    const [one, two] = [await open(made, 'UGX'), await open(made, 'UGX')]
    const assign = (network: string, number: string, account: number) =>
      begin(house.db, (tx) => assignReceiver(tx, { network, number, account }))
    await assign('mtn', '500100', one.id)
    await assign('airtel', '500100', two.id)
    await expect(assign('mtn', '500100', two.id)).rejects.toThrow('500100 on mtn, or the account, is assigned already.')
    await expect(assign('mtn', '500200', one.id)).rejects.toThrow(Invalid)
    expect(await receiversOf(house.db, [one.id, two.id])).toEqual(
      new Map([
        [`mtn:${one.id}`, '500100'],
        [`airtel:${two.id}`, '500100'],
      ]),
    )
  })
})

describe('the demo organization', () => {
  it('is made once, with its key, by however many processes', async () => {
    await house.db`delete from api_keys`
    const demos = await Promise.all([ensure('the-key-of-the-demo'), ensure('the-key-of-the-demo')])
    expect(new Set(demos.map((demo) => demo.organization.id))).toEqual(new Set([house.organization]))
    expect(await listKeys(house.db, house.organization)).toMatchObject([{ name: 'demo', last_four: 'demo' }])
    const wallets = await listAccounts(house.db, house.organization)
    expect(wallets.map((wallet) => wallet.currency)).toEqual(['BXC', 'UGX', 'KES', 'NGN'])
    expect(wallets.every((wallet) => wallet.balance > 0n)).toBe(true)
    const ids = wallets.map((wallet) => wallet.id)
    expect((await receiversOf(house.db, ids)).size).toBe(4)
  })

  it('gets another key when the operator names one later', async () => {
    await ensure('another-key-of-the-operator')
    await ensure('another-key-of-the-operator')
    const keys = await listKeys(house.db, house.organization)
    expect(keys.filter((key) => key.last_four === 'ator')).toHaveLength(1)
  })
})

function ensure(api_key: string) {
  return begin(house.db, (tx) => ensureDemo(tx, house.clock.now(), { network: 'sandbox', api_key }))
}

function create(name: string) {
  return begin(house.db, (tx) => createOrganization(tx, house.clock.now(), name))
}

function newUser(email: string) {
  return begin(house.db, (tx) => createUser(tx, house.clock.now(), { name: 'Somebody', email }))
}

function open(organization: { id: number; service_user: number }, currency: string) {
  return begin(house.db, (tx) =>
    createAccount(tx, house.clock.now(), {
      organization: organization.id,
      currency,
      kind: 'local',
      name: 'Wallet',
      author: organization.service_user,
    }),
  )
}
