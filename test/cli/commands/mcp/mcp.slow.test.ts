import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin } from '../../../../src/db/client.ts'
import { openTestService, type TestService } from '../../../interface/test-service.ts'
import { type Mishap, openProxy } from '../../../packages/client/proxy.ts'
import { eventually } from '../../../test-app.ts'
import { findFreePort, type LaunchedProgram, openProgramRunner, type ProgramRunner } from '../../program-runner.ts'

/* An assistant is played by the client of the protocol's own SDK. The service is a real one. */

const ROOT = new URL('../../../../', import.meta.url).pathname
/** Its customer has no money. */
const POOR = '+80000000101'

let service: TestService
let runner: ProgramRunner
const clients: Client[] = []

beforeAll(async () => {
  service = await openTestService()
  runner = await openProgramRunner()
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await runner.close()
  await service.close()
})

/** Start the command as an assistant does, and connect to it. */
async function connect(key = service.key, options: string[] = []): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  clients.push(client)
  const args = ['src/cli/index.ts', 'mcp', '--url', service.url, ...options]
  const env = { ...process.env, KUSANYA_API_KEY: key } as Record<string, string>
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: ROOT }))
  return client
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input })
  const [{ text }] = content as unknown as [{ text: string }]
  return { text, isError, json: () => JSON.parse(text) }
}

describe('an assistant that may only read', () => {
  let client: Client
  beforeAll(async () => {
    client = await connect()
  })

  it('finds out why a request failed', async () => {
    const { id } = await service.createRequest({ phonenumber: POOR, reason: 'Order 17' })
    await service.advanceUntilStatus(id, 'failed')
    const failed = await call(client, 'listCollectionRequests', { status: 'failed', reason: 'Order 17' })
    expect(failed.json().results).toMatchObject([{ id, status: 'failed' }])
    const request = await call(client, 'getCollectionRequest', { id })
    expect(request.json().error_message).toMatch(/\w+ \w+/)
    expect(request.text).toContain('+800***101')
    expect(request.text).not.toContain(POOR)
  })

  it('finds the open invoices of a class', async () => {
    const { body: invoice } = await service.shop.post('/api/invoices', {
      phonenumber: '+80000000098',
      currency: 'BXC',
      lines: [{ text: 'School fees', unit_price: '750000' }],
    })
    await service.shop.post(`/api/invoices/${invoice.id}/issue`, {})
    const { db } = service.testApp
    await begin(
      db,
      (tx) => tx`
        insert into contact_tags (contact, organization, tag) select contact, organization, 'P5' from invoices
        where id = ${invoice.id} on conflict do nothing`,
    )
    const open = await call(client, 'listInvoices', { tag: 'P5', state: 'issued' })
    expect(open.json().results).toMatchObject([{ id: invoice.id, total: '750000.0000' }])
  })

  it('has only tools that read, each described by a schema that stands by itself', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(40)
    for (const { name, description, inputSchema, annotations } of tools) {
      expect([name, annotations?.readOnlyHint, description !== undefined]).toEqual([name, true, true])
      expect(JSON.stringify(inputSchema)).not.toContain('#/components')
    }
    const { isError, text } = await call(client, 'createPayment', { duplicate_check_key: 'a', body: {} })
    expect([isError, text]).toEqual([true, expect.stringContaining('only reads')])
  })

  it('claims no collection, which changes it for good', async () => {
    const { id } = await service.createRequest({ phonenumber: '+80000000107', send_instructions: true })
    await service.advanceUntilStatus(id, 'instructions_sent')
    const { results } = await eventually('unmatched money', async () => {
      await service.advance(1)
      const { body } = await service.shop.get('/api/collections?phonenumber=%2B80000000107')
      return body.count === 1 ? body : undefined
    })
    const [{ amount, phonenumber, remote_transaction_id }] = results
    const filters = { amount, phonenumber, remote_transaction_id }
    const listed = await call(client, 'listCollections', { ...filters, claim: true })
    expect(listed.json().results).toHaveLength(1)
    expect((await call(client, 'claimCollection', filters)).text).toContain('only reads')
    const { db } = service.testApp
    expect(await db`select claimed_by from collections where id = ${results[0].id}`).toEqual([{ claimed_by: null }])
    const writer = await connect(service.key, ['--allow-writes'])
    expect((await call(writer, 'claimCollection', filters)).json().results).toHaveLength(1)
    expect(await db`select claimed_by from collections where id = ${results[0].id}`).not.toEqual([{ claimed_by: null }])
  })

  it('gets the words of the service for a refusal', async () => {
    const unknown = await call(client, 'getInvoice', { id: 987654 })
    expect([unknown.isError, unknown.text]).toEqual([true, expect.stringMatching(/^HTTP 404: .*detail/)])
    expect((await call(client, 'getInvoice')).text).toBe('Give id.')
    expect((await call(client, 'dropTables')).text).toBe('There is no tool dropTables.')
  })

  it('has the tools that its key has permissions for', async () => {
    const names = await namesOf(await connect(await service.newKey({ permissions: ['view'] }), ['--allow-writes']))
    expect(names).toContain('listCollections')
    expect(names).not.toContain('createPayment')
    const reader = await connect(await service.newKey({ read_only: true }), ['--allow-writes'])
    expect(await namesOf(reader)).not.toContain('createContact')
  })
})

/** The operations that move money, ask a customer for it, or buy something. */
const MONEY =
  /^(create(Payment|CollectionRequest)|refundCollectionRequest|retryCollectionRequest|collectInvoice|buy\w+)$/

describe('an assistant that may write', () => {
  let client: Client
  beforeAll(async () => {
    client = await connect(service.key, ['--allow-writes'])
  })

  it('must give a Duplicate-Check-Key to each tool that moves money', async () => {
    const { tools } = await client.listTools()
    const moving = tools.filter(({ name }) => MONEY.test(name))
    expect(moving.length).toBe(11)
    for (const { name, inputSchema } of moving)
      expect([name, inputSchema.required?.includes('duplicate_check_key')]).toEqual([name, true])
  })

  const payment = { phonenumber: '+80000000055', amount: '150', currency: 'BXC', description: 'Refund of lunch' }
  const countPayments = async () => (await service.shop.get('/api/payments')).body.count

  it('moves no money without a Duplicate-Check-Key, and moves it once with one', async () => {
    const without = await call(client, 'createPayment', { body: payment })
    expect([without.isError, without.text]).toEqual([true, 'Give duplicate_check_key. Nothing was done.'])
    expect(await countPayments()).toBe(0)
    const input = { duplicate_check_key: 'lunch-1', body: payment }
    const first = await call(client, 'createPayment', input)
    expect(first.isError).toBe(false)
    const again = await call(client, 'createPayment', input)
    expect(again.text).toContain(String(first.json().id))
    expect(await countPayments()).toBe(1)
  })

  it('leaves nothing behind where a field is wrong', async () => {
    const before = await countPayments()
    const body = { ...payment, amount: 'much' }
    const { isError, text } = await call(client, 'createPayment', { duplicate_check_key: 'wrong-1', body })
    expect([isError, text]).toEqual([true, expect.stringMatching(/^HTTP 400: .*amount/)])
    expect(await countPayments()).toBe(before)
  })
})

describe('behind a proxy that fails', () => {
  const mishaps: Record<string, Mishap> = {
    'a page for people': { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' },
    'a page about a bad gateway': { status: 502, body: '<html>Bad gateway</html>' },
    'no answer': 'answer-lost',
  }

  it.each(Object.entries(mishaps))(
    'an assistant hears that a payment may have been made: %s',
    async (title, mishap) => {
      const proxy = await openProxy(service.url)
      const client = await connect(service.key, ['--allow-writes', '--url', proxy.url])
      await client.listTools()
      proxy.mishaps = [mishap]
      const input = {
        duplicate_check_key: title,
        body: { phonenumber: '+80000000055', amount: '1', currency: 'BXC', description: 'Tip' },
      }
      const { isError, text } = await call(client, 'createPayment', input)
      expect([isError, text]).toEqual([true, expect.stringContaining('may have been done')])
      proxy.mishaps = [mishap]
      const read = await call(client, 'listPayments')
      expect([read.isError, read.text]).toEqual([true, expect.not.stringContaining('may have been done')])
      await client.close()
      await proxy.close()
    },
  )
})

describe('over HTTP', () => {
  let program: LaunchedProgram
  let url: URL
  beforeAll(async () => {
    const port = await findFreePort()
    const command = [
      process.execPath,
      'src/cli/index.ts',
      'mcp',
      '--url',
      service.url,
      '--http',
      String(port),
      '--unmasked',
    ]
    program = runner.launch(command, {})
    await eventually('the server', async () => program.output().includes('/mcp') || undefined)
    url = new URL(`http://127.0.0.1:${port}/mcp`)
  })

  it('serves each caller with the key that it sends', async () => {
    const client = new Client({ name: 'assistant', version: '1.0.0' })
    clients.push(client)
    const headers = { authorization: `Bearer ${service.otherShop.key}` }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    expect(await namesOf(client)).toContain('listContacts')
    await service.otherShop.post('/api/contacts', {
      first_name: 'Jane',
      last_name: 'Doe',
      phone_number: '+80000000077',
    })
    const contacts = await call(client, 'listContacts')
    expect(contacts.json().results).toMatchObject([{ phone_number: '+80000000077' }])
  })

  it('serves nobody without a key', async () => {
    const response = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    expect(response.status).toBe(401)
  })
})

it('says at its start that the key is wrong', async () => {
  const command = [process.execPath, 'src/cli/index.ts', 'mcp', '--url', service.url, '--api-key', 'wrong']
  const program = runner.launch(command, {})
  await program.ended
  expect(program.errors()).toContain('does not know this API key')
})
