import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../../src/app.ts'
import { advanceClock } from '../../../src/cli/advance-clock.ts'
import { advance, formatDuration } from '../../../src/cli/commands/clock.ts'
import { buildServer } from '../../../src/cli/service/serve.ts'
import { processTerminal } from '../../../src/cli/terminal.ts'
import { listOccurrences } from '../../../src/core/collections/plans.ts'
import { findRunningRoles } from '../../../src/db/roles/running-roles.ts'
import { newestPlans } from '../../core/collections/newest-plans.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

const DAY_MS = 24 * 3_600_000

let testApp: TestApp
/** Open a test app with the clock of the program. */
const openApp = async () => {
  testApp = await buildTestApp({ overrides: { clock: undefined } })
}
const closeApp = () => testApp.close()

/** Run a command as an operator would, beside the services of the test app. */
function kusanya(...args: string[]) {
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  return openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })(args)
}

/** Create requests over HTTP; those with subscription settings start a plan. */
async function ask(url: string, ...requests: object[]) {
  const api = createApiClient(url, testApp.api_key)
  return Promise.all(
    requests.map(async (request) => {
      const fields = { amount: '1500', currency: 'BXC', send_instructions: true, ...request }
      const { status, body } = await api.post('/api/collectionrequests', fields)
      expect(status, JSON.stringify(body)).toBe(201)
      return body as { id: number }
    }),
  )
}

function daily() {
  const [date, time] = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 19).split('T')
  return { end_date: `${date!.split('-').reverse().join('/')} ${time}`, frequency: 'daily' }
}

async function statuses() {
  const rows = await testApp.db<{ status: string; count: number }[]>`
    select status, count(*) from collection_requests group by status`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

describe('clock', () => {
  beforeAll(openApp)
  afterAll(closeApp)

  it('shows the time of the sandbox, the real time, and the difference', async () => {
    const before = await kusanya('clock')
    expect(before).toMatchObject({ code: 0, err: '' })
    expect(before.out).toContain('The clock was not moved.')
    expect((await kusanya('clock', 'advance', '3 hours')).code).toBe(0)
    expect((await kusanya('clock', 'show')).out).toMatch(/The sandbox is (3 hours|2 hours 59 minutes)/)
    const { now, real, ahead_ms } = JSON.parse((await kusanya('clock', '--json')).out)
    expect(Date.parse(now) - Date.parse(real)).toBeCloseTo(ahead_ms, -4)
  })

  it('takes spans of several parts, such as those that it prints', async () => {
    const { code, out } = await kusanya('clock', 'advance', '2', 'hours', '30', 'minutes')
    expect(code).toBe(0)
    expect(out).toMatch(/2 hours 30 minutes later/)
  })

  it.each([['advance', 'yesterday'], ['advance', '2000-01-01'], ['advance', '0', 'days'], ['advance']])(
    'refuses a missing, wrong or past time: %s %s %s',
    async (...args) => {
      const { code, err } = await kusanya('clock', ...args.filter((word) => word !== undefined))
      expect(code).toBe(1)
      expect(err).not.toBe('')
    },
  )
})

describe('clock advance', () => {
  beforeEach(openApp)
  afterEach(closeApp)

  it('moves three days in seconds: a daily plan recurs three times, and all work is done at its time', async () => {
    const service = await testApp.startService()
    const phones = Array.from(
      { length: 60 },
      (_, i) => `+80000${String(i % 10 === 0 ? 9 : 1_000 + i).padStart(6, '0')}`,
    )
    await ask(
      service.url,
      { phonenumber: '+80000000003', subscription_settings: daily() },
      ...phones.map((phonenumber) => ({ phonenumber })),
    )
    const started_at = performance.now()
    const { code, out, err } = await kusanya('clock', 'advance', '3 days')
    // If the service is too busy to answer in time, the command does the work itself.
    expect({ code, err: err.replace(/^No service is running.*\n?/m, '') }).toEqual({ code: 0, err: '' })
    expect(performance.now() - started_at).toBeLessThan(150_000)
    expect(out.split('\n').at(-1)).toMatch(/, 3 days later\.$/)
    const [plan] = await newestPlans(testApp.db, 1)
    const occurrences = (await listOccurrences(testApp.db, plan!.id, 10)).toReversed()
    const first = occurrences[0]!.date.getTime()
    expect(occurrences.map(({ date }) => date.getTime() - first)).toEqual([0, 1, 2, 3].map((days) => days * DAY_MS))
    expect(occurrences.slice(0, 3).map(({ status }) => status)).toEqual(['successful', 'successful', 'successful'])
    expect((await statuses()).expired).toBe(6)
    // Each occurrence was paid on its own day, soon after its request. The clock moves on while a slow machine works.
    const paid = await testApp.db<{ late: number }[]>`
      select extract(epoch from m.at - r.created)::float8 as late from collection_request_transitions m
      join collection_requests r on r.id = m.collection_request where m.to_status = 'successful'`
    expect(Math.max(...paid.map(({ late }) => late))).toBeLessThan(300)
  })

  it('does the work itself when no service is running, and leaves nothing running', async () => {
    const server = await buildServer(testApp.app)
    const response = await server.inject({
      method: 'POST',
      url: '/api/collectionrequests',
      headers: { authorization: `Token ${testApp.api_key}` },
      payload: { phonenumber: '+80000000003', amount: '20', currency: 'BXC', subscription_settings: daily() },
    })
    expect(response.statusCode).toBe(201)
    const { code, err } = await kusanya('clock', 'advance', '49 hours')
    expect(code).toBe(0)
    expect(err).toContain('No service is running')
    expect(await findRunningRoles(testApp.db, 300)).toEqual(new Set())
    const [plan] = await newestPlans(testApp.db, 1)
    expect(plan!.occurrence_count).toBe(3)
    expect(await statuses()).toEqual({ successful: 3 })
    await server.close()
  })

  it('goes on without work that makes no progress, and reports its table', async () => {
    await testApp.startService()
    await testApp.db`
      insert into simulator_callbacks (door, body, due_at, leased_until) values ('sandbox', '', ${new Date()}, ${new Date(Date.now() + DAY_MS)})`
    // The nightly refill of the wallets also becomes due on the way, and is done.
    const stuck: string[] = []
    const target = new Date(testApp.app.clock.now().getTime() + DAY_MS)
    await advanceClock(testApp.app, target, { stuck_after_ms: 3_000, onStuck: ({ table }) => stuck.push(table) })
    expect(stuck).toEqual(['simulator_callbacks'])
    expect(testApp.app.clock.now().getTime()).toBeGreaterThanOrEqual(target.getTime())
  })

  it('waits for work that takes long but makes progress', async () => {
    // No jobs run: the test does the work, one row at a time.
    await testApp.startService({ jobs: false })
    await testApp.app.simulator!.stop()
    for (let i = 0; i < 6; i += 1)
      await testApp.db`insert into simulator_callbacks (door, body, due_at) values ('sandbox', '', ${new Date()})`
    const stuck: string[] = []
    const advancing = advanceClock(testApp.app, new Date(testApp.app.clock.now().getTime() + DAY_MS), {
      stuck_after_ms: 4_000,
      onStuck: ({ table }) => stuck.push(table),
    })
    // All work together takes longer than the limit, and each row much less.
    for (let i = 0; i < 6; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 900))
      await testApp.db`delete from simulator_callbacks where id = (select min(id) from simulator_callbacks)`
    }
    await advancing
    expect(stuck).toEqual([])
  })

  it('is refused in live mode', async () => {
    const live: App = { ...testApp.app, config: { ...testApp.app.config, MODE: 'live' } }
    await expect(advance(processTerminal(), live, '3 days')).rejects.toThrow('runs with MODE=live')
  })
})

describe('a span', () => {
  it.each([
    [0, '0 seconds'],
    [1_000, '1 second'],
    [90 * 60_000, '1 hour 30 minutes'],
    [3 * DAY_MS + 2_000, '3 days 2 seconds'],
  ])('of %d ms is formatted as %s', (span_ms, text) => {
    expect(formatDuration(span_ms)).toBe(text)
  })
})
