import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../src/core/access/organizations.ts'
import { departOrganization } from '../../src/core/cells/departure.ts'
import { createCollectionRequests } from '../../src/core/collections/requests.ts'
import { addPlace } from '../../src/core/connections/places.ts'
import { createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { beginMove, findDepartedPlace, recordStep } from '../../src/core/moves.ts'
import { begin } from '../../src/db/client.ts'
import { openShop, type Shop } from './shop.ts'

/* Money of an organization that has left its cell. */

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

/** Open another organization with a funded wallet under a number. */
function openNeighbour(number: string, unrequested: boolean) {
  const now = shop.now()
  return begin(shop.db, async (tx) => {
    const { id: organization, service_user: author } = await createOrganization(tx, now, 'Neighbour')
    const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'wallet', author }
    const { id: account } = await createAccount(tx, now, wallet)
    await fundAccount(tx, now, { account, amount: 10_000n, description: 'Funds', author })
    await addPlace(tx, { connection: 'sandbox', account, number, unrequested })
    return { organization, author, account }
  })
}

/** Let it leave, as the steps of a move do at their end. */
function depart({ organization, account }: Awaited<ReturnType<typeof openNeighbour>>) {
  const now = shop.now()
  return begin(shop.db, async (tx) => {
    await beginMove(tx, now, { organization, role: 'source', other_cell: 3 })
    await departOrganization(tx, now, organization)
    await recordStep(tx, now, { organization, step: 'moved', figures: {} })
    await tx`delete from open_collection_requests where organization = ${organization}`
    await tx`delete from network_orders where organization = ${organization}`
    await tx`delete from connection_places where account = ${account}`
  })
}

describe('money of an organization that has left', () => {
  it('is credited to nobody who shares its number at the network', async () => {
    const receiver = shop.receiver()
    const neighbour = await openNeighbour(receiver, false)
    const [made] = await begin(shop.db, (tx) =>
      createCollectionRequests(tx, shop.now(), [shop.requestInput(neighbour)]),
    )
    if (!made!.ok) throw made!.error
    const order_reference = '00000000-0000-4000-8000-000000000001'
    await shop.db`
      insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
        amount, currency, reason, state, created)
      values (${order_reference}, 'charge', 'sandbox', ${neighbour.organization}, ${made!.value.id}, 1, ${receiver},
        '+80000000003', 1500, 'BXC', 'x', 'accepted', ${shop.now()})`
    await depart(neighbour)
    const before = await shop.wallet()
    const report = shop.paymentReport({ order_reference })
    await expect(shop.ingest(report)).rejects.toMatchObject({ code: 'KM001' })
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.ingest(shop.paymentReport())).toEqual(['recorded'])
  })

  it('is refused when it would wait here for an account', async () => {
    await depart(await openNeighbour('LEAVER', true))
    const place = { connection: 'sandbox', number: 'LEAVER', currency: 'BXC' }
    expect(await findDepartedPlace(shop.db, place)).toBe(3)
    const report = shop.paymentReport({ receiver: 'LEAVER' })
    await expect(shop.ingest(report)).rejects.toMatchObject({ code: 'KM001' })
    expect(await shop.db`select 1 from unassigned_payments where receiver = 'LEAVER'`).toEqual([])
  })
})
