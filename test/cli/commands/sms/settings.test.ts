import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../../../src/cli/command-table.ts'
import type { Terminal } from '../../../../src/cli/terminal.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

/** Run a command as an operator would, and return its output. */
async function kusanya(...args: string[]) {
  return command('sms', ...args)
}

async function command(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    environment: {
      DATABASE_URL: testApp.app.config.DATABASE_URL,
      DATA_DIR: testApp.app.config.DATA_DIR,
      SMS_URL: 'http://127.0.0.1:9/sms',
    },
    folder: null,
    interactive: false,
    print: (line = '') => out.push(line),
    warn: (line) => err.push(line),
    ask: () => Promise.reject(new Error('The terminal is not interactive.')),
    read: async () => '',
    strong: (text) => text,
    faint: (text) => text,
    good: (text) => text,
    bad: (text) => text,
  }
  const code = await run(args, terminal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Run a command that must succeed, and return its JSON. */
async function json(...args: string[]) {
  const { code, out, err } = await kusanya(...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

async function fail(...args: string[]): Promise<string> {
  const { code, err } = await kusanya(...args)
  expect(code).not.toBe(0)
  return err
}

/** A connection that every installation with these settings has. */
async function connection(): Promise<string> {
  const known = /There are: ([a-z-]+)/.exec(await fail('routes', 'set', 'nowhere'))
  return known![1]!
}

describe('the connection of the settings', () => {
  it('is listed and shown, and changed only in the settings', async () => {
    const list = JSON.parse((await command('connections', 'list', '--json')).out) as { slug: string }[]
    const row = list.find(({ slug }) => slug === 'http')
    expect(row).toMatchObject({ kind: 'sms', source: 'settings', state: 'active', secrets: { url: 'set' } })
    expect((await command('connections', 'show', 'http')).out).toContain('the settings SMS_URL')
    for (const change of [['pause'], ['remove'], ['set', '--priority', '3']]) {
      const { code, err } = await command('connections', change[0]!, 'http', ...change.slice(1))
      expect([code, err]).toEqual([1, expect.stringContaining('comes from the settings (SMS_URL)')])
    }
  })
})

describe('sms routes and senders', () => {
  it('are set, listed and removed', async () => {
    const over = await connection()
    const route = await json('routes', 'set', over, '--country', 'ug', '--price', '35', '--currency', 'ugx')
    expect(route).toMatchObject({ connection: over, country: 'UG', price: '35.0000', currency: 'UGX', priority: 100 })
    expect((await kusanya('routes', 'list')).out).toMatch(new RegExp(`UG +all +${over} +100 +UGX 35`))
    expect((await kusanya('routes', 'remove', String(route.id))).out).toContain('Removed')
    expect((await kusanya('routes', 'list')).out).toContain('every active SMS connection carries everything')
    expect(await fail('routes', 'set', over, '--price', '3')).toContain('currency')
    expect(await fail('routes', 'set', over, '--country', 'Uganda')).toContain('two letters')

    await json('senders', 'set', 'DemoShop', '--country', 'KE')
    expect(await json('senders', 'list')).toMatchObject([{ country: 'KE', sender_id: 'DemoShop' }])
    expect(await fail('senders', 'set', 'AVeryLongSender')).toContain('11 letters')
  })
})

describe('sms send and show', () => {
  it('queues a message and shows its state', async () => {
    const { id } = await json('send', '+256772000001', 'Hello')
    expect(await json('show', String(id))).toMatchObject({
      id,
      purpose: 'message',
      state: 'waiting',
      transactional: false,
      providers: [],
      body: 'Hello -Powered by Kusanya',
    })
    expect((await kusanya('show', String(id))).out).toContain('not transactional')
    expect(await fail('send', '+256772000001', ' ')).toContain('blank')
    expect(await fail('show', '99999')).toContain('There is no SMS 99999.')
  })
})

describe('sms opt-outs, rules, limits and usage', () => {
  it('are set by hand', async () => {
    await json('opt-outs', 'add', '+256772000001', '--by', 'Grace')
    expect(await json('opt-outs', 'list')).toMatchObject([
      { phonenumber: '+256772000001', state: 'withdrawn', by: 'Grace', organization: null },
    ])
    await json('opt-outs', 'consent', '+256772000001')
    expect(await json('opt-outs', 'list', '--state', 'given')).toHaveLength(1)
    await json('opt-outs', 'remove', '+256772000001')
    expect((await kusanya('opt-outs', 'list')).out).toContain('Nobody')

    expect((await kusanya('rules', 'list')).out).toMatch(/NG +Africa\/Lagos +20:00-08:00 +not required +the program/)
    await json('rules', 'set', 'UG', '--quiet', '21:00-07:00', '--consent', 'required')
    expect((await kusanya('rules', 'list')).out).toMatch(/UG +Africa\/Kampala +21:00-07:00 +required +you/)
    expect(await fail('rules', 'set', 'UG', '--quiet', 'always')).toContain('20:00-08:00')
    await json('rules', 'remove', 'UG')

    expect(await fail('limits', 'set')).toContain('--parts')
    expect(await json('limits', 'set', '--parts', '100', '--stop', 'receipts')).toMatchObject({
      monthly_parts: 100,
      stop_covers_receipts: true,
    })
    expect(await json('limits', 'set', '--parts', 'any')).toMatchObject({
      monthly_parts: null,
      stop_covers_receipts: true,
    })
    expect((await kusanya('usage')).out).toBe('No SMS was sent.')
    expect((await kusanya('incoming')).out).toBe('No customer has sent a message.')
  })
})
