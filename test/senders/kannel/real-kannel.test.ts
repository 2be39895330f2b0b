import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SmsCallback, SmsOperations } from '../../../src/senders/contract.ts'
import { kannel } from '../../../src/senders/kannel/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { createRecordingTools } from '../../networks/conformance/tools.ts'
import { waitFor } from '../conformance/rig.ts'
import { sms } from '../sms-test.ts'
import { hasKannel, type RealKannel, startKannel } from './real-kannel.ts'

/*
 * Kannel itself judges the driver: the program of Debian, in front of an SMSC of lines.
 */

const PASSWORD = 'the-password'
const title = hasKannel() ? 'Kannel itself' : 'Kannel itself: skipped, because the package kannel is not installed'

describe.skipIf(!hasKannel())(title, () => {
  let real: RealKannel
  let operations: Bound<SmsOperations>
  let url = ''
  const heard: SmsCallback[] = []
  const business = createServer((request, response) => {
    const [path = '', query = ''] = request.url!.split(/\?(.*)/s)
    const callback = rawCallback({ method: request.method!, path: path.replace('/cb', ''), query, body: '' })
    heard.push(operations.readCallback!(callback))
    response.end()
  })
  const open = (password = PASSWORD) =>
    openBound(
      kannel,
      {
        slug: 'kannel',
        environment: 'production',
        hosts: { api: real.url },
        settings: kannel.settings.parse({ username: 'kusanya', password }) as never,
      },
      createRecordingTools({ now: () => new Date(), callback_base: () => url }),
    )

  beforeAll(async () => {
    await new Promise<void>((resolve) => business.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(business.address() as AddressInfo).port}/cb`
    real = await startKannel({ password: PASSWORD, incoming_url: `${url}/incoming` })
    operations = open()
  })
  afterAll(async () => {
    await real?.close()
    business.closeAllConnections()
    business.close()
  })

  it('takes an SMS, hands it to the SMSC, and reports its end', async () => {
    expect(await operations.send(sms)).toEqual({ outcome: 'sent' })
    await waitFor(() => real.lines.length > 0)
    expect(real.lines[0]).toMatch(/^MAMASHOP \+256772123456 text Pay 1500 & confirm \+ "\*165#"/)
    const ends = () =>
      heard
        .flatMap((one) => (one.subject === 'reports' ? one.reports : []))
        .filter(({ state }) => state === 'delivered')
    await waitFor(() => ends().length > 0)
    expect(ends()[0]).toMatchObject({ sms: { reference: sms.reference }, state: 'delivered' })
  })

  it('hands over an SMS of a customer, and answers nothing to the customer', async () => {
    const before = real.lines.length
    real.text('+256772123456', '8181', 'STOP')
    await waitFor(() => heard.some(({ subject }) => subject === 'incoming'))
    expect(heard.find(({ subject }) => subject === 'incoming')).toMatchObject({
      verified: true,
      messages: [{ from: '+256772123456', to: '8181', text: 'STOP' }],
    })
    expect(real.lines.length).toBe(before)
  })

  it('accepts the credentials of the test, and refuses others', async () => {
    expect(await operations.test!()).toMatchObject([{ outcome: 'ok' }, { outcome: 'skipped' }])
    const wrong = open('another')
    expect(await wrong.test!()).toMatchObject([{ outcome: 'failed' }])
    expect(await wrong.send(sms)).toMatchObject({ outcome: 'failed', reason: 'credentials' })
  })

  it('refuses an SMS without a sender', async () => {
    const answer = await operations.send({ ...sms, sender: null })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'invalid_sender' })
  })
})
