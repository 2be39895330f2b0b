import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AnyBillDriver, BillOperations, ProviderVend } from '../../src/billers/contract.ts'
import { type Bound, openBound } from '../drivers/bound.ts'
import { createRecordingTools, type RecordingTools } from '../networks/conformance/tools.ts'

/** Request that has left the driver. */
export interface Recorded {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** An answer of the recorded server. */
export interface Answer {
  status?: number
  body: string | object
}

export interface Recorder {
  url: string
  requests: Recorded[]
  operations: Bound<BillOperations>
  tools: RecordingTools
  clock: { now: Date }
  /** The answers to a route, such as `POST /pay`, in their order; the last one repeats. */
  answer(route: string, ...row: Answer[]): void
  close(): Promise<unknown>
}

/** A server that records what the driver sends, and answers each path from its own row. */
export async function openRecorder(
  driver: AnyBillDriver,
  settings: Record<string, unknown>,
  options: { environment?: string; hosts(url: string): Record<string, string> },
): Promise<Recorder> {
  const requests: Recorded[] = []
  const rows = new Map<string, Answer[]>()
  const clock = { now: new Date('2026-11-22T08:15:30Z') }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: text })
    const row = rows.get(`${method} ${path}`) ?? rows.get(`${method} ${path.split('?')[0]}`)
    const { status = 200, body } = (row && row.length > 1 ? row.shift() : row?.[0]) ?? { status: 404, body: 'no row' }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tools = createRecordingTools({
    now: () => clock.now,
    callback_base: () => 'https://pay.example.com/api/callbacks/bills/abcdef',
  })
  const { environment = 'simulated', hosts } = options
  const connection = { slug: 'bills', environment, hosts: hosts(url), settings: driver.settings.parse(settings) }
  return {
    url,
    requests,
    tools,
    clock,
    operations: openBound(driver, connection as never, tools),
    answer: (route, ...row) => void rows.set(route, row),
    async close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A purchase with the changes of a test. */
export function providerVend(changes: Partial<ProviderVend> = {}): ProviderVend {
  return {
    reference: 'KB17',
    kind: 'airtime',
    service_type: 'mtn',
    account_number: '08031234567',
    phone: '08031234567',
    amount: 1_000_000n,
    details: { plan: 'prepaid' },
    scenario: null,
    country: 'NG',
    currency: 'NGN',
    offer: { remote_service: 'mtn', remote_product: null },
    created: new Date('2026-11-22T08:15:30Z'),
    remote_id: null,
    ...changes,
  } as ProviderVend
}
