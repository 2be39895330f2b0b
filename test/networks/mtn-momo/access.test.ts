import { describe, expect, it } from 'vitest'
import { CALL_S } from '../../../src/networks/mtn-momo/client.ts'
import {
  CHARGE,
  CHARGE_STATUS,
  openDriver,
  order,
  payout,
  REFERENCE,
  state,
  testTools,
  tokenAnswer,
  withMtn,
} from './mtn-test.ts'

const accepted = { outcome: 'accepted', remote_id: REFERENCE }
const unknown = { outcome: 'unknown', message: expect.any(String) }
const token = (access_token: string) => ({
  status: 200,
  body: { access_token, token_type: 'access_token', expires_in: 3600 },
})
const TOKEN = 'POST /collection/token/'
const gateway401 = {
  status: 401,
  body: {
    statusCode: 401,
    message: 'Access denied due to invalid subscription key. Make sure to provide a valid key.',
  },
}

describe('tokens', () => {
  it('are kept for the next call, one for each product', async () => {
    await withMtn({ '*': { status: 202 } }, async ({ url, seen }) => {
      const driver = openDriver(url)
      await driver.charge!(order)
      await driver.charge!(order)
      await driver.payout!(payout)
      await driver.refund!({
        ...payout,
        charge: { reference: REFERENCE, remote_id: null, transaction: '1', amount: 1n },
      })
      expect(seen.filter(({ line }) => line.endsWith('/token/')).map(({ line }) => line)).toEqual([
        'POST /collection/token/',
        'POST /disbursement/token/',
      ])
    })
  })

  it('have names by product, country and user, so that another user never gets an old one', async () => {
    const names: string[] = []
    const tokens = {
      async get(name: string) {
        names.push(name)
        return { outcome: 'token' as const, token: 't' }
      },
      refuse() {},
    }
    await withMtn({ '*': { status: 202 } }, async ({ url }) => {
      await openDriver(url, {}, { tokens }).charge!(order)
      await openDriver(url, {}, { tokens }).payout!(payout)
      await openDriver(url, { target_environment: 'sandbox' }, { tokens }).charge!({ ...order, currency: 'EUR' })
      const collection_api_user = '11111111-2222-4333-8444-555555555555'
      await openDriver(url, { collection_api_user }, { tokens }).charge!(order)
      expect(new Set(names).size).toBe(4)
      for (const name of names) expect(name).not.toContain('marked')
    })
  })

  it('that are refused are renewed, and the call is repeated once', async () => {
    const answers = { [TOKEN]: [token('old'), token('new')], [CHARGE]: [{ status: 401 }, { status: 202 }] }
    await withMtn(answers, async ({ url, seen, calls }) => {
      const driver = openDriver(url)
      expect(await driver.charge!(order)).toEqual(accepted)
      expect(seen.map(({ line }) => line)).toEqual([TOKEN, CHARGE, TOKEN, CHARGE])
      expect(calls().map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
      expect(new Set(calls().map(({ headers }) => headers['x-reference-id']))).toEqual(new Set([REFERENCE]))
      expect(driver.alarms).toEqual([])
    })
  })

  it('that are refused twice send no order, and the operator is alerted', async () => {
    await withMtn({ [CHARGE]: { status: 401, body: { error: 'invalid_token' } } }, async ({ url, calls }) => {
      const driver = openDriver(url)
      expect(await driver.charge!(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
      expect(calls()).toHaveLength(2)
      expect(driver.alarms).toEqual([expect.stringContaining('collection_api_user')])
    })
  })

  it('are not blamed for a wrong subscription key', async () => {
    await withMtn({ [CHARGE]: gateway401 }, async ({ url, seen }) => {
      const driver = openDriver(url)
      expect(await driver.charge!(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
      expect(seen).toHaveLength(4)
      expect(driver.alarms).toEqual([expect.stringContaining('collection_subscription_key')])
    })
  })

  it.each([
    ['the seconds as a text', { access_token: 'a', expires_in: '3600' }],
    ['no end', { access_token: 'a' }],
    ['no life', { access_token: 'a', expires_in: 0 }],
    ['a word for its life', { access_token: 'a', expires_in: 'soon' }],
    ['members that nobody knows', { access_token: 'a', expires_in: 3600, colour: 'yellow' }],
  ])('are taken with %s', async (_what, body) => {
    await withMtn({ [TOKEN]: { status: 200, body }, '*': { status: 202 } }, async ({ url }) => {
      expect(await openDriver(url).charge!(order)).toEqual(accepted)
    })
  })

  it.each([
    ['nothing', { status: 200 }],
    ['a page', { status: 200, text: '<html>' }],
    ['no token', { status: 200, body: { expires_in: 3600 } }],
    ['a token that is no header', { status: 200, body: { access_token: 'a\r\nX-Other: 1', expires_in: 3600 } }],
    ['a 500', { status: 500 }],
    ['a 429', { status: 429 }],
    ['a 411 page', { status: 411, text: '<html>Length Required</html>' }],
  ])('leave every order unknown when MTN answers with %s', async (_what, answer) => {
    await withMtn({ [TOKEN]: answer, 'POST /disbursement/token/': answer }, async ({ url, calls }) => {
      const driver = openDriver(url)
      for (const result of [
        await driver.charge!(order),
        await driver.chargeStatus!(order),
        await driver.payout!(payout),
        await driver.payoutStatus!(payout),
        await driver.accountHolder!('+256772000001'),
        await driver.balance!(),
      ])
        expect(result).toEqual(unknown)
      expect(calls()).toEqual([])
    })
  })

  it.each([
    ['a wrong API key', { status: 401, body: { error: 'login_failed' } }, 'collection_api_key'],
    ['a wrong subscription key', gateway401, 'collection_subscription_key'],
    ['an address that is not allowed', { status: 403, body: { code: 'FORBIDDEN_IP' } }, 'IP address'],
    ['a wrong host', { status: 404, body: { statusCode: 404, message: 'Resource not found' } }, 'host'],
  ])('that are missing because of %s raise an alarm that explains it', async (_what, answer, words) => {
    await withMtn({ [TOKEN]: answer }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge!(order)).toEqual(unknown)
      expect(driver.alarms).toEqual([expect.stringContaining(words)])
    })
  })
})

describe('an address that may not pay out', () => {
  it("leaves the payout unknown, and alerts the operator to MTN's requirement", async () => {
    await withMtn({ '*': { status: 403, body: { code: 'FORBIDDEN_IP' } } }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.payout!(payout)).toEqual(unknown)
      expect(driver.alarms).toEqual([expect.stringContaining('public IP address')])
    })
  })
})

describe('a firewall', () => {
  it.each([200, 400])('that rejects a call with %i leaves it unknown, and the operator is alerted', async (status) => {
    const text = '<html><title>Request Rejected</title>Your support ID is: 10819531211892444406</html>'
    await withMtn({ [CHARGE]: { status, text }, [CHARGE_STATUS]: { status, text } }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge!(order)).toEqual(unknown)
      expect(await driver.chargeStatus!(order)).toEqual(unknown)
      expect(new Set(driver.alarms)).toEqual(new Set([expect.stringContaining('firewall')]))
    })
  })
})

describe('an operation', () => {
  it('has one time limit for all its calls', async () => {
    const limits: (number | undefined)[] = []
    let clock_ms = 0
    const tools = testTools()
    const given = {
      now: () => new Date(clock_ms),
      http: (call: Parameters<typeof tools.http>[0]) => {
        limits.push(call.timeout_s)
        clock_ms += 5_000
        return tools.http(call)
      },
    }
    await withMtn({ [CHARGE]: { status: 401 }, [TOKEN]: tokenAnswer }, async ({ url }) => {
      expect(await openDriver(url, {}, given).charge!(order)).toEqual(unknown)
      expect(limits).toEqual([undefined, CALL_S - 5, CALL_S - 10])
    })
  })

  it('has the same limit with the message after a payment', async () => {
    const limits: (number | undefined)[] = []
    let clock_ms = 0
    const tools = testTools()
    const given = {
      now: () => new Date(clock_ms),
      http: (call: Parameters<typeof tools.http>[0]) => {
        limits.push(call.timeout_s)
        clock_ms += 6_000
        return tools.http(call)
      },
    }
    await withMtn({ [CHARGE_STATUS]: state({ status: 'SUCCESSFUL' }) }, async ({ url }) => {
      const driver = openDriver(url, { delivery_message: 'Thanks' }, given)
      expect(await driver.chargeStatus!(order)).toMatchObject({ outcome: 'successful' })
      expect(limits).toEqual([undefined, CALL_S - 6, CALL_S - 12])
    })
  })

  it('is unknown when MTN hangs up, breaks off or does not answer', async () => {
    const fault = [
      (request: { socket: { destroy(): void } }) => request.socket.destroy(),
      (
        request: { socket: { destroy(): void } },
        response: { writeHead(status: number, headers: object): { write(text: string): void } },
      ) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"status":')
        setTimeout(() => request.socket.destroy(), 10)
      },
      () => {},
    ]
    for (const responder of fault)
      await withMtn({ [CHARGE]: responder as never, [CHARGE_STATUS]: responder as never }, async ({ url }) => {
        const driver = openDriver(url, {}, { http: testTools(500).http })
        expect(await driver.charge!(order)).toEqual(unknown)
        expect(await driver.chargeStatus!(order)).toEqual(unknown)
      })
  })

  it('shows no secret in its answers or alarms', async () => {
    const said: unknown[] = []
    for (const answer of [
      gateway401,
      { status: 401 },
      { status: 400, body: { message: 'no' } },
      { status: 500 },
      state({}),
    ])
      await withMtn({ [TOKEN]: [answer, tokenAnswer], '*': answer }, async ({ url }) => {
        const driver = openDriver(url)
        said.push(await driver.charge!(order), await driver.chargeStatus!(order), await driver.test!(), driver.alarms)
      })
    const text = JSON.stringify(said)
    expect(text).not.toContain('marked')
    expect(text).not.toContain('token-1')
  })
})
