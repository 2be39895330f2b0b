import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../test-app.ts'

const FILE = join(import.meta.dirname, '../../examples/buy-electricity.sh')

let testApp: TestApp
let url: string
let clock_timer: NodeJS.Timeout | undefined
beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService()).url
})
afterAll(async () => {
  clearInterval(clock_timer)
  await testApp.close()
})

/** Advance the clock. A late token comes after five seconds, so the clock must not move before the first answer. */
function letTimePass(): void {
  clock_timer ??= setInterval(() => {
    testApp.clock.advance(1)
    testApp.app.wake()
  }, 250)
}

/** Run the example in a shell. The clock starts to move when the example requeries. */
function shell(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, KUSANYA_URL: url, KUSANYA_API_KEY: testApp.api_key }
  return new Promise((resolve) => {
    const child = execFile('sh', [FILE, ...args], { env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
    child.stdout!.on('data', (text: string) => {
      if (text.includes('Asking')) letTimePass()
    })
  })
}

describe('buying electricity from the shell', () => {
  it('shows the owner of the meter, and the token', async () => {
    const { code, out } = await shell()
    expect(out).toContain('The meter 04042404048 belongs to TESTMETER1.')
    expect(out).toMatch(/Token for NGN 2000, 27\.8KWH: \d{20}\n$/)
    expect(code).toBe(0)
  })

  it('requeries until a late token is there', async () => {
    const { code, out } = await shell('45060582249', '5000', 'abuja_electric_prepaid', '08031000211')
    expect(out).toContain('Asking for the result of example-')
    expect(out).toMatch(/Token for NGN 5000, [\d.]+KWH: \d{20}\n$/)
    expect(code).toBe(0)
  })

  it('shows why a purchase failed', async () => {
    const refused = await shell('04042404048', '2000', 'ikeja_electric_prepaid', '08031000202')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Not bought: EXC00107')])
    const unknown = await shell('04042404049')
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('BX0003')])
  })
})
