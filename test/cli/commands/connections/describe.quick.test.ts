import { expect, it } from 'vitest'
import { describeView } from '../../../../src/cli/commands/connections/describe.ts'
import type { ConnectionView } from '../../../../src/connections/view.ts'

const time = new Date('2030-01-15T12:00:00Z')

const view: ConnectionView = {
  kind: 'network',
  slug: 'mtn-uganda',
  driver: 'mtn-momo',
  network: 'MTN MoMo',
  environment: 'production',
  live: true,
  organization: 2,
  state: 'active',
  source: 'person',
  priority: 100,
  max_concurrent: 50,
  max_per_second: 100,
  allowed_networks: '',
  hosts: { api: 'https://api.example' },
  settings: { certificate: 'first line\nsecond line', user: 'me' },
  secrets: { api_key: 'set', other_key: 'not set' },
  places: [],
  last_test: null,
  tested: null,
  health: null,
  created: time,
  modified: time,
}

it('a connection is described in lines, long values by their first one', () => {
  const lines = describeView(view)
  expect(lines).toContain('Connection   mtn-uganda, active')
  expect(lines).toContain('certificate  first line …')
  expect(lines).toContain('api_key      (secret) set')
  expect(lines.at(-2)).toMatch(/^No account uses it/)
  expect(lines.at(-1)).toBe('Not tested since it was changed.')
})

it('with its health, its places and its last test', () => {
  const lines = describeView({
    ...view,
    health: {
      state: 'degraded',
      degraded_since: time,
      calls: 20,
      success_rate: 0.25,
      p50_ms: 80,
      p95_ms: 900,
      last_call: time,
      last_answer: time,
      alarms: [{ message: 'The credentials were refused.', first: time, last: time, count: 3 }],
    },
    places: [
      {
        connection: 'mtn-uganda',
        account: 5,
        organization: 2,
        number: '256772000000',
        currency: 'UGX',
        country: 'UG',
        collects: true,
        pays_out: false,
        unrequested: true,
      },
    ],
    tested: time,
    last_test: [{ name: 'token', outcome: 'ok', message: 'It works.' }],
  })
  expect(lines).toContain('Last 15 minutes: degraded, 20 calls, 25 % answered, half within 80 ms, 95 % within 900 ms')
  expect(lines).toContain('Alarm of 2030-01-15T12:00:00Z: The credentials were refused.')
  expect(lines).toContain('  5: UGX under 256772000000 in UG; collects, gets unrequested money')
  expect(lines).toContain('  ok      token: It works.')
})
