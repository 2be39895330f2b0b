import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../test-app.ts'

const FILE = join(import.meta.dirname, '../../examples/buy-electricity.sh')

let testApp: TestApp
let url: string
let passing: NodeJS.Timeout | undefined
beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService()).url
})
afterAll(async () => {
  clearInterval(passing)
  await testApp.close()
})

/** A token that comes later comes after five seconds. None of them is over before the first answer is there. */
function letTimePass(): void {
  passing ??= setInterval(() => {
    testApp.clock.advance(1)
    testApp.app.wake()
  }, 250)
}

/** Runs the example in a shell, as its reader would. Time passes from when it begins to ask what became of a purchase. */
function shell(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, KUSANYA_URL: url, KUSANYA_API_KEY: testApp.api_key }
  return new Promise((resolve) => {
    const child = execFile('sh', [FILE, ...args], { env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
    child.stdout!.on('data', (said: string) => {
      if (said.includes('Asking')) letTimePass()
    })
  })
}

describe('buying electricity from the shell', () => {
  it('says whose meter it is, and shows the token', async () => {
    const { code, out } = await shell()
    expect(out).toContain('The meter 04042404048 is that of TESTMETER1.')
    expect(out).toMatch(/Token for NGN 2000, 27\.8KWH: \d{20}\n$/)
    expect(code).toBe(0)
  })

  it('asks on until a token that comes later is there', async () => {
    const { code, out } = await shell('45060582249', '5000', 'abuja_electric_prepaid', '08031000211')
    expect(out).toContain('Asking what became of example-')
    expect(out).toMatch(/Token for NGN 5000, [\d.]+KWH: \d{20}\n$/)
    expect(code).toBe(0)
  }, 90_000)

  it('says why nothing was bought', async () => {
    const refused = await shell('04042404048', '2000', 'ikeja_electric_prepaid', '08031000202')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Not bought: EXC00107')])
    const none = await shell('04042404049')
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('BX0003')])
  })
})
