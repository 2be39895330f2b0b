import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import { openBound } from '../../drivers/bound.ts'
import {
  accepted,
  CALLBACK_BASE,
  CHARGE,
  connectionAt,
  MONEY,
  notFound,
  openDriver,
  order,
  PAYOUT,
  payout,
  REFERENCE,
  REQUEST,
  RESPONSE,
  REVERSAL,
  refund,
  state,
  TOKEN,
  taken,
  testTools,
  withProvider,
} from './gsma-test.ts'

/* Requests of the driver, exactly. */

const common = {
  accept: 'application/json',
  'accept-charset': 'utf-8',
  authorization: 'Bearer token-1',
  'x-api-key': 'marked-api-key',
}
const posted = (body: string) => ({
  ...common,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'x-correlationid': REFERENCE,
  'x-callback-url': `${CALLBACK_BASE}/${REFERENCE}`,
  'x-user-credential-1': 'marked-credential',
})
const notes = (description: string) =>
  `"requestingOrganisationTransactionReference":"${REFERENCE}","descriptionText":"${description}","requestDate":"2026-11-22T08:00:00Z"`
const own = '[{"key":"organisationid","value":"kusanya-demo"}]'
const phone = '[{"key":"msisdn","value":"+256772123456"}]'
const chargeBody = `{"amount":"5000","currency":"UGX","debitParty":${phone},"creditParty":${own},${notes("Mama's café Nakawa")}}`
const answered = { outcome: 'accepted', remote_id: REQUEST }

describe('the driver sends', () => {
  it('the token call, with the credentials in a header', async () => {
    await withProvider({ '*': accepted }, async ({ url, seen }) => {
      await openDriver(url).charge(order)
      expect(seen[0]).toEqual({
        line: TOKEN,
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from('the-key:marked-consumer-secret').toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': '29',
        },
        body: 'grant_type=client_credentials',
      })
    })
  })

  it('a charge as a merchant payment', async () => {
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      expect(await openDriver(url).charge(order)).toEqual(answered)
      expect(calls()).toEqual([{ line: CHARGE, headers: posted(chargeBody), body: chargeBody }])
    })
  })

  it('a payout as a disbursement, with an amount without zeros at its end', async () => {
    const body = `{"amount":"1500.5","currency":"KES","debitParty":${own},"creditParty":${phone},${notes('Wages')}}`
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      expect(await openDriver(url).payout(payout)).toEqual(answered)
      expect(calls()).toEqual([{ line: PAYOUT, headers: posted(body), body }])
    })
  })

  it('a refund as a reversal of the transaction', async () => {
    const body = `{"type":"reversal",${notes('Out of stock')}}`
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      expect(await openDriver(url).refund(refund)).toEqual(answered)
      expect(calls()).toEqual([{ line: REVERSAL, headers: posted(body), body }])
    })
  })

  it('a refund of a part as a reversal with its amount', async () => {
    const body = `{"type":"reversal","amount":"2000","currency":"UGX",${notes('Out of stock')}}`
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      await openDriver(url).refund({ ...refund, amount: 20_000_000n })
      expect(calls()).toEqual([{ line: REVERSAL, headers: posted(body), body }])
    })
  })

  it('a refund as an adjustment if the provider has that', async () => {
    const body = `{"amount":"5000","currency":"UGX","debitParty":${own},"creditParty":${phone},"originalTransactionReference":"${MONEY}",${notes('Out of stock')}}`
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      await openDriver(url, { refund_operation: 'adjustment' }).refund(refund)
      const line = 'POST /1.2.0/mm/transactions/type/adjustment'
      expect(calls()).toEqual([{ line, headers: posted(body), body }])
    })
  })

  it('status queries with only the credentials', async () => {
    await withProvider({ '*': state() }, async ({ url, calls }) => {
      const driver = openDriver(url)
      await driver.chargeStatus(taken)
      await driver.chargeStatus(order)
      await driver.accountHolder('+256772123456')
      await driver.balance()
      expect(calls()).toEqual(
        [
          `/requeststates/${REQUEST}`,
          `/responses/${REFERENCE}`,
          '/accounts/msisdn/%2B256772123456/accountname',
          '/accounts/organisationid/kusanya-demo/balance',
        ].map((path) => ({ line: `GET /1.2.0/mm${path}`, headers: common, body: '' })),
      )
    })
  })

  it('phone numbers and our account as the provider wants them', async () => {
    const given = { phone_format: 'digits', account_type: 'accountid', account_id: 'a/1 2' }
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      const driver = openDriver(url, given)
      await driver.charge(order)
      await driver.balance()
      expect(JSON.parse(calls()[0]!.body)).toMatchObject({
        debitParty: [{ key: 'msisdn', value: '256772123456' }],
        creditParty: [{ key: 'accountid', value: 'a/1 2' }],
      })
      expect(calls()[1]!.line).toBe('GET /1.2.0/mm/accounts/accountid/a%2F1%202/balance')
    })
  })

  it('a description of at most 160 characters, and none that is empty', async () => {
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      const driver = openDriver(url)
      await driver.charge({ ...order, reason: '🙂'.repeat(200) })
      await driver.charge({ ...order, reason: ' \u0000 ' })
      const [long, empty] = calls().map(({ body }) => JSON.parse(body) as Record<string, string>)
      expect([...long!.descriptionText!]).toHaveLength(160)
      expect(empty).not.toHaveProperty('descriptionText')
    })
  })

  it('no callback address where callbacks are switched off', async () => {
    await withProvider({ '*': accepted }, async ({ url, calls }) => {
      await openDriver(url, { callbacks: false }).charge(order)
      expect(calls()[0]!.headers).not.toHaveProperty('x-callback-url')
    })
  })

  it('who holds the accounts, for a hub, and the client identifier', async () => {
    const given = { institution_type: 'swiftbic', institution_id: 'ABCDUGKA', client_id: 'client-7' }
    await withProvider({ '*': notFound }, async ({ url, calls }) => {
      await openDriver(url, given).chargeStatus(order)
      expect(calls()[0]!.headers).toEqual({
        ...common,
        'x-client-id': 'client-7',
        'x-account-holding-institution-identifier-type': 'swiftbic',
        'x-account-holding-institution-identifier': 'ABCDUGKA',
      })
    })
  })
})

describe('the security level', () => {
  it('development sends the credentials with each call, and asks for no token', async () => {
    await withProvider({ '*': accepted }, async ({ url, seen }) => {
      await openDriver(url, { security_level: 'development' }).charge(order)
      const authorization = `Basic ${Buffer.from('the-key:marked-consumer-secret').toString('base64')}`
      expect(seen).toEqual([{ line: CHARGE, headers: { ...posted(chargeBody), authorization }, body: chargeBody }])
    })
  })

  it('development sends no credentials if there are none', async () => {
    const nothing = { consumer_key: undefined, consumer_secret: undefined, api_key: undefined }
    await withProvider({ '*': accepted }, async ({ url, seen }) => {
      await openDriver(url, { security_level: 'development', ...nothing }).charge(order)
      expect(seen[0]!.headers).not.toHaveProperty('authorization')
      expect(seen[0]!.headers).not.toHaveProperty('x-api-key')
    })
  })

  it('enhanced adds the date, and the hash of exactly the body that is sent', async () => {
    await withProvider({ '*': accepted }, async ({ url, seen, calls }) => {
      const driver = openDriver(url, { security_level: 'enhanced' })
      await driver.charge(order)
      await driver.chargeStatus(taken)
      const [sent, asked] = calls()
      const hash = createHash('sha256').update(sent!.body).digest('hex')
      const date = { 'x-date': '2026-11-22T08:00:00.250Z' }
      expect(sent!.headers).toEqual({ ...posted(chargeBody), ...date, 'x-content-hash': hash })
      expect(asked!.headers).toEqual({ ...common, ...date })
      expect(seen[0]!.headers).not.toHaveProperty('x-content-hash')
    })
  })
})

describe('the driver never sends', () => {
  it.each([
    ['an amount of zero', { amount: 0n }],
    ['an amount below zero', { amount: -10_000n }],
    ['a reference in another form', { reference: 'KR1-1' }],
  ])('%s', async (_what, wrong) => {
    await withProvider({ '*': accepted }, async ({ url, seen }) => {
      const driver = openDriver(url)
      const failed = { outcome: 'failed', reason: 'rejected', message: expect.any(String) }
      expect(await driver.charge({ ...order, ...wrong })).toEqual(failed)
      expect(await driver.payout({ ...payout, ...wrong })).toEqual(failed)
      expect(await driver.refund({ ...refund, ...wrong })).toEqual(failed)
      expect(seen).toEqual([])
    })
  })

  it('a question about an order with another reference', async () => {
    await withProvider({ '*': notFound }, async ({ url, seen }) => {
      const asked = await openDriver(url).chargeStatus({ ...order, reference: '../accounts/balance' })
      expect(asked).toMatchObject({ outcome: 'unknown' })
      expect(seen).toEqual([])
    })
  })

  it('airtime', async () => {
    await withProvider({ '*': accepted }, async ({ url, seen }) => {
      const answer = await openDriver(url).payout({ ...payout, kind: 'airtime' })
      expect(answer).toMatchObject({ outcome: 'failed', reason: 'not_allowed' })
      expect(seen).toEqual([])
    })
  })

  it('a second slash if the host ends with one', async () => {
    await withProvider({ [RESPONSE]: notFound }, async ({ url, calls }) => {
      const connection = connectionAt(url)
      connection.hosts.api += '/'
      const driver = openBound(gsmaMomo, connection, testTools())
      expect(await driver.chargeStatus!(order)).toEqual({ outcome: 'not_found' })
      expect(calls().map(({ line }) => line)).toEqual([RESPONSE])
    })
  })
})
