import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { WrongSetting } from '../../src/lib/wrong-setting.ts'
import { createSmsSender } from '../../src/senders/index.ts'

const SMS_1 = { id: 1, phonenumber: '+80000000000', body: 'Thank you.' }
const LIVE = { MODE: 'live', SECRET_KEY: 'x'.repeat(32) }

describe('the sender of an installation', () => {
  it('is the outbox in the sandbox, which sends nothing', async () => {
    const sender = createSmsSender(readConfig({}))
    expect(sender.code).toBe('outbox')
    expect(await sender.send(SMS_1)).toEqual({ outcome: 'sent' })
  })

  it('fails every SMS in live mode without a provider', async () => {
    const sender = createSmsSender(readConfig(LIVE))
    expect(sender.code).toBe('none')
    expect(await sender.send(SMS_1)).toMatchObject({ outcome: 'failed', retry: false })
  })
})

describe('an SMS setting in a wrong form', () => {
  it.each([
    [{ SMS_URL: 'sms.example' }, 'The setting SMS_URL is wrong: it must be an http or https address.'],
    [{ SMS_URL: 'ftp://sms.example/hunter2' }, 'The setting SMS_URL is wrong: it must be an http or https address.'],
    [{ SMS_METHOD: 'post' }, 'The setting SMS_METHOD=post is wrong: it must be POST, PUT or GET.'],
    [{ SMS_HEADERS: 'Bearer hunter2' }, 'The setting SMS_HEADERS is wrong: it must be a JSON object'],
    [{ SMS_HEADERS: '{"retries":3}' }, 'The setting SMS_HEADERS is wrong: it must be a JSON object'],
    [{ SMS_HEADERS: '["hunter2"]' }, 'The setting SMS_HEADERS is wrong: it must be a JSON object'],
    [{ SMS_REPORTS: '{"id_field":1}' }, 'The setting SMS_REPORTS={"id_field":1} is wrong: it must be a JSON object'],
  ])('stops the start with one line: %j', (settings, message) => {
    const read = () => readConfig(settings)
    expect(read).toThrow(WrongSetting)
    expect(read).toThrow(message)
    expect(read).not.toThrow(/hunter2|\n/)
  })
})
