import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOccurrences } from '../../../src/core/collections/occurrences.ts'
import { begin } from '../../../src/db/client.ts'
import { newestPlans } from '../../core/collections/newest-plans.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService({ jobs: false })
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  for (const [phonenumber, settings] of [
    ['+80000000003', { weekdays: 'mon,thu', months: 'jan,feb' }],
    ['+80000000004', { frequency: 'monthly' }],
  ] as const) {
    const body = { phonenumber, amount: '1500', currency: 'BXC', reason: 'Rent' }
    const subscription_settings = { end_date: '31/12/2030 12:00:00', ...settings }
    await createApiClient(service.url, testApp.api_key).post('/api/collectionrequests', {
      ...body,
      subscription_settings,
    })
  }
})
afterAll(() => testApp.close())

describe('plans', () => {
  it('lists the newest first', async () => {
    const { code, out } = await kusanya(['plans', 'list'])
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'id | request | phone | currency | amount | recurs | requests | next (UTC)',
      ' 2 | 2 | +80000000004 | BXC | 1,500 | monthly | 1 | 2030-02-15 12:00',
      ' 1 | 1 | +80000000003 | BXC | 1,500 | daily on Monday, Thursday in January, February | 1 | 2030-01-21 12:00',
    ])
    const rows = JSON.parse((await kusanya(['plans', 'list', '--json', '--limit', '1'])).out)
    expect(rows).toMatchObject([
      { id: 2, collection_request: 2, frequencies: ['monthly'], due_at: '2030-02-15T12:00:00Z' },
    ])
    expect((await kusanya(['plans', 'list', '--currency', 'UGX'])).out).toContain('There are no plans.')
  })

  it('shows a plan with its requests and its next ten dates', async () => {
    const [plan] = (await newestPlans(testApp.db, 2)).filter((one) => one.id === 1)
    await begin(testApp.db, (tx) => createOccurrences(tx, plan!.due_at!, [1]))
    const { out } = await kusanya(['plans', 'show', '1'])
    expect(out.split('\n')).toEqual([
      'Plan 1: BXC 1,500 from +80000000003, daily on Monday, Thursday in January, February',
      'from 2030-01-15T12:00:00Z to 2030-12-31T12:00:00Z. 2 requests so far, active.',
      '  2030-01-17T12:00:00Z  request 1  pending',
      '  2030-01-21T12:00:00Z  request 3  pending',
      ...['01-24', '01-28', '01-31', '02-04', '02-07', '02-11', '02-14', '02-18', '02-21', '02-25'].map(
        (day) => `  2030-${day}T12:00:00Z`,
      ),
    ])
    const shown = JSON.parse((await kusanya(['plans', 'show', '1', '--json', '--limit', '2'])).out)
    expect(shown).toMatchObject({
      id: 1,
      amount: '1500.0000',
      next_dates: ['2030-01-24T12:00:00Z', '2030-01-28T12:00:00Z'],
    })
  })

  it('pauses a plan, lists it by its state, and resumes it', async () => {
    expect((await kusanya(['plans', 'pause', '2'])).out).toBe(
      'Plan 2 is paused; the request that it created stays as it is.',
    )
    expect((await kusanya(['plans', 'list', '--state', 'paused'])).out).toMatch(/^ 2 .* 1 {2}paused$/m)
    expect((await kusanya(['plans', 'resume', '2'])).out).toBe(
      'Plan 2 is active; the next request is on 2030-02-15T12:00:00Z.',
    )
  })

  it('stops a plan permanently', async () => {
    expect(await kusanya(['plans', 'stop', '1'])).toEqual({
      code: 0,
      out: 'Plan 1 is stopped; the 2 requests that it created stay as they are.',
      err: '',
    })
    expect((await kusanya(['plans', 'list'])).out).toMatch(/ 1 .* 2 {2}stopped$/m)
    expect((await kusanya(['plans', 'show', '1'])).out).toMatch(
      /2 requests so far, stopped\.\n.*request 1 .*\n.*request 3 .*$/,
    )
  })

  it('refuses an unknown plan, and a wrong id', async () => {
    expect(await kusanya(['plans', 'stop', '77'])).toMatchObject({ code: 1, err: 'There is no plan 77.' })
    expect(await kusanya(['plans', 'show', '77'])).toMatchObject({ code: 1, err: 'There is no plan 77.' })
    expect((await kusanya(['plans', 'show', 'x'])).code).toBe(1)
  })
})
