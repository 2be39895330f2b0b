import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type { TestService } from '../interface/test-service.ts'

/** The receiver number of the demo organization's wallet in BXC. */
export async function findReceiver({ testApp, organization }: TestService): Promise<string> {
  const [row] = await testApp.db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  return row!.number
}

/** The report of a payment of 1,500 BXC as the sandbox's network sends it, with these changes. */
export function paymentReport(remote_id: string, receiver: string, changes: Record<string, unknown> = {}): string {
  const transaction = {
    remote_id,
    status: 'successful',
    receiver,
    phonenumber: '+80000000042',
    amount: '1500',
    currency: 'BXC',
    order_reference: null,
    reference: null,
    name: null,
    paid_at: '2030-01-15T12:00:00Z',
    ...changes,
  }
  return JSON.stringify({ event: 'payment.received', transaction })
}

/** The header with the signature of the sandbox's network. */
export function signatureOf({ testApp }: TestService, body: string | Uint8Array): Record<string, string> {
  const secret = testApp.app.deriveSecret('sandbox network')
  return { 'x-sandbox-signature': createHmac('sha256', secret).update(body).digest('hex') }
}

/** Send a callback and return the status; 0 when the connection was closed before an answer came. */
export function sendCallback(
  { url }: TestService,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve) => {
    const call = request(`${url}/api/callbacks/sandbox`, {
      method: 'POST',
      headers: { connection: 'close', ...headers },
    })
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    call.on('error', () => resolve(0))
    call.end(body)
  })
}

/** Run work for each number from 0, some at the same time. */
export async function runEach<T>(count: number, at_once: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return results
}
