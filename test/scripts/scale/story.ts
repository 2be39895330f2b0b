import { vi } from 'vitest'
import { holdSms, refuseSms } from '../../../src/core/sms/attempts.ts'
import { begin } from '../../../src/db/client.ts'
import { Connection } from '../../../src/db/connection.ts'
import { toStatement } from '../../../src/db/sql.ts'
import { airtimeOrder, createBuyer } from '../../api/bills/buyer.ts'
import { openReceiver } from '../../receiver.ts'
import { buildTestApp, createApiClient, eventually } from '../../test-app.ts'

/** The paths of the service whose statements must be captured, each found by one that it sends. */
export const hotPaths: Readonly<Record<string, RegExp>> = {
  create: /^insert into collection_requests/,
  dispatch: /^insert into network_orders/,
  "network's answer": /^insert into network_order_answers/,
  callback: /^insert into callbacks/,
  match: /^insert into collections/,
  settle: /^insert into transfers/,
  events: /^insert into events/,
  delivery: /^with removed as \( delete from webhook_deliveries_waiting/,
  SMS: /^insert into sms_messages/,
  'get and list': /^select .* from collection_requests/,
  payments: /^insert into payment_recipients/,
  bills: /^insert into bill_purchases/,
}

/**
 * Plays one story against a real service, which ends as the money arrives, is notified and is sent on, and captures every
 * statement that the service sends meanwhile.
 * @returns the texts of the statements, each once
 */
export async function captureStatements(): Promise<string[]> {
  const testApp = await buildTestApp()
  const receiver = await openReceiver()
  const { url } = await testApp.startService()
  const api = createApiClient(url, testApp.api_key)
  const texts = new Set<string>()
  const run = Connection.prototype.run
  const spy = vi.spyOn(Connection.prototype, 'run').mockImplementation(function (this: Connection, fragment) {
    // The connections of the test itself are not the service.
    if (applicationOf(this) !== 'tests') texts.add(toStatement(fragment).text)
    return run.call(this, fragment) as never
  })
  try {
    for (const event of ['collectionrequest.status.changed', 'collection.received', 'payment.status.changed'])
      await api.post('/api/webhooks', { event, target: `${receiver.url}/shop?skip-cert-verify` })
    const until = async (path: string, field: string, value: string) =>
      eventually(`${path} to be ${value}`, async () => {
        if ((await api.get(path)).body[field] === value) return true
        testApp.clock.advance(1)
        testApp.app.wake()
        return undefined
      })
    const wanted = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC', send_instructions: true }
    const request = (await api.post('/api/collectionrequests', wanted, { 'duplicate-check-key': 'once' })).body
    await until(`/api/collectionrequests/${request.id}`, 'status', 'successful')
    const wages = { phonenumber: '+80000000003', amount: '100', currency: 'BXC', description: 'Wages' }
    const payment = (await api.post('/api/payments', { ...wages, send_sms_message: true })).body
    await until(`/api/payments/${payment.id}`, 'state', 'processed')
    await createBuyer(testApp, url).post('/services/airtime/request', airtimeOrder())
    for (const noun of [
      'collectionrequests',
      'collections',
      'contacts',
      'events',
      'payments',
      'accounts',
      'transactions',
    ])
      await api.get(`/api/${noun}?limit=20`)
    await eventually('every notification and SMS to be sent', async () => {
      testApp.app.wake()
      const [open] = await testApp.db`
        select 1 from webhook_deliveries_waiting union all select 1 from sms_messages where due_at is not null`
      return open === undefined || undefined
    })
    // Whether the jobs send these depends on what ends first: the request, or the SMS about it.
    const sms = { id: 1, organization: testApp.organization }
    await begin(testApp.app.db, async (tx) => {
      refuseSms(tx, [{ ...sms, reason: 'expired', message: 'Too late.' }])
      holdSms(tx, [{ ...sms, due_at: null, counted: false }])
    })
    return [...texts]
  } finally {
    spy.mockRestore()
    await testApp.close()
    await receiver.close()
  }
}

function applicationOf(connection: Connection): unknown {
  return (connection as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
    .application_name
}
