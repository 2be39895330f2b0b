import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * Process with several networks that speak the collection part of MTN's API. It has no database, so that the
 * measurement covers the service. `/0`, `/1` and so on are the networks. Customers pay at once. A hanging network takes
 * everything, reports payments, and answers nothing.
 */

/** Message of the bench to this process. `arrivals` asks when the prompts of these phones came. */
export type FakeNetworkMessage = { hang: number | null } | { arrivals: string[] }

const PAYS_AFTER_MS = 100

interface Prompt {
  amount: string
  currency: string
  externalId: string
  payer: { partyId: string }
  paid: boolean
}

let hanging: string | null = null
const prompts = new Map<string, Prompt>()
const arrivals = new Map<string, number>()

process.on('message', (message: FakeNetworkMessage) => {
  if ('arrivals' in message) return void process.send!(message.arrivals.map((phone) => arrivals.get(phone) ?? null))
  hanging = message.hang === null ? null : String(message.hang)
  process.send!('done')
})
process.once('disconnect', () => process.exit())

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString()
  const [, network = '', ...path] = request.url!.split('/')
  const content = take(request, path, body)
  if (network === hanging) return
  const status = content === undefined ? 202 : 200
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(content === undefined ? '' : JSON.stringify(content))
}

/** Handle a call. Returns the content of the answer; undefined if the order is only taken. */
function take({ method, headers }: IncomingMessage, path: readonly string[], body: string): object | undefined {
  const last = path.at(-1)!
  if (path.includes('token')) return { access_token: 'token', token_type: 'access_token', expires_in: 3_600 }
  if (path.includes('accountholder'))
    return last === 'active' ? { result: true } : { name: 'Grace A', given_name: 'Grace', family_name: 'A' }
  if (method === 'GET') return describe(prompts.get(last))
  const prompt = { ...(JSON.parse(body) as Omit<Prompt, 'paid'>), paid: false }
  arrivals.set(prompt.payer.partyId, Date.now())
  prompts.set(String(headers['x-reference-id']), prompt)
  void pay(prompt, String(headers['x-callback-url']))
  return undefined
}

function describe(prompt: Prompt | undefined): object {
  const { paid = false, ...order } = prompt ?? {}
  return {
    ...order,
    ...(paid ? { status: 'SUCCESSFUL', financialTransactionId: prompt!.externalId } : { status: 'PENDING' }),
  }
}

async function pay(prompt: Prompt, callback_url: string): Promise<void> {
  await sleep(PAYS_AFTER_MS)
  prompt.paid = true
  const body = JSON.stringify({ externalId: prompt.externalId, status: 'SUCCESSFUL' })
  await fetch(callback_url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body }).then(
    (reply) => reply.arrayBuffer(),
    () => {},
  )
}
