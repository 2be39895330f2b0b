import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import { testWebhookAction } from '../core/events/actions.ts'
import type { EventType } from '../core/events/events.ts'
import { createRequestWriter, NOTIFICATION_TIMEOUT_MS } from '../core/events/notification-request.ts'
import {
  readWebhookSigning,
  testNotificationBody,
  WEBHOOK_KEY_PURPOSE,
  Webhook,
  type WebhookRow,
} from '../core/events/webhooks.ts'
import { createAddressCheck } from '../core/target-urls.ts'
import { createHttpClient } from '../lib/http/outgoing-http.ts'
import { sampleObject } from './event-samples.ts'
import { runAction } from './run.ts'
import type { TestResult } from './test-result.ts'

/** Send a sample of its event to a webhook, and record it. */
export async function testWebhook(app: App, actor: Actor, webhook: WebhookRow): Promise<TestResult> {
  const result = await sendTestNotification(app, webhook)
  await runAction(app, actor, testWebhookAction, { id: webhook.id, result: result.failure ?? 'delivered' })
  return result
}

/**
 * Send a sample of its event to a webhook, once. It is signed and addressed like a notification, with `"test":true` in
 * the body and its own webhook-id. It is no delivery: it is not retried, changes nothing about the webhook, and goes to
 * a paused one, too. A 410 does not delete the webhook.
 */
async function sendTestNotification(app: App, webhook: WebhookRow): Promise<TestResult> {
  const signing = await readWebhookSigning(app.db, app.clock.now(), webhook.id)
  const hook = JSON.stringify(z.encode(Webhook, webhook))
  const body = testNotificationBody(hook, JSON.stringify(sampleObject(webhook.event as EventType)))
  const write = createRequestWriter(app.config, app.sealingKeys(WEBHOOK_KEY_PURPOSE))
  const request = write(signing, `test_${randomBytes(9).toString('base64url')}`, body, app.clock.real())
  const http = createHttpClient({ allowsAddress: createAddressCheck(app.config), timeout_ms: NOTIFICATION_TIMEOUT_MS })
  try {
    const result = await http.post(request.target, request.headers, body, request.verify)
    const { status, failure, duration_ms, remote_address } = result
    return {
      failure: failure === 'status' ? String(status) : failure,
      status,
      duration_ms,
      remote_address,
      request_headers: request.shown_headers,
      request_body: body,
      response_body: result.body && request.mask(result.body),
    }
  } finally {
    http.close()
  }
}
