import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../../../../src/cli/command-table.ts'
import type { Terminal } from '../../../../src/cli/terminal.ts'
import { smsSuffix } from '../../../../src/core/sms/message.ts'
import { listSms, queueSms } from '../../../../src/core/sms/outbox.ts'
import { begin } from '../../../../src/db/client.ts'
import { sendSmsMessages } from '../../../../src/jobs/send-sms-messages.ts'
import type { SmsResult } from '../../../../src/senders/sms-sender.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'

const SUFFIX = smsSuffix('Kusanya')
const CUSTOMER = '+80000000003'

let testApp: TestApp
let result: SmsResult
beforeAll(async () => {
  testApp = await buildTestApp({ overrides: { sms_sender: { code: 'test', send: async () => result } } })
})
beforeEach(() => begin(testApp.db, (tx) => tx`delete from sms_messages`))
afterAll(() => testApp.close())

/** Run a command as an operator would, and return its output. */
async function kusanya(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    environment: { DATABASE_URL: testApp.app.config.DATABASE_URL, DATA_DIR: testApp.app.config.DATA_DIR },
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
  return { code: await run(args, terminal), out: out.join('\n'), err: err.join('\n') }
}

/** Send a message to this number with this result, and return its id. */
async function send(phonenumber: string, outcome: SmsResult): Promise<number> {
  const { organization } = testApp
  const request = Number(phonenumber.slice(-6))
  await begin(testApp.db, (tx) =>
    queueSms(tx, testApp.clock.now(), [
      { organization, collection_request: request, purpose: 'success', phonenumber, body: 'Thank\nyou' },
    ]),
  )
  result = outcome
  const job = sendSmsMessages(testApp.app)
  await job.run(await job.claim(10))
  return (await listSms(testApp.db, { phonenumber }, 1, SUFFIX))[0]!.id
}

const stateOf = async (id: number) => (await listSms(testApp.db, {}, 10, SUFFIX)).find((one) => one.id === id)!.state
const REFUSED: SmsResult = { outcome: 'failed', message: 'wrong key', retry: false }

describe('sms list', () => {
  it('shows each message as the customer gets it, with its result', async () => {
    const id = await send(CUSTOMER, REFUSED)
    const { code, out } = await kusanya('sms', 'list')
    expect(code).toBe(0)
    const [, line] = out.split('\n')
    expect(line).toMatch(
      new RegExp(`${id} .*\\${CUSTOMER} .*success +failed +1 +test +1 +Thank you -Powered by Kusanya +wrong key`),
    )
  })

  it('filters by phone in any form, and by state', async () => {
    await send(CUSTOMER, { outcome: 'sent' })
    await send('+80000000004', REFUSED)
    const phones = async (...args: string[]) =>
      JSON.parse((await kusanya('sms', 'list', '--json', ...args)).out).map(
        (row: { phonenumber: string }) => row.phonenumber,
      )
    expect(await phones()).toEqual(['+80000000004', CUSTOMER])
    expect(await phones('--limit', '1')).toEqual(['+80000000004'])
    expect(await phones('--phone', '800 0000-0003')).toEqual([CUSTOMER])
    expect(await phones('--state', 'failed')).toEqual(['+80000000004'])
    expect(await phones('--state', 'waiting')).toEqual([])
  })

  it('reports an empty list, and refuses unknown states', async () => {
    expect((await kusanya('sms', 'list')).out).toBe('There are no messages.')
    const refused = await kusanya('sms', 'list', '--state', 'lost')
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('waiting, sent, delivered, failed, unknown')
  })
})

describe('sms retry', () => {
  it('makes failed messages due again', async () => {
    const ids = [await send(CUSTOMER, REFUSED), await send('+80000000004', REFUSED)]
    const { code, out } = await kusanya('sms', 'retry', ...ids.map(String))
    expect({ code, out }).toEqual({ code: 0, out: '2 messages are due again.' })
    expect(await Promise.all(ids.map(stateOf))).toEqual(['waiting', 'waiting'])
  })

  it('retries all messages that failed since a date', async () => {
    const id = await send(CUSTOMER, REFUSED)
    expect((await kusanya('sms', 'retry', '--since', '2031-01-01')).out).toBe('0 messages are due again.')
    expect((await kusanya('sms', 'retry', '--since', '2030-01-15')).out).toBe('1 message is due again.')
    expect(await stateOf(id)).toBe('waiting')
  })

  it('changes nothing when one of the messages was sent already', async () => {
    const [failed, sent] = [await send(CUSTOMER, REFUSED), await send('+80000000004', { outcome: 'sent' })]
    const { code, err } = await kusanya('sms', 'retry', String(failed), String(sent))
    expect(code).toBe(1)
    expect(err).toContain(`SMS ${sent} was sent already.`)
    expect(await stateOf(failed)).toBe('failed')
  })

  it.each([
    [[], 'Give either ids, or --since'],
    [['7', '--since', '2030-01-01'], 'Give either ids, or --since'],
    [['99999'], 'There is no SMS 99999.'],
    [['seven'], 'whole number'],
    [['--since', 'yesterday'], 'It must be a date'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await kusanya('sms', 'retry', ...args)
    expect(code).toBe(1)
    expect(err).toContain(message)
  })
})
