import { describe, expect, it } from 'vitest'
import { CALL_S } from '../../../src/networks/gsma-momo/client.ts'
import {
  accepted,
  CHARGE,
  error,
  openDriver,
  order,
  payout,
  REQUEST,
  RESPONSE,
  STATE,
  state,
  TOKEN,
  taken,
  testTools,
  tokenAnswer,
  transaction,
  withProvider,
} from './gsma-test.ts'

const unknown = { outcome: 'unknown', message: expect.any(String) }
const answered = { outcome: 'accepted', remote_id: REQUEST }
const token = (access_token: string) => ({ status: 200, body: { access_token, expires_in: 3600 } })

describe('tokens', () => {
  it('are kept for the next call', async () => {
    await withProvider({ '*': accepted }, async ({ url, seen }) => {
      const driver = openDriver(url)
      await driver.charge(order)
      await driver.payout(payout)
      expect(seen.filter(({ line }) => line === TOKEN)).toHaveLength(1)
    })
  })

  it('have the name of the application, so that another one never gets an old token', async () => {
    const names: string[] = []
    const tokens = {
      async get(name: string) {
        names.push(name)
        return { outcome: 'token' as const, token: 't' }
      },
      refuse() {},
    }
    await withProvider({ '*': accepted }, async ({ url }) => {
      await openDriver(url, {}, { tokens }).charge(order)
      await openDriver(url, { consumer_key: 'another' }, { tokens }).charge(order)
      expect(new Set(names).size).toBe(2)
      for (const name of names) expect(name).not.toContain('marked')
    })
  })

  it('that are refused are renewed, and the call is repeated once', async () => {
    const refused = error(401, 'authorisation', 'clientAuthorisationError')
    const answers = { [TOKEN]: [token('old'), token('new')], [CHARGE]: [refused, accepted] }
    await withProvider(answers, async ({ url, seen, calls }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toEqual(answered)
      expect(seen.map(({ line }) => line)).toEqual([TOKEN, CHARGE, TOKEN, CHARGE])
      expect(calls().map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
      expect(driver.alarms).toEqual([])
    })
  })

  it('that are refused twice send no order, and the operator is alerted', async () => {
    await withProvider({ [CHARGE]: { status: 401, text: 'Unauthorized' } }, async ({ url, calls }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
      expect(calls()).toHaveLength(2)
      expect(driver.alarms).toEqual([expect.stringContaining('api_key')])
    })
  })

  it('are not renewed because the customer declined', async () => {
    await withProvider({ '*': error(401, 'authorisation', 'requestDeclined') }, async ({ url, seen }) => {
      await openDriver(url).charge(order)
      expect(seen.filter(({ line }) => line === TOKEN)).toHaveLength(1)
      expect(seen.filter(({ line }) => line === CHARGE)).toHaveLength(1)
    })
  })

  it.each(['3600', null, undefined, 0, 'soon', {}])('may come with the life %j', async (expires_in) => {
    const body = { access_token: 'a', expires_in, more: null }
    await withProvider({ [TOKEN]: { status: 200, body }, '*': accepted }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual(answered)
    })
  })

  it.each([
    ['nothing', { status: 200 }],
    ['a page', { status: 200, text: '<html>' }],
    ['no token', { status: 200, body: { expires_in: 3600 } }],
    ['a token that is no header', { status: 200, body: { access_token: 'a\r\nX-Other: 1', expires_in: 3600 } }],
    ['a 500', { status: 500 }],
    ['a 429', { status: 429 }],
  ])('leave every order unknown when the provider answers with %s', async (_what, answer) => {
    await withProvider({ [TOKEN]: answer }, async ({ url, calls }) => {
      const driver = openDriver(url)
      for (const result of [
        await driver.charge(order),
        await driver.chargeStatus(taken),
        await driver.payout(payout),
        await driver.payoutStatus(payout),
        await driver.accountHolder('+256772123456'),
        await driver.transaction({ remote_id: 'REF-1' }),
        await driver.balance(),
      ])
        expect(result).toEqual(unknown)
      expect(calls()).toEqual([])
    })
  })

  it.each([
    ['wrong credentials', { status: 401, body: { error: 'invalid_client' } }, 'consumer_secret'],
    ['wrong credentials as a 400', { status: 400, body: { error: 'invalid_client' } }, 'consumer_secret'],
    ['a wrong address', { status: 404, text: '<html>' }, 'host token'],
  ])('that are missing because of %s raise an alarm that explains it', async (_what, answer, words) => {
    await withProvider({ [TOKEN]: answer }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toEqual(unknown)
      expect(driver.alarms).toEqual([expect.stringContaining(words)])
    })
  })
})

describe('a call without access', () => {
  it.each([
    ['without tokens', { security_level: 'development' }, { status: 401 }, 'security_level', 'failed'],
    ['by a firewall', {}, { status: 403, text: '<html>' }, 'api_key', 'unknown'],
    ['at a wrong address', {}, { status: 404, text: '<html>' }, 'host api', 'unknown'],
  ])('%s raises an alarm with the repair', async (_what, given, answer, words, outcome) => {
    await withProvider({ '*': answer }, async ({ url }) => {
      const driver = openDriver(url, given)
      expect(await driver.charge(order)).toMatchObject({ outcome })
      expect(driver.alarms).toEqual([expect.stringContaining(words)])
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
        clock_ms += 25_000
        return tools.http(call)
      },
    }
    await withProvider({ [CHARGE]: { status: 401 }, [TOKEN]: tokenAnswer }, async ({ url }) => {
      expect(await openDriver(url, {}, given).charge(order)).toEqual(unknown)
      expect(limits).toEqual([undefined, CALL_S - 25, CALL_S - 50])
    })
  })

  it('is unknown when the provider hangs up, breaks off or does not answer', async () => {
    const fault = [
      (request: { socket: { destroy(): void } }) => request.socket.destroy(),
      (
        request: { socket: { destroy(): void } },
        response: { writeHead(status: number, headers: object): { write(text: string): void } },
      ) => {
        response.writeHead(200, { 'content-length': '500' }).write('{"serverCorrelationId":')
        setTimeout(() => request.socket.destroy(), 10)
      },
      () => {},
    ]
    for (const responder of fault as never[])
      await withProvider({ [CHARGE]: responder, [STATE]: responder, [RESPONSE]: responder }, async ({ url }) => {
        const driver = openDriver(url, {}, { http: testTools(500).http })
        expect(await driver.charge(order)).toEqual(unknown)
        expect(await driver.chargeStatus(order)).toEqual(unknown)
        expect(await driver.chargeStatus(taken)).toEqual(unknown)
      })
  })

  it('shows no secret in its answers or alarms', async () => {
    const said: unknown[] = []
    const repeats = error(400, 'validation', 'formatError')
    for (const answer of [{ status: 401 }, repeats, { status: 500 }, state(), transaction(), accepted])
      await withProvider({ [TOKEN]: [answer, tokenAnswer], '*': answer }, async ({ url }) => {
        const driver = openDriver(url)
        said.push(await driver.charge(order), await driver.chargeStatus(taken), await driver.test(), driver.alarms)
      })
    const text = JSON.stringify(said, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain('marked')
    expect(text).not.toContain('token-1')
  })
})
