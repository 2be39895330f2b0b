import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Database } from '../../../../src/db/client.ts'
import { parseJson } from '../../../../src/lib/http/http-call.ts'
import { pawapayDoor } from '../../../../src/simulator/doors/pawapay/index.ts'
import { openSimulatorTest } from '../../simulator-test.ts'

const CODE = pawapayDoor.code
export const TOKEN = pawapayDoor.credentials[0]!.value

/** A callback of the simulated network. */
export interface SentCallback {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/** An answer of the simulated network. */
export interface DoorAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers that they know
  body: any
}

/** Start the simulated pawaPay, and a business that takes callbacks at one address for each operation. */
export async function openPawapay(db: Database) {
  const harness = await openSimulatorTest(db)
  const { simulator } = harness
  const sent: SentCallback[] = []
  const refusing = { next: 0 }
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    sent.push({ method: request.method!, path: request.url!, headers: request.headers as Record<string, string>, body })
    refusing.next -= 1
    response.writeHead(refusing.next >= 0 ? 503 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const business = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = simulator.urlOf(CODE)
  const callbacks = {
    deposits_callback_url: `${business}/deposits`,
    payouts_callback_url: `${business}/payouts`,
    refunds_callback_url: `${business}/refunds`,
  }
  await simulator.setSwitches(CODE, callbacks)
  const call = async (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<DoorAnswer> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: parseJson(text) ?? text }
  }
  return {
    ...harness,
    url,
    business,
    sent,
    call,
    /** Set switches until the next test. */
    set: (values: Record<string, string | number | boolean>) => simulator.setSwitches(CODE, values),
    /** The business answers the next callbacks with 503. */
    refuse(callbacks: number) {
      refusing.next = callbacks
    },
    async close() {
      await harness.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type PawapayTest = Awaited<ReturnType<typeof openPawapay>>

const party = (phoneNumber: string, provider: string) => ({ type: 'MMO', accountDetails: { phoneNumber, provider } })

/** A deposit of a customer of MTN in Uganda with a new id at every call. */
export const deposit = (changes: object = {}, phone = '256783456789', provider = 'MTN_MOMO_UGA') => ({
  depositId: randomUUID(),
  amount: '5000',
  currency: 'UGX',
  payer: party(phone, provider),
  ...changes,
})
export const payout = (changes: object = {}, phone = '256783456789', provider = 'MTN_MOMO_UGA') => ({
  payoutId: randomUUID(),
  amount: '5000',
  currency: 'UGX',
  recipient: party(phone, provider),
  ...changes,
})
