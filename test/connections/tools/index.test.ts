import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectionTools, laneOf } from '../../../src/connections/tools/index.ts'
import { readConnectionHealth } from '../../../src/core/connections/connection-health.ts'
import { openDatabase } from '../../test-app.ts'
import { about, openProcess, type StillClock, serve, stillClock, traits } from './setup.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

let clock: StillClock
beforeEach(async () => {
  clock = stillClock()
  await database.db.unsafe('truncate connection_health, connection_alarms')
})

const open = () => openProcess(database.db, clock)
const healthOf = async (slug = 'mtn-ug') => (await readConnectionHealth(database.db, clock.real())).get(slug)

/** A network whose answers a test chooses. */
async function network() {
  const state = { status: 200, silent: false, body: '{}', calls: 0 }
  const url = await serve((request, response) => {
    state.calls += 1
    if (state.silent) request.socket.destroy()
    else response.writeHead(state.status).end(state.body)
  })
  /** Run an operation of a driver that understands answers of 200, 400 and, as Daraja, some of 500. */
  const ask = async (tools: ConnectionTools) => {
    const release = tools.tryAcquire()
    if (!release) return 'no slot'
    const answer = await tools.run(about('r1'), async ({ http }) => {
      const answer = await http({ verb: 'charge status', method: 'GET', url })
      const understood = answer.outcome === 'answered' && (answer.status < 500 || answer.text.includes('processed'))
      return { outcome: understood ? ('accepted' as const) : ('unknown' as const) }
    })
    release()
    return answer.outcome
  }
  const askTimes = async (tools: ConnectionTools, count: number) => {
    const answers: string[] = []
    for (let i = 0; i < count; i += 1) answers.push(await ask(tools))
    return answers
  }
  return { state, ask, askTimes }
}

describe('a network that stops answering', () => {
  it.each([
    ['hangs up', { silent: true }],
    ['answers 503', { status: 503 }],
  ])('and %s gets one call every five seconds until it answers again', async (_name, fault) => {
    const process = open()
    const tools = process.tools()
    const { state, ask, askTimes } = await network()
    expect(await askTimes(tools, 5)).toEqual(new Array(5).fill('accepted'))
    Object.assign(state, fault)
    const answers = await askTimes(tools, 100)
    // Five answered and six unanswered calls make a majority.
    expect(answers.filter((answer) => answer === 'unknown')).toHaveLength(6)
    expect(state.calls).toBe(11)
    expect([tools.state(), tools.nextFree()]).toEqual(['degraded', 5_000])
    clock.advance(5)
    expect(await askTimes(tools, 10)).toEqual(['unknown', ...new Array(9).fill('no slot')])
    Object.assign(state, { silent: false, status: 200 })
    clock.advance(5)
    expect([await ask(tools), await ask(tools), tools.state()]).toEqual(['accepted', 'accepted', 'healthy'])
    const events = process.lines.filter(({ event }) => /^connection_/.test(String(event)))
    expect(events).toEqual([
      expect.objectContaining({ event: 'connection_degraded', connection: 'mtn-ug', calls: 11, unanswered: 6 }),
      expect.objectContaining({ event: 'connection_recovered', connection: 'mtn-ug', degraded_s: 10 }),
    ])
  })

  it('differs from one that refuses, or answers 500 with content that the driver understands', async () => {
    const process = open()
    const tools = process.tools()
    const { state, askTimes } = await network()
    Object.assign(state, { status: 400 })
    expect(await askTimes(tools, 30)).toEqual(new Array(30).fill('accepted'))
    Object.assign(state, { status: 500, body: 'The transaction is being processed' })
    expect(await askTimes(tools, 30)).toEqual(new Array(30).fill('accepted'))
    expect(tools.state()).toBe('healthy')
    expect(process.lines.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      ...new Array(30).fill('network_called 4xx'),
      ...new Array(30).fill('network_called 5xx'),
    ])
    Object.assign(state, { body: 'Internal error' })
    expect(await askTimes(tools, 100)).toContain('no slot')
    expect(process.lines.at(-1)).toMatchObject({ event: 'connection_degraded' })
    expect(process.lines.at(-2)).toMatchObject({ event: 'network_not_answered', outcome: '5xx', reference: 'r1' })
  })

  it.each<[string, object, boolean]>([
    ['an order that is taken after the token was renewed', { outcome: 'accepted', remote_id: 'x' }, true],
    ['a refusal of the order', { outcome: 'failed', reason: 'cancelled', message: '' }, true],
    ['an order that was not sent', { outcome: 'failed', reason: 'unreachable', message: '' }, false],
    ['an SMS that was not sent', { outcome: 'failed', reason: 'credentials', message: '', retry: true }, false],
    ['a purchase that was not sent', { outcome: 'failed', reason: 'no_answer', message: '' }, false],
    ['a question that was not asked', { outcome: 'unknown', message: '' }, false],
  ])('or refuses our credentials does not count as healthy: %s', async (_name, outcome, answered) => {
    const process = open()
    const tools = process.tools()
    const url = await serve((_request, response) => response.writeHead(401).end())
    for (let i = 0; i < 12; i += 1)
      await tools.run(about('r1'), async ({ http }) => {
        await http({ verb: 'charge', method: 'POST', url, body: '{}' })
        return outcome
      })
    expect(tools.state()).toBe(answered ? 'healthy' : 'degraded')
  })

  it('does not slow down another connection', async () => {
    const process = open()
    const [one, two] = [process.tools({ slug: 'one' }), process.tools({ slug: 'two' })]
    const [first, second] = [await network(), await network()]
    first.state.silent = true
    await first.askTimes(one, 20)
    expect([one.state(), two.state()]).toEqual(['degraded', 'healthy'])
    expect(await second.askTimes(two, 5)).toEqual(new Array(5).fill('accepted'))
  })
})

describe('the health of a connection', () => {
  it('counts the calls of all processes of the last 15 minutes', async () => {
    const processes = [open(), open()]
    const { state, askTimes } = await network()
    const tools = processes.map((process) => process.tools())
    for (const one of tools) await askTimes(one, 4)
    const last_answer = clock.real()
    state.silent = true
    clock.advance(60)
    await askTimes(tools[0]!, 2)
    for (const process of processes) await process.shared.health.sync()
    const health = await healthOf()
    expect(health).toMatchObject({ state: 'healthy', calls: 10, success_rate: 0.8, last_answer, alarms: [] })
    expect(health!.last_call).toEqual(clock.real())
    expect(health!.p50_ms).toBeGreaterThan(0)
    expect(health!.p95_ms).toBeGreaterThanOrEqual(health!.p50_ms!)
    clock.advance(15 * 60 + 1)
    for (const process of processes) await process.shared.health.sync()
    expect(await healthOf()).toMatchObject({ calls: 0, success_rate: null, p50_ms: null, p95_ms: null })
    clock.advance(15 * 60 + 1)
    expect(await healthOf()).toBeUndefined()
  })

  it('keeps other processes from a network that one of them has found silent', async () => {
    const [one, two] = [open(), open()]
    const [first, second] = [one.tools(), two.tools()]
    const { state, askTimes } = await network()
    await askTimes(second, 1)
    clock.advance(1)
    state.silent = true
    await askTimes(first, 10)
    for (const process of [one, two]) await process.shared.health.sync()
    expect([first.state(), second.state(), (await healthOf())!.state]).toEqual(['degraded', 'degraded', 'degraded'])
    const before = state.calls
    await askTimes(second, 50)
    expect(state.calls - before).toBe(1)

    state.silent = false
    clock.advance(5)
    expect(await askTimes(first, 1)).toEqual(['accepted'])
    for (const process of [one, two]) await process.shared.health.sync()
    expect([first.state(), second.state(), (await healthOf())!.state]).toEqual(['healthy', 'healthy', 'healthy'])
  })

  it('does not stay degraded because of a process that was stopped or killed', async () => {
    const [stopped, killed, other] = [open(), open(), open()]
    const { state, askTimes } = await network()
    state.silent = true
    const tools = other.tools()
    await askTimes(stopped.tools(), 10)
    await stopped.shared.health.sync()
    await other.shared.health.sync()
    expect(tools.state()).toBe('degraded')
    await stopped.shared.close()
    await other.shared.health.sync()
    expect([tools.state(), (await healthOf())!.state]).toEqual(['healthy', 'healthy'])
    await askTimes(killed.tools(), 10)
    await killed.shared.health.sync()
    await other.shared.health.sync()
    expect(tools.state()).toBe('degraded')
    clock.advance(31)
    await other.shared.health.sync()
    expect([tools.state(), (await healthOf())!.state]).toEqual(['healthy', 'healthy'])
  })

  it('divides the limits between the processes that have called in the last minute', async () => {
    const processes = [open(), open(), open()]
    const tools = processes.map((process) => process.tools({ max_concurrent: 12 }))
    const { askTimes } = await network()
    const slotsOf = async (index: number) => {
      await processes[index]!.shared.health.sync()
      const taken = Array.from({ length: 20 }, () => tools[index]!.tryAcquire()).filter(
        (release) => release !== undefined,
      )
      for (const release of taken) release(false)
      return taken.length
    }
    expect(await slotsOf(0)).toBe(12)
    for (const index of [0, 1, 2]) {
      await askTimes(tools[index]!, 1)
      await processes[index]!.shared.health.sync()
    }
    expect([await slotsOf(0), await slotsOf(1), await slotsOf(2)]).toEqual([4, 4, 4])
    clock.advance(61)
    expect(await slotsOf(0)).toBe(12)
  })

  it('is exchanged without being asked for', async () => {
    const process = open()
    const tools = process.tools()
    const { askTimes } = await network()
    process.shared.start()
    await askTimes(tools, 3)
    tools.alarm('The API key is refused.')
    await expect.poll(healthOf).toMatchObject({ calls: 3, alarms: [{ count: 1 }] })
  })
})

describe('an alarm', () => {
  it('is logged once an hour for each message, and counted', async () => {
    const processes = [open(), open()]
    const [tools, other] = processes.map((process) => process.tools())
    const first = clock.real()
    for (let count = 0; count < 300; count += 1) tools!.alarm('The API key is refused.')
    tools!.alarm('The address of this machine is not allowed.')
    other!.alarm('The API key is refused.')
    clock.advance(3_599)
    tools!.alarm('The API key is refused.')
    await Promise.all(processes.map((process) => process.shared.health.sync()))
    const logged = () =>
      processes[0]!.lines.map(({ level, event, connection, alarm }) => [level, event, connection, alarm])
    expect(logged()).toEqual([
      [50, 'network_alarm', 'mtn-ug', 'The API key is refused.'],
      [50, 'network_alarm', 'mtn-ug', 'The address of this machine is not allowed.'],
    ])
    clock.advance(1)
    tools!.alarm('The API key is refused.')
    await processes[0]!.shared.health.sync()
    expect(logged()).toHaveLength(3)
    expect((await healthOf())!.alarms).toEqual([
      { message: 'The API key is refused.', first, last: clock.real(), count: 303 },
      { message: 'The address of this machine is not allowed.', first, last: first, count: 1 },
    ])
    expect(await processes[0]!.metrics()).toContain('kusanya_network_alarms_total{connection="mtn-ug"} 303')
    clock.advance(24 * 3_600)
    expect(await healthOf()).toBeUndefined()
  })

  it('may be of any text and any number', async () => {
    const process = open()
    const tools = process.tools()
    tools.alarm(`\0${'é'.repeat(2_000)}\ud800`)
    for (let count = 0; count < 300; count += 1) tools.alarm(`alarm ${count}`)
    await process.shared.health.sync()
    const { alarms } = (await healthOf())!
    expect([alarms.length, Math.max(...alarms.map(({ message }) => message.length))]).toEqual([100, 500])
    expect(process.lines.filter(({ event }) => event === 'job_failed')).toEqual([])
  })

  it('is kept while the database is away', async () => {
    const process = open()
    const tools = process.tools()
    tools.alarm('The API key is refused.')
    await database.db.unsafe('alter table connection_alarms rename to away')
    await process.shared.health.sync()
    await database.db.unsafe('alter table away rename to connection_alarms')
    expect(process.lines.map(({ event }) => event)).toContain('job_failed')
    tools.alarm('The API key is refused.')
    await process.shared.health.sync()
    expect((await healthOf())!.alarms).toMatchObject([{ count: 2 }])
  })
})

describe('the tools of a driver', () => {
  it('give long operations a lane of their own', async () => {
    const tools = open().tools({ traits: { ...traits, charge: { call_s: 120 } }, max_concurrent: 8 })
    const long = Array.from({ length: 8 }, () => tools.tryAcquire(laneOf(120)))
    expect(long.filter((release) => release !== undefined)).toHaveLength(4)
    expect([tools.nextFree('long'), tools.nextFree('short')]).toEqual([50, 0])
    expect(tools.tryAcquire()).toBeDefined()
  })

  it('show running operations in the metrics', async () => {
    const process = open()
    const tools = process.tools()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const operation = tools.run(about('r1'), () => ended)
    expect(await process.metrics()).toContain('kusanya_connection_operations{connection="mtn-ug"} 1')
    expect(await process.metrics()).toContain('kusanya_connection_degraded{connection="mtn-ug"} 0')
    end()
    await operation
    expect(await process.metrics()).toContain('kusanya_connection_operations{connection="mtn-ug"} 0')
  })

  it('make the callback address of an order, of the connection, and of each purpose', () => {
    let base = 'http://127.0.0.1:3000'
    const tools = open().tools({ callback_base: () => base })
    const stem = `/api/callbacks/mtn-ug/${'0a'.repeat(16)}`
    expect(tools.callbackUrl('7c9e')).toBe(`${base}${stem}/7c9e`)
    base = 'https://pay.example.com/'
    expect(tools.callbackUrl('7c9e', 'result')).toBe(`https://pay.example.com${stem}/7c9e/result`)
    expect(tools.callbackUrl(null)).toBe(`https://pay.example.com${stem}`)
    expect(tools.callbackUrl(null, 'validation')).toBe(`https://pay.example.com${stem}/validation`)
    expect(tools.callbackUrl('a/../b?c', 'x y')).toBe(`https://pay.example.com${stem}/a%2F..%2Fb%3Fc/x%20y`)
  })

  it('pass on errors of an operation', async () => {
    const process = open()
    const tools = process.tools()
    await expect(tools.run(about('r1'), () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
    expect(await process.metrics()).toContain('kusanya_connection_operations{connection="mtn-ug"} 0')
  })

  it('wait for the operations under way when they are closed', async () => {
    const tools = open().tools()
    const url = await serve((_, response) => void setTimeout(() => response.end('{}'), 100))
    const call = { verb: 'charge', method: 'GET', url } as const
    const operation = tools.run(about('r1'), async ({ http }) => {
      await http({ ...call, verb: 'token' })
      return http(call)
    })
    await tools.close()
    expect(await operation).toMatchObject({ status: 200 })
    expect(await tools.http(call)).toMatchObject({ outcome: 'unknown' })
    await tools.close()
  })

  it('of changed settings go on with the limits and the health of the earlier ones', async () => {
    const process = open()
    const { state, askTimes } = await network()
    const earlier = process.tools({ max_concurrent: 3 })
    const release = earlier.tryAcquire()!
    const later = process.tools({ revision: '2', max_concurrent: 2 })
    expect([later.tryAcquire(), later.tryAcquire()]).toEqual([expect.any(Function), undefined])
    release()
    await askTimes(earlier, 2)
    state.silent = true
    await askTimes(later, 5)
    expect(later.state()).toBe('healthy')
    await earlier.close()
    await process.shared.health.sync()
    expect(await healthOf()).toMatchObject({ calls: 7 })
  })
})
