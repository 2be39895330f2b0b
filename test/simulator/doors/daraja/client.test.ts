import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Mpesa } from 'mpesa-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificate } from '../../../../src/simulator/doors/daraja/keys.ts'
import { certificate as localhost } from '../../../receiver.ts'
import { openDatabase } from '../../simulator-test.ts'
import { documented, type OpenedDoor, openDoor } from './open-door.ts'

/*
 * A client that others wrote, unchanged, as an independent judge of the simulated network. It calls the real host over TLS; here
 * that host leads to the simulated one.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
let door: OpenedDoor
let host: Awaited<ReturnType<typeof openHost>>
let folder: string
let client: Mpesa
const real_agent = https.globalAgent

beforeAll(async () => {
  database = await openDatabase()
  door = await openDoor(database.db)
  host = await openHost(new URL(door.connection.hosts.api!))
  https.globalAgent = host.agent
  folder = await mkdtemp(join(tmpdir(), 'daraja-'))
  const certificatePath = join(folder, 'certificate.pem')
  await writeFile(certificatePath, certificate)
  const { consumer_key: clientKey, consumer_secret: clientSecret, initiator_password: initiatorPassword } = documented
  client = new Mpesa(
    { clientKey: clientKey!, clientSecret: clientSecret!, initiatorPassword: initiatorPassword!, certificatePath },
    'sandbox',
  )
  // It encrypts the password in the background.
  while (!(client as unknown as { securityCredential?: string }).securityCredential)
    await new Promise((resolve) => setTimeout(resolve, 5))
})
afterAll(async () => {
  https.globalAgent = real_agent
  await rm(folder, { recursive: true })
  expect(door.errors).toEqual([])
  await door.close()
  await host.close()
  await database.drop()
})

/** A host with TLS in front of the simulated network, and an agent that finds it under every name. */
async function openHost(target: URL) {
  const key = readFileSync(join(import.meta.dirname, '../../../fixtures/localhost-key.pem'), 'utf8')
  const server = https.createServer({ key, cert: localhost }, (incoming, outgoing) => {
    const { method, headers, url } = incoming
    const options = { host: target.hostname, port: target.port, path: target.pathname + url, method, headers }
    const call = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names: string[] = []
  class LocalAgent extends https.Agent {
    override createConnection(options: https.RequestOptions, callback?: (error: Error | null, stream: never) => void) {
      names.push(String(options.host))
      const local = { ...options, host: '127.0.0.1', port, ca: localhost, checkServerIdentity: () => undefined }
      return super.createConnection(local as never, callback as never)
    }
  }
  return {
    agent: new LocalAgent(),
    names,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const results = () =>
  door.heard.splice(0).map(({ path, body }) => [path, JSON.parse(body)] as [string, Record<string, never>])

describe('the npm client mpesa-api', () => {
  it('prompts a phone and asks about the prompt', async () => {
    const identity = { BusinessShortCode: 174379, passKey: documented.passkey! }
    const taken = await client.lipaNaMpesaOnline({
      ...identity,
      TransactionDesc: 'Shoes',
      TransactionType: 'CustomerPayBillOnline',
      PartyA: '254708374149',
      PartyB: '174379',
      PhoneNumber: '254708374149',
      Amount: 1500,
      AccountReference: 'Order 12',
      CallBackURL: `${door.base}/stk`,
    })
    expect(taken).toMatchObject({ ResponseCode: '0', CheckoutRequestID: expect.stringMatching(/^ws_CO_/) })
    const question = { ...identity, CheckoutRequestID: taken.CheckoutRequestID }
    await expect(client.lipaNaMpesaQuery(question)).rejects.toMatchObject({
      statusCode: 500,
      data: { errorCode: '500.001.1001' },
    })
    await door.advance(2)
    expect(await client.lipaNaMpesaQuery(question)).toMatchObject({ ResultCode: '0' })
    expect(results()).toMatchObject([['/stk', { Body: { stkCallback: { ResultCode: 0 } } }]])
    expect(new Set(host.names)).toEqual(new Set(['sandbox.safaricom.co.ke']))
  })

  it('registers addresses, pays as a customer, and takes the payment back', async () => {
    expect(
      await client.c2bRegister({
        ShortCode: 600000,
        ResponseType: 'Completed',
        ConfirmationURL: `${door.base}/confirmation`,
        ValidationURL: `${door.base}/validation`,
      }),
    ).toMatchObject({ ResponseDescription: 'Success' })
    await client.c2bSimulate({
      ShortCode: 600000,
      CommandID: 'CustomerPayBillOnline',
      Amount: 200,
      Msisdn: 254708374149,
      BillRefNumber: 'Room 12',
    })
    await door.advance(2)
    const [, [path, confirmation]] = results() as [unknown, [string, Record<string, string>]]
    expect([path, confirmation.TransAmount, confirmation.MSISDN]).toEqual(['/confirmation', '200.00', '254708374149'])
    const addresses = { ResultURL: `${door.base}/result`, QueueTimeOutURL: `${door.base}/timeout` }
    const reversal = {
      Initiator: 'testapi',
      TransactionID: confirmation.TransID!,
      Amount: 200,
      ReceiverParty: '600000',
    }
    expect(
      await client.reversal({
        ...reversal,
        ...addresses,
        CommandID: 'TransactionReversal',
        RecieverIdentifierType: 11,
      } as never),
    ).toMatchObject({ ResponseCode: '0' })
    await door.advance(2)
    expect(results()).toMatchObject([['/result', { Result: { ResultCode: 0 } }]])
  })

  it('pays out, asks about it, and asks for the balance', async () => {
    const addresses = { ResultURL: `${door.base}/result`, QueueTimeOutURL: `${door.base}/timeout` }
    const common = { Initiator: 'testapi', PartyA: '600996', Remarks: 'Refund', ...addresses }
    const taken = await client.b2c({
      ...common,
      CommandID: 'BusinessPayment',
      Amount: 500,
      PartyB: '254708374149',
    } as never)
    expect(taken).toMatchObject({ ResponseCode: '0', ConversationID: expect.stringMatching(/^AG_/) })
    await door.advance(2)
    const [[, { Result: paid }]] = results() as unknown as [[string, { Result: { TransactionID: string } }]]
    expect(paid).toMatchObject({ ResultCode: 0, TransactionID: expect.stringMatching(/^UKM/) })
    await client.transactionStatus({
      ...common,
      CommandID: 'TransactionStatusQuery',
      TransactionID: paid.TransactionID,
      IdentifierType: '4',
    } as never)
    await client.accountBalance({ ...common, CommandID: 'AccountBalance', IdentifierType: 4 } as never)
    await door.advance(2)
    expect(results()).toMatchObject([
      ['/result', { Result: { ResultCode: 0 } }],
      ['/result', { Result: { ResultCode: 0, ResultParameters: { ResultParameter: expect.any(Array) } } }],
    ])
  })

  it('is refused with a wrong secret', async () => {
    const wrong = new Mpesa({ clientKey: 'a', clientSecret: 'b', securityCredential: 'c' } as never, 'sandbox')
    await expect(
      wrong.c2bRegister({
        ShortCode: 600000,
        ResponseType: 'Completed',
        ConfirmationURL: 'https://a.example.com',
        ValidationURL: 'https://a.example.com',
      }),
    ).rejects.toMatchObject({ statusCode: 400, data: { errorCode: '400.008.01' } })
  })
})
