import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import {
  assignReceiver,
  createAccount,
  findAccountOwners,
  listAccounts,
  listActiveWallets,
  receiversOf,
} from '../../../src/core/ledger/accounts.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { storeConnection } from '../../connections/fake-connection.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

describe('a wallet', () => {
  it('gets the counter accounts of its currency, once per organization', async () => {
    const made = await create('Wallets')
    const one = await open(made, 'UGX')
    const two = await open(made, 'UGX')
    expect(one).toMatchObject({ currency: 'UGX', kind: 'local', status: 'active', balance: 0n })
    const rows = await testApp.db`select kind from accounts where organization = ${made.id} order by id`
    expect(rows.map((row) => row.kind).sort()).toEqual(['external', 'fees', 'held', 'local', 'local', 'suspense'])
    expect((await listAccounts(testApp.db, made.id)).map((account) => account.id)).toEqual([one.id, two.id])
  })

  it('must have an existing currency', async () => {
    const made = await create('Currencies')
    await expect(open(made, 'XYZ')).rejects.toThrow('"XYZ" is not a valid choice.')
  })

  it('is not chosen when it is inactive', async () => {
    const made = await create('Inactive')
    const wallet = await open(made, 'KES')
    await testApp.db`update accounts set status = 'inactive' where id = ${wallet.id}`
    expect(await listActiveWallets(testApp.db, [made.id])).toEqual([])
    expect(await findAccountOwners(testApp.db, [wallet.id])).toEqual(new Map([[wallet.id, made.id]]))
  })

  it('has one receiver number per network, which no other wallet has', async () => {
    const made = await create('Receivers')
    const [one, two] = [await open(made, 'UGX'), await open(made, 'UGX')]
    for (const connection of ['mtn', 'airtel']) await storeConnection(testApp.db, connection)
    const assign = (connection: string, number: string, account: number) =>
      begin(testApp.db, (tx) => assignReceiver(tx, { connection, number, account }))
    await assign('mtn', '500100', one.id)
    await assign('airtel', '500100', two.id)
    await expect(assign('mtn', '500100', two.id)).rejects.toThrow('500100 on mtn, or the account, is assigned already.')
    await expect(assign('mtn', '500200', one.id)).rejects.toThrow(Invalid)
    expect(await receiversOf(testApp.db, [one.id, two.id])).toEqual(
      new Map([
        [`mtn:${one.id}`, '500100'],
        [`airtel:${two.id}`, '500100'],
      ]),
    )
  })
})

function create(name: string) {
  return begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), name))
}

function open(organization: { id: number; service_user: number }, currency: string) {
  return begin(testApp.db, (tx) =>
    createAccount(tx, testApp.clock.now(), {
      organization: organization.id,
      currency,
      kind: 'local',
      name: 'Wallet',
      author: organization.service_user,
    }),
  )
}
