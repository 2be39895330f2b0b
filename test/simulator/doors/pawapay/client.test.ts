import { randomUUID } from 'node:crypto'
import { createPawaPayClient, type PawaPayResponse } from 'pawapay-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { openPawapay, type PawapayTest, TOKEN } from './pawapay-door-test.ts'

/*
 * A client of pawaPay that others wrote, unchanged, at our simulation: what both believe of pawaPay has to agree. Its host is
 * fixed, but each of its methods takes options for the call. (It depends on the tool that its author builds it with, tsdown, and
 * does not use it: `overrides` in package.json leaves that out.)
 */

let database: Awaited<ReturnType<typeof openDatabase>>
let pawapay: PawapayTest
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  pawapay = await openPawapay(database.db)
})
afterEach(() => pawapay.close())

const client = (token = TOKEN) => createPawaPayClient(token, { apiVersion: 'v2', environment: 'sandbox' })
const here = () => ({ options: { baseURL: `${pawapay.url}/v2`, proxy: false } }) as never

/** The data of an answer that the client takes for a good one. */
function dataOf<Data>(answer: PawaPayResponse<Data, unknown>): Data {
  if (!answer.success || answer.data === undefined) throw new Error(JSON.stringify(answer))
  return answer.data
}

const party = { type: 'MMO' as const, accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' } }
const money = { amount: '15.5', currency: 'ZMW', clientReferenceId: 'INV-1', metadata: [{ orderId: 'ORD-1' }] }

describe('the npm client pawapay-sdk', () => {
  it('collects, gives a part back, and sees both', async () => {
    const { requestDeposit, checkDepositStatus, initiateRefund, checkRefundStatus } = client()
    const deposit = { ...money, depositId: randomUUID(), payer: party, customerMessage: 'Rent for March' }
    expect(dataOf(await requestDeposit(deposit as never, here()))).toMatchObject({ status: 'ACCEPTED' })
    expect(dataOf(await requestDeposit(deposit as never, here()))).toMatchObject({ status: 'DUPLICATE_IGNORED' })
    await pawapay.clock.advance(2)
    expect(dataOf(await checkDepositStatus(deposit.depositId, here()))).toMatchObject({
      status: 'FOUND',
      data: { status: 'COMPLETED', amount: '15.50', metadata: { orderId: 'ORD-1' } },
    })
    const refund = { ...money, refundId: randomUUID(), depositId: deposit.depositId, amount: '5.5' }
    expect(dataOf(await initiateRefund(refund, here()))).toMatchObject({ status: 'ACCEPTED' })
    await pawapay.clock.advance(2)
    expect(dataOf(await checkRefundStatus(refund.refundId, here()))).toMatchObject({ data: { status: 'COMPLETED' } })
  })

  it('pays out, alone and in bulk', async () => {
    const { requestPayout, checkPayoutStatus, initiateBulkPayout } = client()
    const payout = { ...money, payoutId: randomUUID(), recipient: party, customerMessage: 'Wages of March' }
    expect(dataOf(await requestPayout(payout, here()))).toMatchObject({ status: 'ACCEPTED' })
    const others = [randomUUID(), randomUUID()].map((payoutId) => ({ ...payout, payoutId }))
    const answers = dataOf(await initiateBulkPayout(others as never, here())) as unknown as { status: string }[]
    expect(answers.map(({ status }) => status)).toEqual(['ACCEPTED', 'ACCEPTED'])
    await pawapay.clock.advance(2)
    expect(dataOf(await checkPayoutStatus(payout.payoutId, here()))).toMatchObject({ data: { status: 'COMPLETED' } })
  })

  it('finds orders that do not exist, and has callbacks sent again', async () => {
    const { checkDepositStatus, requestDeposit, resendDepositCallback } = client()
    expect(dataOf(await checkDepositStatus(randomUUID(), here()))).toEqual({ status: 'NOT_FOUND' })
    const deposit = { ...money, depositId: randomUUID(), payer: party, customerMessage: 'Rent for March' }
    dataOf(await requestDeposit(deposit as never, here()))
    await pawapay.clock.advance(2)
    expect(dataOf(await resendDepositCallback(deposit.depositId, here()))).toMatchObject({ status: 'ACCEPTED' })
    await pawapay.clock.advance(1)
    expect(pawapay.sent).toHaveLength(2)
  })

  it('reads providers, limits, keys and wallets', async () => {
    const { getProviderPrediction, getProviderAvailability, getActiveConfiguration, getPublicKeys, getWalletBalances } =
      client()
    expect(dataOf(await getProviderPrediction('+260 763 456 789', here()))).toMatchObject({ provider: 'MTN_MOMO_ZMB' })
    const availability = dataOf(await getProviderAvailability(here())) as unknown as { country: string }[]
    expect(availability.map(({ country }) => country)).toContain('ZMB')
    expect(dataOf(await getActiveConfiguration(here()))).toMatchObject({ companyName: 'Simulated Shop' })
    expect(dataOf(await getPublicKeys(here()))).toMatchObject([{ id: 'HTTP_EC_P256_KEY:1' }])
    const { balances } = dataOf(await getWalletBalances(here()))
    expect(balances).toContainEqual(expect.objectContaining({ country: 'ZMB', currency: 'ZMW' }))
  })

  it('sees why it is refused', async () => {
    const wrong = await client('another token').getWalletBalances(here())
    expect(wrong).toMatchObject({
      success: false,
      status: 403,
      error: { failureReason: { failureCode: 'AUTHENTICATION_ERROR' } },
    })
    const deposit = { ...money, depositId: randomUUID(), payer: party, amount: '15.50', customerMessage: 'Rent' }
    const malformed = await client().requestDeposit(deposit as never, here())
    expect(malformed).toMatchObject({ success: false, status: 400, error: { status: 'REJECTED' } })
  })
})

describe('the same client with version 1', () => {
  const older = createPawaPayClient(TOKEN, { apiVersion: 'v1', environment: 'sandbox' })
  const there = () => ({ options: { baseURL: pawapay.url, proxy: false } }) as never
  const wanted = {
    amount: '15.50',
    currency: 'ZMW',
    correspondent: 'MTN_MOMO_ZMB',
    country: 'ZMB',
    customerTimestamp: '2026-11-27T10:00:00Z',
    statementDescription: 'Rent for March',
    metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }],
  }
  const address = { type: 'MSISDN', address: { value: '260763456789' } }

  it('collects, gives back, pays out, and sees all three', async () => {
    const deposit = { ...wanted, depositId: randomUUID(), payer: address }
    expect(dataOf(await older.requestDeposit(deposit as never, there()))).toMatchObject({ status: 'ACCEPTED' })
    await pawapay.clock.advance(2)
    const paid = { status: 'COMPLETED', depositedAmount: '15.50', metadata: { orderId: 'ORD-1' } }
    expect(dataOf(await older.checkDepositStatus(deposit.depositId, there()))).toMatchObject([paid])
    const refund = { refundId: randomUUID(), depositId: deposit.depositId, amount: '5' }
    expect(dataOf(await older.initiateRefund(refund as never, there()))).toMatchObject({ status: 'ACCEPTED' })
    const payout = { ...wanted, payoutId: randomUUID(), recipient: address }
    expect(dataOf(await older.requestPayout(payout as never, there()))).toMatchObject({ status: 'ACCEPTED' })
    await pawapay.clock.advance(2)
    expect(dataOf(await older.checkRefundStatus(refund.refundId, there()))).toMatchObject([{ status: 'COMPLETED' }])
    expect(dataOf(await older.checkPayoutStatus(payout.payoutId, there()))).toMatchObject([{ status: 'COMPLETED' }])
    expect(dataOf(await older.resendDepositCallback(deposit.depositId, there()))).toMatchObject({ status: 'ACCEPTED' })
  })

  it('takes a payout from the queue, and reads correspondents and wallets', async () => {
    await pawapay.set({ payouts_status: 'DELAYED' })
    const payout = { ...wanted, payoutId: randomUUID(), recipient: address }
    const enqueued = dataOf(await older.initiateBulkPayout([payout] as never, there()))
    expect(enqueued).toMatchObject([{ status: 'ENQUEUED' }])
    expect(dataOf(await older.cancelEnqueuedPayout(payout.payoutId, there()))).toMatchObject({ status: 'ACCEPTED' })
    const correspondents = dataOf(await older.getActiveConfiguration(there())).countries
    expect(JSON.stringify(correspondents)).toContain('MTN_MOMO_ZMB')
    expect(JSON.stringify(dataOf(await older.getProviderAvailability(there())))).toContain('DELAYED')
    const { balances } = dataOf(await older.getWalletBalancesByCountry('ZMB', there()))
    expect(balances).toMatchObject([{ country: 'ZMB', currency: 'ZMW', mno: '' }])
  })
})
