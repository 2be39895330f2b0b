import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../../packages/client/src/index.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { createWebhookHelpers } from '../../jobs/webhook-helpers.ts'
import { openReceiver, type Received, type Receiver } from '../../receiver.ts'
import { eventually } from '../../test-app.ts'

let service: TestService
let receiver: Receiver
let secret: string
let request: number
/** A delivery that the service has sent: `collectionrequest.status.changed`. */
let received: Received

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  const helpers = createWebhookHelpers(service.testApp)
  const target = `${receiver.url}/?skip-cert-verify`
  const webhook = await helpers.addWebhook(target, 'collectionrequest.status.changed')
  secret = await helpers.secretOf(webhook)
  request = (await service.createRequest({ send_instructions: true, metadata: { note: 'Çà "là"' } })).id
  await service.advanceUntilStatus(request, 'successful')
  received = await eventually('the delivery', async () =>
    receiver.received.find(({ body }) => JSON.parse(body).data.status === 'successful'),
  )
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const verify = (changes: { body?: string; headers?: Received['headers']; secret?: string | string[]; now?: Date }) => {
  const { body = received.body, headers = received.headers, now } = changes
  return verifyWebhook(body, headers, changes.secret ?? secret, { now })
}
const refusal = (text: string) => expect.objectContaining({ message: expect.stringContaining(text) })
const another = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('verifyWebhook', () => {
  it("accepts the service's notifications, and returns their content", async () => {
    const notification = await verify({})
    expect(notification).toMatchObject({
      type: 'collectionrequest.status.changed',
      hook: { event: 'collectionrequest.status.changed' },
      data: { id: request, status: 'successful', amount: '1500.0000', metadata: { note: 'Çà "là"' } },
      webhook_id: received.headers['webhook-id'],
    })
    expect(notification.sent).toBeInstanceOf(Date)
    if (notification.type === 'collectionrequest.status.changed')
      expect(notification.data.phonenumber).toBe('+80000000003')
  })

  it('takes bytes, the Headers of fetch, and one of several secrets', async () => {
    const bytes = new TextEncoder().encode(received.body)
    const headers = new Headers(received.headers as Record<string, string>)
    const content = await verify({})
    expect(await verifyWebhook(bytes, headers, [another, secret])).toEqual(content)
    expect(await verifyWebhook(bytes.buffer, headers, [secret, another])).toEqual(content)
  })

  it('accepts one right signature beside others', async () => {
    const signature = `v1,AAAA v2,x v1a,y ${received.headers['webhook-signature']}`
    await verify({ headers: { ...received.headers, 'webhook-signature': signature } })
  })

  it('refuses changed content, and foreign signatures', async () => {
    await expect(verify({ body: received.body.replace('1500', '1501') })).rejects.toEqual(refusal('No signature'))
    await expect(verify({ secret: another })).rejects.toEqual(refusal('No signature'))
    for (const [name, value] of [
      ['webhook-id', 'msg_another'],
      ['webhook-timestamp', String(Number(received.headers['webhook-timestamp']) + 1)],
      ['webhook-signature', 'v1,'],
      ['webhook-signature', String(received.headers['webhook-signature']).slice(0, -8)],
      ['webhook-signature', String(received.headers['webhook-signature']).replace('v1,', 'v2,')],
    ] as const)
      await expect(verify({ headers: { ...received.headers, [name]: value } }), name).rejects.toBeInstanceOf(
        WebhookVerificationError,
      )
  })

  it('refuses old and future notifications, and ones without headers', async () => {
    const sent = Number(received.headers['webhook-timestamp']) * 1_000
    await verify({ now: new Date(sent + 299_000) })
    await expect(verify({ now: new Date(sent + 301_000) })).rejects.toEqual(refusal('too old'))
    await expect(verify({ now: new Date(sent - 301_000) })).rejects.toEqual(refusal('too old'))
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await expect(verify({ headers: { ...received.headers, [name]: undefined } })).rejects.toEqual(refusal(name))
    await expect(verify({ headers: { ...received.headers, 'webhook-timestamp': 'NaN' } })).rejects.toEqual(
      refusal('no time'),
    )
  })

  it('explains mistakes of a program', async () => {
    const parsed = JSON.parse(received.body)
    await expect(verifyWebhook(parsed, received.headers, secret)).rejects.toThrow('Parsed JSON')
    await expect(verify({ secret: '' })).rejects.toThrow(TypeError)
    await expect(verify({ secret: [] })).rejects.toThrow(TypeError)
  })
})
