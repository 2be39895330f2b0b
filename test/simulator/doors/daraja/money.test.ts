import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { BASIC, type OpenedDoor, openDoor } from './open-door.ts'
import { error, initiated, paths, payoutBody } from './requests.ts'

/*
 * Payments of customers, and what an API operator starts, in the exact form of Daraja.
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

const payout = (changes?: object) => payoutBody(door.base, changes)

describe('payments of customers', () => {
  const registration = (changes: object = {}) => ({
    ShortCode: '600000',
    ResponseType: 'Completed',
    ConfirmationURL: `${door.base}/confirmation`,
    ValidationURL: `${door.base}/validation`,
    ...changes,
  })
  const simulate = {
    ShortCode: '600000',
    CommandID: 'CustomerPayBillOnline',
    Amount: '1500',
    Msisdn: '254708374149',
    BillRefNumber: 'Room 12',
  }
  const bodies = async (register = paths.register, changes: object = {}) => {
    door.heard.length = 0
    expect((await door.call(register, registration(changes))).body).toEqual({
      OriginatorCoversationID: expect.any(String),
      ResponseCode: '0',
      ResponseDescription: 'Success',
    })
    expect((await door.call('/mpesa/c2b/v1/simulate', simulate)).body).toMatchObject({ ResponseCode: '0' })
    await door.advance(1)
    return door.heard.map(({ path, body }) => [path, JSON.parse(body)])
  }

  it('are validated and confirmed with a masked phone in version 2', async () => {
    const found = await bodies()
    const common = {
      TransactionType: 'Pay Bill',
      TransID: expect.stringMatching(/^UKM\w{7}$/),
      TransTime: '20261122093000',
      TransAmount: '1500.00',
      BusinessShortCode: '600000',
      BillRefNumber: 'Room 12',
      InvoiceNumber: '',
      ThirdPartyTransID: '',
      MSISDN: '2547 ***** 149',
      FirstName: 'SANDBOX',
      MiddleName: '',
      LastName: 'CUSTOMER',
    }
    expect(found).toEqual([
      ['/validation', { ...common, OrgAccountBalance: '' }],
      ['/confirmation', { ...common, OrgAccountBalance: '49197.00' }],
    ])
  })

  it('have a clear phone in version 1, or a hashed one', async () => {
    await door.simulator.setSwitches('daraja', { validation: false })
    expect((await bodies('/mpesa/c2b/v1/registerurl'))[0]![1]).toMatchObject({ MSISDN: '254708374149' })
    await door.simulator.setSwitches('daraja', { phone_in_confirmation: 'hashed' })
    const hash = createHash('sha256').update('254708374149').digest('hex')
    expect((await bodies())[0]![1]).toMatchObject({ MSISDN: hash })
  })

  it('need addresses of the right form, registered only once if the switch says so', async () => {
    for (const [changes, name] of [
      [{ ResponseType: 'completed' }, 'ResponseType'],
      [{ ConfirmationURL: 'https://x.example.com/mpesa' }, 'ConfirmationURL'],
      [{ ShortCode: '111111' }, 'ShortCode'],
    ] as const)
      expect((await door.call(paths.register, registration(changes))).body.errorMessage).toBe(
        `Bad Request - Invalid ${name}`,
      )
    await door.simulator.setSwitches('daraja', { registers_once: true })
    await door.call(paths.register, registration())
    expect(await door.call(paths.register, registration())).toEqual({
      status: 500,
      body: error('500.003.1001', 'URLs are already registered'),
    })
  })

  it('are listed for 48 hours with clear phones, and none is a text', async () => {
    const list = (StartDate: string, EndDate: string, OffSetValue = '0') =>
      door.call(paths.pull, { ShortCode: '600000', StartDate, EndDate, OffSetValue })
    const nothing = {
      ResponseRefID: expect.any(String),
      ResponseCode: '1001',
      ResponseMessage: 'No transactions',
      Response: '[[]]',
    }
    expect((await list('2026-11-22 08:00:00', '2026-11-22 10:00:00')).body).toEqual(nothing)
    await bodies()
    expect((await list('2026-11-22 08:00:00', '2026-11-22 10:00:00')).body).toEqual({
      ResponseRefID: expect.any(String),
      ResponseCode: '1000',
      ResponseMessage: 'Success',
      Response: [
        [
          {
            transactionId: expect.stringMatching(/^UKM/),
            trxDate: '2026-11-22T06:30:00Z',
            msisdn: 708374149,
            sender: 'MPESA',
            transactiontype: 'c2b-pay-bill-debit',
            billreference: 'Room 12',
            amount: '1500.00',
            organizationname: 'Simulated shop',
          },
        ],
      ],
    })
    expect((await list('2026-11-22 08:00:00', '2026-11-22 10:00:00', '1')).body).toEqual(nothing)
    await door.advance(49 * 3_600)
    // The token has ended, too.
    const login = await door.call('/oauth/v1/generate?grant_type=client_credentials', undefined, BASIC)
    const later = {
      ShortCode: '600000',
      StartDate: '2026-11-22 08:00:00',
      EndDate: '2026-11-24 12:00:00',
      OffSetValue: '0',
    }
    expect((await door.call(paths.pull, later, `Bearer ${login.body.access_token}`)).body).toEqual(nothing)
    expect(
      (await door.call(paths.pull, { ...later, StartDate: 'today' }, `Bearer ${login.body.access_token}`)).status,
    ).toBe(400)
  })

  it('register for the list once, and say so', async () => {
    const body = {
      ShortCode: '600000',
      RequestType: 'Pull',
      NominatedNumber: '254722000000',
      CallBackURL: `${door.base}/x`,
    }
    const statusOf = async () => (await door.call('/pulltransactions/v1/register', body)).body['Response Status']
    expect([await statusOf(), await statusOf()]).toEqual(['1000', '1001'])
    await door.simulator.setSwitches('daraja', { blank_in_status: false })
    expect((await door.call('/pulltransactions/v1/register', body)).body).toMatchObject({ ResponseStatus: '1001' })
  })
})

describe('calls of an API operator', () => {
  const resultOf = async (path: string, body: object) => {
    door.heard.length = 0
    const taken = await door.call(path, body)
    await door.advance(2)
    return {
      taken,
      heard: door.heard.map((one) => [one.path, JSON.parse(one.body).Result]) as [string, Record<string, unknown>][],
    }
  }

  it('is taken, and reported in an envelope', async () => {
    const { taken, heard } = await resultOf(paths.payout, payout())
    expect(taken.body).toEqual({
      ConversationID: expect.stringMatching(/^AG_20261122_2010[0-9a-f]{16}$/),
      OriginatorConversationID: '0c1f0a5e-7f0b-4b1c-9a51-2f6f9f3c7d10',
      ResponseCode: '0',
      ResponseDescription: 'Accept the service request successfully.',
    })
    expect(heard).toMatchObject([
      [
        '/result',
        {
          ResultType: 0,
          ResultCode: 0,
          OriginatorConversationID: taken.body.OriginatorConversationID,
          ConversationID: taken.body.ConversationID,
          TransactionID: expect.stringMatching(/^UKM/),
          ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL', Value: `${door.base}/timeout` } },
        },
      ],
    ])
    expect(door.heard[0]!.body).toContain('{"Key":"TransactionAmount","Value":500.00}')
    expect(door.heard[0]!.body).toContain('{"Key":"TransactionCompletedDateTime","Value":"22.11.2026 09:30:01"}')
  })

  it('fails without parameters, with a placeholder for the receipt', async () => {
    await door.simulator.setSwitches('daraja', { reference_items: 'list' })
    const { heard } = await resultOf(paths.payout, payout({ PartyB: '254709002040' }))
    expect(heard[0]![1]).toEqual({
      ResultType: 0,
      ResultCode: 2040,
      ResultDesc: expect.any(String),
      OriginatorConversationID: expect.any(String),
      ConversationID: expect.any(String),
      TransactionID: 'UKM0000000',
      ReferenceData: { ReferenceItem: [{ Key: 'QueueTimeoutURL', Value: `${door.base}/timeout` }] },
    })
  })

  it('is refused at once under an id that was used, and in version 1 never', async () => {
    await door.call(paths.payout, payout())
    expect(await door.call(paths.payout, payout())).toEqual({
      status: 500,
      body: error('500.002.1001', 'Duplicate OriginatorConversationID.'),
    })
    const { OriginatorConversationID: _, ...old } = payout()
    const version1 = '/mpesa/b2c/v1/paymentrequest'
    const [one, two] = [await door.call(version1, old), await door.call(version1, old)]
    expect(one.body.OriginatorConversationID).not.toBe(two.body.OriginatorConversationID)
    expect((await door.call(paths.payout, old)).body.errorMessage).toBe(
      'Bad Request - Invalid OriginatorConversationID',
    )
  })

  it.each([
    ['Initiator for InitiatorName', paths.payout, { InitiatorName: undefined, Initiator: 'testapi' }, 'InitiatorName'],
    ['remarks that are too short', paths.payout, { Remarks: 'x' }, 'Remarks'],
    ['an address with a forbidden word', paths.payout, { ResultURL: 'https://x.example.com/exec' }, 'ResultURL'],
    ['a number of another country', paths.payout, { PartyB: '256772000001' }, 'PartyB'],
  ])('is refused for %s', async (_name, path, changes, name) => {
    expect((await door.call(path, payout(changes))).body).toEqual(error('400.002.02', `Bad Request - Invalid ${name}`))
  })

  it('wants the wrong spelling in a reversal', async () => {
    const reversal = initiated(door.base, {
      CommandID: 'TransactionReversal',
      TransactionID: 'UKM1ABC234',
      Amount: '10',
      ReceiverParty: '174379',
    })
    expect((await door.call(paths.reversal, { ...reversal, ReceiverIdentifierType: '11' })).body.errorMessage).toBe(
      'Bad Request - Invalid RecieverIdentifierType',
    )
    const { heard } = await resultOf(paths.reversal, { ...reversal, RecieverIdentifierType: '11' })
    expect(heard[0]![1]).toMatchObject({ ResultCode: 'R000002' })
  })

  it('fails later for what is wrong: the short code, the amount, the money that there is', async () => {
    const codeOf = async (changes: object) => {
      const one = payout({ OriginatorConversationID: crypto.randomUUID(), ...changes })
      return (await resultOf(paths.payout, one)).heard[0]![1].ResultCode
    }
    expect(await codeOf({ PartyA: '174379' })).toBe(2028)
    expect(await codeOf({ Amount: '9' })).toBe(2)
    expect(await codeOf({ Amount: '250001' })).toBe(3)
    expect(await codeOf({ SecurityCredential: 'abc' })).toBe(2001)
    expect(await codeOf({ SecurityCredential: Buffer.alloc(256).toString('base64') })).toBe(2001)
  })

  it('is asked about with either spelling of the id, and some values are missing', async () => {
    await door.call(paths.payout, payout())
    await door.advance(2)
    const question = (changes: object) =>
      initiated(door.base, {
        CommandID: 'TransactionStatusQuery',
        TransactionID: '',
        PartyA: '600996',
        IdentifierType: '4',
        Occasion: '',
        ...changes,
      })
    const id = '0c1f0a5e-7f0b-4b1c-9a51-2f6f9f3c7d10'
    for (const changes of [{ OriginatorConversationID: id }, { OriginalConversationID: id }]) {
      const { heard } = await resultOf(paths.status, question(changes))
      const { ResultParameters, ResultCode } = heard[0]![1] as {
        ResultCode: number
        ResultParameters: { ResultParameter: object[] }
      }
      expect(ResultCode).toBe(0)
      expect(ResultParameters.ResultParameter).toContainEqual({ Key: 'TransactionStatus', Value: 'Completed' })
      expect(ResultParameters.ResultParameter).toContainEqual({ Key: 'TransactionReason' })
    }
    const { heard } = await resultOf(paths.status, question({ TransactionID: 'UKM1234567' }))
    expect(heard[0]![1]).toMatchObject({ ResultCode: 25 })
    expect((await resultOf(paths.status, question({}))).heard[0]![1]).toMatchObject({ ResultCode: 25 })
  })
})
