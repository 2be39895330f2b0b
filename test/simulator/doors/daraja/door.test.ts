import { createPublicKey } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { certificate, decryptCredential } from '../../../../src/simulator/doors/daraja/keys.ts'
import { newReceipt } from '../../../../src/simulator/doors/daraja/wire.ts'
import { openDatabase } from '../../simulator-test.ts'
import { BASIC, documented, type OpenedDoor, openDoor } from './open-door.ts'
import { credential, error, identity, paths, promptBody, TIMESTAMP } from './requests.ts'

/*
 * Answers of the simulated network to any client, in the exact form of Daraja.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
let door: OpenedDoor

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  door = await openDoor(database.db)
})
afterEach(async () => {
  expect(door.errors).toEqual([])
  await door.close()
})

const prompt = (changes?: object) => promptBody(door.base, changes)

describe('tokens', () => {
  const get = (path: string, authorization: string) => door.call(path, undefined, authorization)
  const path = '/oauth/v1/generate?grant_type=client_credentials'

  it('have their time as a text, and a new one ends the old one', async () => {
    const { status, body } = await get(path, BASIC)
    expect([status, body]).toEqual([200, { access_token: expect.any(String), expires_in: '3599' }])
    await get(path, BASIC)
    const old = `Bearer ${body.access_token}`
    expect((await door.call(paths.prompt, prompt(), old)).body).toEqual(error('404.001.03', 'Invalid Access Token'))
    await door.simulator.setSwitches('daraja', { new_token_ends_earlier: false })
    const kept = (await get(path, BASIC)).body.access_token
    await get(path, BASIC)
    expect((await door.call(paths.prompt, prompt(), `Bearer ${kept}`)).status).toBe(200)
  })

  it('are refused with 400: an error, or an empty body', async () => {
    expect(await get(path, 'Basic abc')).toEqual({
      status: 400,
      body: error('400.008.01', expect.any(String) as never),
    })
    expect(await get('/oauth/v1/generate', BASIC)).toMatchObject({ status: 400, body: { errorCode: '400.008.02' } })
    await door.simulator.setSwitches('daraja', { wrong_credentials: 'empty' })
    expect(await get(path, 'Basic abc')).toEqual({ status: 400, body: '' })
  })

  it.each([
    [paths.prompt, '404.001.03'],
    [paths.question, '404.001.03'],
    [paths.reversal, '404.001.03'],
    [paths.status, '400.003.01'],
    [paths.register, '400.003.01'],
    [paths.balance, '401.002.01'],
    [paths.payout, '401.002.01'],
    [paths.pull, '401.001'],
  ])('are refused by %s as %s', async (where, code) => {
    const answer = await door.call(where, {}, 'Bearer wrong')
    expect(answer).toEqual({ status: Number(code.slice(0, 3)), body: error(code, 'Invalid Access Token') })
  })
})

describe('prompts', () => {
  it('are taken, and reported once, whatever we answer', async () => {
    door.state.answer = { status: 500, content_type: 'text/plain', body: '' }
    const { status, body } = await door.call(paths.prompt, prompt())
    expect([status, body]).toEqual([
      200,
      {
        MerchantRequestID: expect.stringMatching(/^\d{5}-\d{8}-1$/),
        CheckoutRequestID: expect.stringMatching(/^ws_CO_22112026093000\d{6}708374149$/),
        ResponseCode: '0',
        ResponseDescription: 'Success. Request accepted for processing',
        CustomerMessage: 'Success. Request accepted for processing',
      },
    ])
    await door.advance(3_600)
    expect(door.heard).toHaveLength(1)
    const [callback] = door.heard
    expect([callback!.method, callback!.path]).toEqual(['POST', '/stk'])
    const receipt = /"UKM\w{7}"/.exec(callback!.body)![0]
    expect(callback!.body).toBe(
      `{"Body":{"stkCallback":{"MerchantRequestID":"${body.MerchantRequestID}","CheckoutRequestID":"${body.CheckoutRequestID}",` +
        '"ResultCode":0,"ResultDesc":"The service request is processed successfully.","CallbackMetadata":{"Item":[' +
        `{"Name":"Amount","Value":1500.00},{"Name":"MpesaReceiptNumber","Value":${receipt}},{"Name":"Balance"},` +
        '{"Name":"TransactionDate","Value":20261122093001},{"Name":"PhoneNumber","Value":254708374149}]}}}}',
    )
  })

  it('that fail are reported without details, and asked about with a text as the code', async () => {
    const { body } = await door.call(paths.prompt, prompt({ PhoneNumber: 254709001032, PartyA: 254709001032 }))
    const ask = () => door.call(paths.question, { ...identity(), CheckoutRequestID: body.CheckoutRequestID })
    expect(await ask()).toEqual({ status: 500, body: error('500.001.1001', 'The transaction is being processed') })
    await door.advance(2)
    expect(JSON.parse(door.heard[0]!.body).Body.stkCallback).toEqual({
      MerchantRequestID: body.MerchantRequestID,
      CheckoutRequestID: body.CheckoutRequestID,
      ResultCode: 1032,
      ResultDesc: 'Request cancelled by user.',
    })
    expect(await ask()).toEqual({
      status: 200,
      body: {
        ResponseCode: '0',
        ResponseDescription: 'The service request has been accepted successsfully',
        MerchantRequestID: body.MerchantRequestID,
        CheckoutRequestID: body.CheckoutRequestID,
        ResultCode: '1032',
        ResultDesc: 'Request cancelled by user.',
      },
    })
  })

  it('that do not exist look like open ones', async () => {
    const unknown = { ...identity(), CheckoutRequestID: 'ws_CO_1' }
    expect((await door.call(paths.question, unknown)).body).toEqual(
      error('500.001.1001', 'The transaction is being processed'),
    )
  })

  it.each([
    ['cents', { Amount: '10.50' }, 'Amount'],
    ['nothing', { Amount: 0 }, 'Amount'],
    ['too much', { Amount: 250_001 }, 'Amount'],
    ['a number without its country', { PhoneNumber: '0708374149' }, 'PhoneNumber'],
    ['a reference that is too long', { AccountReference: 'Order number 12' }, 'AccountReference'],
    ['an address with a forbidden word', { CallBackURL: 'https://pay.example.com/api/MPESA/x' }, 'CallBackURL'],
    ['an address with query', { CallBackURL: 'https://pay.example.com/query' }, 'CallBackURL'],
    ['a tunnel', { CallBackURL: 'https://a.ngrok.io/x' }, 'CallBackURL'],
    ['no address', { CallBackURL: undefined }, 'CallBackURL'],
    ['a kind that does not exist', { TransactionType: 'CustomerPayTill' }, 'TransactionType'],
    ['a time that does not exist', identity('20261322063000'), 'Timestamp'],
  ])('are refused for %s', async (_name, changes, name) => {
    expect(await door.call(paths.prompt, prompt(changes))).toEqual({
      status: 400,
      body: error('400.002.02', `Bad Request - Invalid ${name}`),
    })
  })

  it('are refused with the words of one code, and with HTTP 200 in documented cases', async () => {
    const refusedWith = async (changes: object) => (await door.call(paths.prompt, prompt(changes))).body.errorMessage
    expect(await refusedWith({ Password: 'abc' })).toBe('Wrong credentials')
    expect(await refusedWith(identity('20261122063000'))).toBeUndefined()
    await door.advance(2)
    await door.simulator.setSwitches('daraja', { checks_time_zone: true })
    expect(await refusedWith(identity('20261122063000'))).toBe('Bad Request - Invalid Timestamp')
    expect(await refusedWith(identity(TIMESTAMP, '123456'))).toBe('Merchant does not exist')
    await door.simulator.setSwitches('daraja', { errors_with_200: true })
    expect(await door.call(paths.prompt, 'no JSON')).toEqual({
      status: 200,
      body: error('400.002.05', 'Invalid Request Payload'),
    })
  })

  it('end with the code for an invalid request', async () => {
    const codeOf = async (changes: object) => {
      door.heard.length = 0
      await door.call(paths.prompt, prompt(changes))
      await door.advance(2)
      return JSON.parse(door.heard[0]!.body).Body.stkCallback.ResultCode
    }
    expect(await codeOf({ TransactionType: 'CustomerBuyGoodsOnline' })).toBe(2028)
    expect(await codeOf({ PartyB: '600000' })).toBe(2028)
    expect(await codeOf({ TransactionDesc: 'x'.repeat(183) })).toBe(1025)
    expect(await codeOf({ PartyA: '254708374149' })).toBe(0)
    await door.simulator.setSwitches('daraja', { phone_as_text_fails: true })
    expect(await codeOf({ PartyA: '254708374149' })).toBe(1037)
  })
})

describe('the rest', () => {
  it('answers other paths with an error of Daraja', async () => {
    expect(await door.call('/mpesa/b2b/v1/paymentrequest', {})).toEqual({
      status: 404,
      body: error('404.001.01', 'Resource not found'),
    })
  })

  it('makes receipts that contain the day', () => {
    expect(newReceipt(new Date('2026-11-22T06:30:00Z'))).toMatch(/^UKM[1-9A-Z]{7}$/)
    // In Nairobi it is the next day already.
    expect(newReceipt(new Date('2024-01-31T22:00:00Z'))).toMatch(/^SB1/)
  })

  it('has a certificate with a known key', () => {
    expect(createPublicKey(certificate).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 })
    expect(decryptCredential(credential())).toBe(documented.initiator_password)
    for (const wrong of ['', 'abc', Buffer.alloc(256).toString('base64'), Buffer.alloc(300).toString('base64')])
      expect(decryptCredential(wrong)).toBeUndefined()
  })
})
