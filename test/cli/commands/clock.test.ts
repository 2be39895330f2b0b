import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../../src/app.ts'
import { advanceClock } from '../../../src/cli/advance-clock.ts'
import { advance, formatDuration } from '../../../src/cli/commands/clock.ts'
import { buildServer } from '../../../src/cli/service/serve.ts'
import { processTerminal } from '../../../src/cli/terminal.ts'
import { listOccurrences, listPlans } from '../../../src/core/collections/plans.ts'
import { findRunningRoles } from '../../../src/db/running-roles.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

const DAY_MS = 24 * 3_600_000

let house: TestApp
/** The clock of these houses is the one that the program has. */
const openHouse = async () => {
  house = await buildTestApp({ overrides: { clock: undefined } })
}
const closeHouse = () => house.close()

/** Runs a command as an operator would, beside whatever runs in the house. */
function kusanya(...args: string[]) {
  const { DATABASE_URL, DATA_DIR } = house.app.config
  return openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })(args)
}

/** Creates requests over HTTP, daily ones with the settings of a plan. */
async function ask(url: string, ...wishes: object[]) {
  const api = createApiClient(url, house.api_key)
  return Promise.all(
    wishes.map(async (wish) => {
      const fields = { amount: '1500', currency: 'BXC', send_instructions: true, ...wish }
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
  const rows = await house.db<{ status: string; count: number }[]>`
    select status, count(*) from collection_requests group by status`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

describe('clock', () => {
  beforeAll(openHouse)
  afterAll(closeHouse)

  it('shows the time of the sandbox, the real one, and how far they are apart', async () => {
    const still = await kusanya('clock')
    expect(still).toMatchObject({ code: 0, err: '' })
    expect(still.out).toContain('The clock was never moved.')
    expect((await kusanya('clock', 'advance', '3 hours')).code).toBe(0)
    expect((await kusanya('clock', 'show')).out).toMatch(/The sandbox is (3 hours|2 hours 59 minutes)/)
    const { now, real, ahead_ms } = JSON.parse((await kusanya('clock', '--json')).out)
    expect(Date.parse(now) - Date.parse(real)).toBeCloseTo(ahead_ms, -4)
  })

  it.each([['advance', 'yesterday'], ['advance', '2000-01-01'], ['advance', '0', 'days'], ['advance']])(
    'refuses to be moved nowhere or back: %s %s %s',
    async (...args) => {
      const { code, err } = await kusanya('clock', ...args.filter((word) => word !== undefined))
      expect(code).toBe(1)
      expect(err).not.toBe('')
    },
  )
})

describe('clock advance', () => {
  beforeEach(openHouse)
  afterEach(closeHouse)

  it('lets three days pass in seconds: a daily plan has three occurrences, and all else happens at its time', async () => {
    const service = await house.startService()
    const phones = Array.from(
      { length: 60 },
      (_, i) => `+80000${String(i % 10 === 0 ? 9 : 1_000 + i).padStart(6, '0')}`,
    )
    await ask(
      service.url,
      { phonenumber: '+80000000003', subscription_settings: daily() },
      ...phones.map((phonenumber) => ({ phonenumber })),
    )
    const begun = performance.now()
    const { code, out, err } = await kusanya('clock', 'advance', '3 days')
    // A service that is too busy to answer in time is as good as absent, and the command then does the work, too.
    expect({ code, err: err.replace(/^No service runs.*\n?/m, '') }).toEqual({ code: 0, err: '' })
    expect(performance.now() - begun).toBeLessThan(150_000)
    expect(out.split('\n').at(-1)).toMatch(/, 3 days later\.$/)
    const [plan] = await listPlans(house.db, {}, 1)
    const made = (await listOccurrences(house.db, plan!.id, 10)).toReversed()
    const first = made[0]!.date.getTime()
    expect(made.map(({ date }) => date.getTime() - first)).toEqual([0, 1, 2, 3].map((days) => days * DAY_MS))
    expect(made.slice(0, 3).map(({ status }) => status)).toEqual(['successful', 'successful', 'successful'])
    expect((await statuses()).expired).toBe(6)
    // Each occurrence was paid soon after it was asked, on its own day: the clock goes on while a slow machine works.
    const paid = await house.db<{ late: number }[]>`
      select extract(epoch from m.at - r.created)::float8 as late from collection_request_transitions m
      join collection_requests r on r.id = m.collection_request where m.to_status = 'successful'`
    expect(Math.max(...paid.map(({ late }) => late))).toBeLessThan(300)
  }, 200_000)

  it('does the work itself where no service runs, and leaves nothing running', async () => {
    const server = await buildServer(house.app)
    const asked = await server.inject({
      method: 'POST',
      url: '/api/collectionrequests',
      headers: { authorization: `Token ${house.api_key}` },
      payload: { phonenumber: '+80000000003', amount: '20', currency: 'BXC', subscription_settings: daily() },
    })
    expect(asked.statusCode).toBe(201)
    const { code, err } = await kusanya('clock', 'advance', '49 hours')
    expect(code).toBe(0)
    expect(err).toContain('No service runs')
    expect(await findRunningRoles(house.db, 300)).toEqual(new Set())
    const [plan] = await listPlans(house.db, {}, 1)
    expect(plan!.occurrence_count).toBe(3)
    expect(await statuses()).toEqual({ successful: 3 })
    await server.close()
  })

  it('goes on without what nobody does, and says what that is', async () => {
    await house.startService()
    await house.db`
      insert into simulator_callbacks (body, due_at, leased_until) values ('', ${new Date()}, ${new Date(Date.now() + DAY_MS)})`
    // The wallets' nightly refill falls due on the way, and somebody does that.
    const stuck: string[] = []
    const target = new Date(house.app.clock.now().getTime() + DAY_MS)
    await advanceClock(house.app, target, { stuck_after_ms: 3_000, onStuck: ({ table }) => stuck.push(table) })
    expect(stuck).toEqual(['simulator_callbacks'])
    expect(house.app.clock.now().getTime()).toBeGreaterThanOrEqual(target.getTime())
  })

  it('does not give up on what takes long but gets done', async () => {
    // Nobody runs the jobs: the test does them, one at a time.
    await house.startService({ jobs: false })
    await house.app.simulator!.stop()
    for (let i = 0; i < 6; i += 1)
      await house.db`insert into simulator_callbacks (body, due_at) values ('', ${new Date()})`
    const stuck: string[] = []
    const walk = advanceClock(house.app, new Date(house.app.clock.now().getTime() + DAY_MS), {
      stuck_after_ms: 4_000,
      onStuck: ({ table }) => stuck.push(table),
    })
    // All of it takes longer than the patience, and each piece much less.
    for (let i = 0; i < 6; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 900))
      await house.db`delete from simulator_callbacks where id = (select min(id) from simulator_callbacks)`
    }
    await walk
    expect(stuck).toEqual([])
  })

  it('is refused in live mode', async () => {
    const live: App = { ...house.app, config: { ...house.app.config, MODE: 'live' } }
    await expect(advance(processTerminal(), live, '3 days')).rejects.toThrow('this is MODE=live')
  })
})

describe('a span', () => {
  it.each([
    [0, '0 seconds'],
    [1_000, '1 second'],
    [90 * 60_000, '1 hour 30 minutes'],
    [3 * DAY_MS + 2_000, '3 days 2 seconds'],
  ])('of %d ms is said as %s', (span_ms, text) => {
    expect(formatDuration(span_ms)).toBe(text)
  })
})
