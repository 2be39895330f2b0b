import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureDemo } from '../../../src/cli/service/demo-organization.ts'
import { listKeys } from '../../../src/core/access/api-keys.ts'
import { listAccounts, receiversOf } from '../../../src/core/ledger/accounts.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

describe('the demo organization', () => {
  it('is created once with its key, even by several processes', async () => {
    await testApp.db`delete from api_keys`
    const demos = await Promise.all([ensure('the-key-of-the-demo'), ensure('the-key-of-the-demo')])
    expect(new Set(demos.map((demo) => demo.organization.id))).toEqual(new Set([testApp.organization]))
    expect(await listKeys(testApp.db, testApp.organization)).toMatchObject([{ name: 'demo', last_four: 'demo' }])
    const wallets = await listAccounts(testApp.db, testApp.organization)
    expect(wallets.map((wallet) => wallet.currency)).toEqual(['BXC', 'UGX', 'KES', 'NGN'])
    expect(wallets.every((wallet) => wallet.balance > 0n)).toBe(true)
    const ids = wallets.map((wallet) => wallet.id)
    // Each has a number on the sandbox's own network, those in UGX and KES also on the networks of their countries.
    expect((await receiversOf(testApp.db, ids)).size).toBe(7)
    await testApp.db`delete from connection_places where connection <> 'sandbox'`
    await ensure('the-key-of-the-demo')
    expect((await receiversOf(testApp.db, ids)).size).toBe(7)
  })

  it('gets another key when the operator sets one later', async () => {
    await ensure('another-key-of-the-operator')
    await ensure('another-key-of-the-operator')
    const keys = await listKeys(testApp.db, testApp.organization)
    expect(keys.filter((key) => key.last_four === 'ator')).toHaveLength(1)
  })
})

function ensure(api_key: string) {
  return begin(testApp.db, (tx) => ensureDemo(tx, testApp.clock.now(), { connection: 'sandbox', api_key }))
}
