import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConnectionTools } from '../../../src/connections/tools/index.ts'
import type { AccessToken, TokenAnswer, UnknownOutcome } from '../../../src/networks/contract.ts'
import { openDatabase } from '../../test-app.ts'
import { openProcess, type StillClock, serve, stillClock } from './setup.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

let clock: StillClock
beforeEach(async () => {
  clock = stillClock()
  await database.db.unsafe('delete from network_tokens')
})

/** A network that makes tokens `token-1`, `token-2` and so on, and counts. */
async function tokenServer(options: { expires_in?: number; delay_ms?: number } = {}) {
  const { expires_in = 3_600, delay_ms = 20 } = options
  const state = { made: 0, status: 200 }
  const url = await serve((_, response) => {
    state.made += 1
    const body = JSON.stringify({ access_token: `token-${state.made}`, expires_in })
    setTimeout(() => response.writeHead(state.status).end(body), delay_ms)
  })
  /** Fetch a token as a driver does. */
  const fetchWith = (tools: ConnectionTools) => async (): Promise<AccessToken | UnknownOutcome> => {
    const answer = await tools.http({ verb: 'token', is_token: true, method: 'POST', url })
    if (answer.outcome === 'unknown' || answer.status !== 200) return { outcome: 'unknown', message: 'No token.' }
    const { access_token, expires_in } = JSON.parse(answer.text)
    return { token: access_token, expires_in_s: Number(expires_in) }
  }
  return { state, getWith: (tools: ConnectionTools) => tools.tokens.get('collection', fetchWith(tools)) }
}

const open = (options = {}) => openProcess(database.db, clock, options)
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const textsOf = (answers: readonly TokenAnswer[]) => [
  ...new Set(answers.map((answer) => (answer.outcome === 'token' ? answer.token : answer.message))),
]

describe('a token', () => {
  it('is fetched once for 200 callers', async () => {
    const process = open()
    const tools = process.tools()
    const server = await tokenServer()
    expect(textsOf(await many(200, () => server.getWith(tools)))).toEqual(['token-1'])
    expect(server.state.made).toBe(1)
    expect(await process.metrics()).toContain(
      'kusanya_network_token_renewals_total{connection="mtn-ug",outcome="fetched"} 1',
    )
  })

  it('is fetched once for 200 callers in four processes', async () => {
    const tools = Array.from({ length: 4 }, () => open().tools())
    const server = await tokenServer({ delay_ms: 200 })
    expect(textsOf(await many(200, (index) => server.getWith(tools[index % 4]!)))).toEqual(['token-1'])
    expect(server.state.made).toBe(1)
  })

  it('is one for each name and each connection', async () => {
    const process = open()
    const server = await tokenServer()
    const [one, two] = [process.tools({ slug: 'one' }), process.tools({ slug: 'two' })]
    const fetch = async () => ({ token: 'disbursement-token', expires_in_s: 60 })
    expect(textsOf([await server.getWith(one), await server.getWith(two)])).toEqual(['token-1', 'token-2'])
    expect(textsOf([await one.tokens.get('disbursement', fetch)])).toEqual(['disbursement-token'])
    expect(textsOf([await server.getWith(one)])).toEqual(['token-1'])
  })

  it('is stored encrypted, and worthless with another key or after a change of the settings', async () => {
    const server = await tokenServer()
    await server.getWith(open().tools())
    const [row] = await database.db<{ row: string }[]>`select to_jsonb(t)::text as row from network_tokens t`
    expect(row!.row).toContain('mtn-ug')
    expect(row!.row).not.toContain('token-1')
    expect(textsOf([await server.getWith(open().tools())])).toEqual(['token-1'])
    expect(textsOf([await server.getWith(open().tools({ revision: '2' }))])).toEqual(['token-2'])
    expect(textsOf([await server.getWith(open({ key: 'cd'.repeat(32) }).tools({ revision: '2' }))])).toEqual([
      'token-3',
    ])
  })

  it.each([
    ['3600 s', 3_600, 3_569, 3_571],
    ['180 s', 180, 161, 163],
  ])('that lives %s is renewed shortly before it expires', async (_life, expires_in, still_s, renewed_s) => {
    const tools = open().tools()
    const server = await tokenServer({ expires_in })
    await server.getWith(tools)
    clock.advance(still_s)
    expect(textsOf([await server.getWith(tools)])).toEqual(['token-1'])
    clock.advance(renewed_s - still_s)
    expect(textsOf(await many(50, () => server.getWith(tools)))).toEqual(['token-2'])
  })

  it('is used until it expires if no new one is available, and callers do not wait for that', async () => {
    const tools = open().tools()
    const server = await tokenServer()
    await server.getWith(tools)
    clock.advance(3_580)
    server.state.status = 500
    expect(textsOf(await many(50, () => server.getWith(tools)))).toEqual(['token-1'])
    expect(server.state.made).toBe(2)
    clock.advance(21)
    expect(textsOf([await server.getWith(tools)])).toEqual(['No token.'])
  })

  it('is used on while the network hangs with the new one', async () => {
    const tools = open().tools()
    const server = await tokenServer()
    await server.getWith(tools)
    clock.advance(3_580)
    const started_ms = performance.now()
    const never = () => new Promise<AccessToken>(() => {})
    expect(textsOf(await many(50, () => tools.tokens.get('collection', never)))).toEqual(['token-1'])
    expect(performance.now() - started_ms).toBeLessThan(9_000)
  })
})

describe('a refused token', () => {
  it('is renewed once, although 200 callers were refused', async () => {
    const process = open()
    const tools = process.tools()
    const server = await tokenServer()
    await server.getWith(tools)
    const answers = await many(200, async (index) => {
      // Some callers learn of the refusal when others have the new token already.
      await sleep(index % 100)
      tools.tokens.refuse('collection', 'token-1')
      return server.getWith(tools)
    })
    expect(textsOf(answers)).toEqual(['token-2'])
    expect(server.state.made).toBe(2)
    expect(await process.metrics()).toContain('kusanya_network_token_refusals_total{connection="mtn-ug"} 1')
  })

  it('is renewed once for all processes', async () => {
    const tools = Array.from({ length: 4 }, () => open().tools())
    const server = await tokenServer({ delay_ms: 150 })
    await many(4, (index) => server.getWith(tools[index]!))
    const answers = await many(40, (index) => {
      tools[index % 4]!.tokens.refuse('collection', 'token-1')
      return server.getWith(tools[index % 4]!)
    })
    expect(textsOf(answers)).toEqual(['token-2'])
    expect(server.state.made).toBe(2)
  })

  it('does not drop another one', async () => {
    const tools = open().tools()
    const server = await tokenServer()
    await server.getWith(tools)
    tools.tokens.refuse('collection', 'token-0')
    tools.tokens.refuse('disbursement', 'token-1')
    expect(textsOf([await server.getWith(tools)])).toEqual(['token-1'])
  })

  it('leads to pauses when the network refuses each new one', async () => {
    const tools = open().tools()
    const server = await tokenServer({ delay_ms: 0 })
    const messages = new Set<string>()
    for (let count = 0; count < 100; count += 1) {
      const answer = await server.getWith(tools)
      if (answer.outcome === 'token') tools.tokens.refuse('collection', answer.token)
      else messages.add(answer.message)
    }
    expect(server.state.made).toBe(2)
    expect([...messages]).toEqual(['The network refuses its own new access token.'])
    clock.advance(1)
    expect(textsOf([await server.getWith(tools)])).toEqual(['token-3'])
  })
})

describe('an unavailable token', () => {
  it('is asked for once by 200 callers, and then again after waits that double', async () => {
    const tools = open().tools()
    const server = await tokenServer()
    server.state.status = 503
    const made: number[] = []
    for (const wait_s of [0, 0.5, 0.6, 1, 1.1, 4, 8, 15, 15]) {
      clock.advance(wait_s)
      expect(textsOf(await many(200, () => server.getWith(tools)))).toEqual(['No token.'])
      made.push(server.state.made)
    }
    expect(made).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 7])
    server.state.status = 200
    clock.advance(15)
    expect(textsOf(await many(200, () => server.getWith(tools)))).toEqual(['token-8'])
  })

  it.each([
    ['an empty text', { token: '', expires_in_s: 3_600 }],
    ['no life', { token: 'x', expires_in_s: 0 }],
    ['a life that is no number', { token: 'x', expires_in_s: Number.NaN }],
    ['an endless life', { token: 'x', expires_in_s: Number.POSITIVE_INFINITY }],
  ])('does not come with %s', async (_name, answer) => {
    expect(
      await open()
        .tools()
        .tokens.get('collection', async () => answer),
    ).toEqual({
      outcome: 'unknown',
      message: 'The answer with the access token cannot be understood.',
    })
  })

  it("hides the content of a driver's error", async () => {
    const process = open()
    const { tokens } = process.tools()
    const throwNow = () => {
      throw new Error('client-secret')
    }
    const answers = [
      await tokens.get('a', () => Promise.reject(new Error('client-secret'))),
      await tokens.get('b', throwNow),
    ]
    expect(answers.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown'])
    expect(JSON.stringify([answers, process.lines])).not.toContain('client-secret')
  })

  it('is fetched by another process when the one that had the lease was killed', async () => {
    const killed = open()
    const server = await tokenServer()
    expect(await killed.shared.tokensOf('mtn-ug', '1').claim('collection', 20)).toBe(true)
    const waiting = server.getWith(open().tools())
    await sleep(300)
    expect(server.state.made).toBe(0)
    clock.advance(20)
    expect(textsOf([await waiting])).toEqual(['token-1'])
  })

  it('is fetched by each process for itself while the database is away', async () => {
    const other = await openDatabase()
    const process = openProcess(other.db, clock)
    await other.close()
    const tools = process.tools()
    const server = await tokenServer()
    expect(textsOf(await many(20, () => server.getWith(tools)))).toEqual(['token-1'])
    expect(process.lines.map(({ event }) => event)).toContain('database_unavailable')
  })
})
