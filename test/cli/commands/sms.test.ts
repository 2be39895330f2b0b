import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../../../src/cli/command-table.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'
import { listSms, queueSms, smsSuffix } from '../../../src/core/collections/sms.ts'
import { begin } from '../../../src/db/client.ts'
import { sendSmsMessages } from '../../../src/jobs/send-sms-messages.ts'
import type { SmsResult } from '../../../src/senders/sms-sender.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const SUFFIX = smsSuffix('Kusanya')
const CUSTOMER = '+80000000003'

let house: TestApp
let result: SmsResult
beforeAll(async () => {
  house = await buildTestApp({ overrides: { sms_sender: { code: 'test', send: async () => result } } })
})
beforeEach(() => begin(house.db, (tx) => tx`delete from sms_messages`))
afterAll(() => house.close())

/** Runs a command as an operator would, and gives what it wrote. */
async function kusanya(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    environment: { DATABASE_URL: house.app.config.DATABASE_URL, DATA_DIR: house.app.config.DATA_DIR },
    interactive: false,
    print: (line = '') => out.push(line),
    warn: (line) => err.push(line),
    ask: () => Promise.reject(new Error('nobody is there')),
    read: async () => '',
    strong: (text) => text,
    faint: (text) => text,
    good: (text) => text,
    bad: (text) => text,
  }
  return { code: await run(args, terminal), out: out.join('\n'), err: err.join('\n') }
}

/** A text to this number with this fate; returns its id. */
async function text(phonenumber: string, fate: SmsResult): Promise<number> {
  const { organization } = house
  const request = Number(phonenumber.slice(-6))
  await begin(house.db, (tx) =>
    queueSms(tx, house.clock.now(), [
      { organization, collection_request: request, purpose: 'success', phonenumber, body: 'Thank\nyou' },
    ]),
  )
  result = fate
  const job = sendSmsMessages(house.app)
  await job.run(await job.claim(10))
  return (await listSms(house.db, { phonenumber }, 1, SUFFIX))[0]!.id
}

const stateOf = async (id: number) => (await listSms(house.db, {}, 10, SUFFIX)).find((one) => one.id === id)!.state
const REFUSED: SmsResult = { outcome: 'failed', message: 'wrong key', retry: false }

describe('texts list', () => {
  it('shows each text as the customer gets it, with its fate', async () => {
    const id = await text(CUSTOMER, REFUSED)
    const { code, out } = await kusanya('texts', 'list')
    expect(code).toBe(0)
    const [, line] = out.split('\n')
    expect(line).toMatch(
      new RegExp(`${id} .*\\${CUSTOMER} .*success +failed +1 +Thank you -Powered by Kusanya +wrong key`),
    )
  })

  it('finds by phone, however it is written, and by state', async () => {
    await text(CUSTOMER, { outcome: 'sent' })
    await text('+80000000004', REFUSED)
    const phones = async (...args: string[]) =>
      JSON.parse((await kusanya('texts', 'list', '--json', ...args)).out).map(
        (row: { phonenumber: string }) => row.phonenumber,
      )
    expect(await phones()).toEqual(['+80000000004', CUSTOMER])
    expect(await phones('--limit', '1')).toEqual(['+80000000004'])
    expect(await phones('--phone', '800 0000-0003')).toEqual([CUSTOMER])
    expect(await phones('--state', 'failed')).toEqual(['+80000000004'])
    expect(await phones('--state', 'waiting')).toEqual([])
  })

  it('says so when there is none, and refuses states that do not exist', async () => {
    expect((await kusanya('texts', 'list')).out).toBe('There is none.')
    const refused = await kusanya('texts', 'list', '--state', 'lost')
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('waiting, sent, failed')
  })
})

describe('texts retry', () => {
  it('makes failed texts due again', async () => {
    const ids = [await text(CUSTOMER, REFUSED), await text('+80000000004', REFUSED)]
    const { code, out } = await kusanya('texts', 'retry', ...ids.map(String))
    expect({ code, out }).toEqual({ code: 0, out: '2 texts are due again.' })
    expect(await Promise.all(ids.map(stateOf))).toEqual(['waiting', 'waiting'])
  })

  it('takes all that failed since a date', async () => {
    const id = await text(CUSTOMER, REFUSED)
    expect((await kusanya('texts', 'retry', '--since', '2031-01-01')).out).toBe('0 texts are due again.')
    expect((await kusanya('texts', 'retry', '--since', '2030-01-15')).out).toBe('1 text is due again.')
    expect(await stateOf(id)).toBe('waiting')
  })

  it('touches nothing when one of the texts was sent already', async () => {
    const [failed, sent] = [await text(CUSTOMER, REFUSED), await text('+80000000004', { outcome: 'sent' })]
    const { code, err } = await kusanya('texts', 'retry', String(failed), String(sent))
    expect(code).toBe(1)
    expect(err).toContain(`Text ${sent} was sent already.`)
    expect(await stateOf(failed)).toBe('failed')
  })

  it.each([
    [[], 'Say which'],
    [['7', '--since', '2030-01-01'], 'Say which'],
    [['99999'], 'There is no text 99999.'],
    [['seven'], 'whole number'],
    [['--since', 'yesterday'], 'It must be a date'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await kusanya('texts', 'retry', ...args)
    expect(code).toBe(1)
    expect(err).toContain(message)
  })
})
