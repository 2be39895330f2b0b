import { afterAll, beforeAll, expect, it } from 'vitest'
import { callRaw, openTestService, type TestService } from '../../interface/test-service.ts'
import { eventually } from '../../test-app.ts'
import { attackMany, closeAll, head } from '../connections.ts'
import { printFigure } from '../figures.ts'

/*
 * A stranger sends forms that need no key: bodies that are no JSON, bodies of the greatest size, and heads without a body.
 */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const HEADERS = { 'content-type': 'application/json', 'x-requested-with': 'console' }

/** Rate limit per address and minute, and the maximum body, of each form. */
const FORMS = [
  ['/console/api/password-resets', 20, 2_048],
  ['/console/api/links/use', 20, 8_192],
  ['/console/api/session', 60, 8_192],
] as const

it.each(FORMS)('counts the callers of %s before it reads what they send', async (path, per_minute, max_bytes) => {
  const send = (body: string) =>
    callRaw(service.url, 'POST', path, { headers: HEADERS, body }).then((one) => one.status)
  const large = await send(`"${'.'.repeat(max_bytes)}"`)
  const statuses: number[] = []
  for (let sent = 0; sent < per_minute + 5; sent += 1) statuses.push(await send('{"email":'))
  const read = statuses.filter((status) => status === 400).length
  printFigure(
    'open-forms',
    `${path}: ${read} of ${statuses.length} broken forms read, and none above ${max_bytes} bytes`,
  )
  expect(large).toBe(413)
  expect(read).toBeLessThanOrEqual(per_minute)
  expect(statuses.at(-1)).toBe(429)
})

it('answers callbacks for unknown addresses before their bodies come', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': 60_000 }
  const open = await attackMany(
    service.url,
    20,
    head('POST', '/api/callbacks/sandbox/guessed', headers),
    () => '127.0.0.1',
  )
  await eventually('all to be refused', async () => open.every((one) => one.status() === 404) || undefined)
  closeAll(open)
})
