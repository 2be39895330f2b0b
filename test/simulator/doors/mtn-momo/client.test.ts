import momo from 'mtn-momo'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { credentials, type MtnTest, openMtnTest } from './mtn-momo-test.ts'

/*
 * A client of MTN MoMo that others wrote, unchanged, at our simulation: what both believe of MTN has to agree.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
let mtn: MtnTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  mtn = await openMtnTest(database.db)
})
afterEach(() => mtn.close())

/** The client with an API user that it makes by itself. */
async function open() {
  const { Collections, Disbursements, Users } = momo.create({
    callbackHost: mtn.callback_host,
    baseUrl: mtn.mtn_url,
    environment: 'sandbox' as never,
  })
  const primaryKey = credentials.collection_subscription_key
  const users = Users({ primaryKey })
  const userId = await users.create(mtn.callback_host)
  const { apiKey: userSecret } = await users.login(userId)
  const disbursement_key = credentials.disbursement_subscription_key
  return {
    collections: Collections({ primaryKey, userId, userSecret }),
    disbursements: Disbursements({ primaryKey: disbursement_key, userId, userSecret }),
  }
}

const order = (partyId: string) => ({
  amount: '50',
  currency: 'EUR',
  externalId: '123456',
  payer: { partyIdType: momo.PayerType.MSISDN, partyId },
  payerMessage: 'testing',
  payeeNote: 'hello',
})
const transfer = (partyId: string) => {
  const { payer: payee, ...rest } = order(partyId)
  return { ...rest, payee }
}

describe('the npm client mtn-momo', () => {
  it('collects money, with a callback', async () => {
    const { collections } = await open()
    const id = await collections.requestToPay({
      ...order('46733123499'),
      callbackUrl: `http://${mtn.callback_host}/paid`,
    })
    expect((await collections.getTransaction(id)).status).toBe('PENDING')
    await mtn.clock.advance(2)
    const paid = await collections.getTransaction(id)
    expect(paid).toMatchObject({ status: 'SUCCESSFUL', amount: '50', currency: 'EUR', externalId: '123456' })
    expect(paid.financialTransactionId).toMatch(/^\d+$/)
    expect(mtn.sent.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([['/paid', paid]])
  })

  it.each([
    ['46733123450', 'InternalProcessingError'],
    ['46733123451', 'ApprovalRejectedError'],
    ['46733123452', 'ExpiredError'],
    ['46733123455', 'PayerNotFoundError'],
    ['46733123456', 'PayeeNotAllowedToReceiveError'],
    ['46733123457', 'NotAllowedError'],
    ['46733123458', 'NotAllowedTargetEnvironmentError'],
    ['46733123459', 'InvalidCallbackUrlHostError'],
    ['46733123460', 'InvalidCurrencyError'],
    ['46733123462', 'ServiceUnavailableError'],
  ])('knows why %s failed: %s', async (number, name) => {
    const { collections } = await open()
    const id = await collections.requestToPay(order(number))
    await mtn.clock.advance(2)
    await expect(collections.getTransaction(id)).rejects.toMatchObject({ name })
  })

  it.each([
    ['46733123455', 'NotEnoughFundsError'],
    ['46733123456', 'PayerLimitReachedError'],
    ['46733123457', 'PayeeNotFoundError'],
  ])('knows why the transfer to %s failed: %s', async (number, name) => {
    const { disbursements } = await open()
    const id = await disbursements.transfer(transfer(number))
    await mtn.clock.advance(2)
    await expect(disbursements.getTransaction(id)).rejects.toMatchObject({ name })
  })

  it('transfers money, and asks for balances and accounts', async () => {
    const { collections, disbursements } = await open()
    const before = await disbursements.getBalance()
    expect(before).toEqual({ availableBalance: '10000000', currency: 'EUR' })
    const id = await disbursements.transfer(transfer('46733123499'))
    await mtn.clock.advance(2)
    expect(await disbursements.getTransaction(id)).toMatchObject({ status: 'SUCCESSFUL', amount: '50' })
    expect(await disbursements.getBalance()).toEqual({ availableBalance: '9999950', currency: 'EUR' })
    expect(await disbursements.isPayerActive('46733123499', 'msisdn' as never)).toBe(true)
    expect(await disbursements.isPayerActive('46733123451', 'msisdn' as never)).toBe(false)
    expect(await collections.isPayerActive('46733123499', 'msisdn' as never)).toEqual({ result: true })
  })

  it('is refused a second order under the same id', async () => {
    const { disbursements } = await open()
    const referenceId = 'c72025f5-5cd1-4630-99e4-8ba4722fad56'
    await disbursements.transfer({ ...transfer('46733123499'), referenceId })
    const again = disbursements.transfer({ ...transfer('46733123499'), referenceId })
    await expect(again).rejects.toMatchObject({ name: 'ResourceAlreadyExistError' })
  })

  it('is refused with a callback address on another host', async () => {
    const { collections } = await open()
    const asked = collections.requestToPay({
      ...order('46733123499'),
      callbackUrl: 'https://elsewhere.example.com/paid',
    })
    await expect(asked).rejects.toMatchObject({ name: 'InvalidCallbackUrlHostError' })
  })
})
