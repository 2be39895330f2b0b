import { Readable } from 'node:stream'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Command } from 'commander'
import { fastify } from 'fastify'
import { CommandError } from '../../errors.ts'
import { addPlainCommand } from '../../plain-command.ts'
import { fetchRemote, REMOTE, type Remote, readRemote, readUrl, sendRequest } from '../../remote.ts'
import { listenForStop } from '../../service/signals.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, typed } from '../../typed.ts'
import { VERSION } from '../../version.ts'
import { mask } from './mask.ts'
import { type ApiDocument, drawTools, KEY_FIELD, type Tool } from './tools.ts'

const MCP = {
  allow_writes: typed(
    '--allow-writes',
    'let it change things and move money, as far as the key and the approvals allow',
  ),
  unmasked: typed('--unmasked', 'show it whole phone numbers and secrets such as electricity tokens'),
  http: typed('--http <port>', 'serve over HTTP at this port of 127.0.0.1; each caller sends an API key'),
  ...REMOTE,
}
type McpOptions = Given<typeof MCP>

export function addMcp(program: Command, terminal: Terminal): void {
  addPlainCommand(program, terminal, {
    name: 'mcp',
    description: 'let an AI assistant use the API (Model Context Protocol); needs an API key and no database',
    typed: MCP,
    json: false,
    help: '\nExample:\n  $ KUSANYA_API_KEY=… npx kusanya mcp',
    run: (options) => (options.http === undefined ? runStdio(terminal, options) : runHttp(terminal, options)),
  })
}

async function runStdio(terminal: Terminal, options: McpOptions): Promise<void> {
  const remote = readRemote(terminal, options)
  const tools = await readTools(remote)
  // An assistant shows the reason why a server does not start.
  await readKey(remote)
  serveStdio(() => createServer(remote, tools, options))
}

/** The key of each caller is in the header `Authorization`. A page in a browser cannot know one. */
async function runHttp(terminal: Terminal, options: McpOptions): Promise<void> {
  const url = readUrl(terminal, options)
  const tools = await readTools({ url, api_key: '' })
  const handler = createMcpHandler(({ requestInfo }) =>
    createServer({ url, api_key: keyOf(requestInfo?.headers.get('authorization')) }, tools, options),
  )
  const server = fastify({ forceCloseConnections: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body)
  server.all('/mcp', async (request, reply) => {
    const headers = request.headers as Record<string, string>
    if (!keyOf(headers.authorization))
      return reply.code(401).send({ detail: 'Send an API key: Authorization: Bearer <API key>.' })
    const body = typeof request.body === 'string' ? { body: request.body } : {}
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, { method: request.method, headers, ...body }),
    )
    return reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(answer.body && Readable.fromWeb(answer.body as never))
  })
  const address = await server.listen({ host: '127.0.0.1', port: Number(options.http) })
  terminal.print(`Assistants reach ${url} at ${address}/mcp.`)
  await listenForStop().requested
  await server.close()
}

const keyOf = (authorization: string | null | undefined) =>
  /^(?:Bearer|Token) (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''

async function readTools(remote: Remote): Promise<Tool[]> {
  return drawTools(await sendRequest<ApiDocument>(remote, 'GET', '/openapi.json'))
}

/** Create the server of one key. It lists the tools that the key may use; the service checks each call. */
function createServer(remote: Remote, all: readonly Tool[], options: McpOptions): Server {
  const offered = all.filter(({ writes }) => !writes || options.allow_writes)
  const capabilities = { tools: {} }
  const server = new Server({ name: 'kusanya', version: VERSION }, { capabilities, instructions: INSTRUCTIONS })
  server.setRequestHandler('tools/list', async () => {
    const { permissions, read_only } = await readKey(remote)
    const usable = offered.filter(
      ({ permission, writes }) => !(writes && read_only) && (!permission || permissions.includes(permission)),
    )
    return {
      tools: usable.map(({ name, description, inputSchema, writes }) => ({
        name,
        description,
        inputSchema,
        annotations: { readOnlyHint: !writes, destructiveHint: writes, openWorldHint: false },
      })),
    }
  })
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = offered.find(({ name }) => name === params.name)
    if (tool) return callTool(remote, tool, params.arguments ?? {}, options)
    const is_change = all.some(({ name }) => name === params.name)
    return failure(
      is_change
        ? `${params.name} changes something, and this server only reads. Start it with --allow-writes.`
        : `There is no tool ${params.name}.`,
    )
  })
  return server
}

const INSTRUCTIONS =
  'The mobile-money gateway of a business. Amounts are decimal texts. A pending or unknown result is not a failure: never repeat it with another key.'

/** @throws CommandError if the service does not know the key */
const readKey = (remote: Remote) => sendRequest<KeyFacts>(remote, 'GET', '/api/key')

interface KeyFacts {
  permissions: string[]
  read_only: boolean
}

async function callTool(remote: Remote, tool: Tool, input: Record<string, unknown>, { unmasked }: McpOptions) {
  const missing = tool.inputSchema.required.filter((name) => input[name] == null || input[name] === '')
  if (missing.length > 0)
    return failure(`Give ${missing.join(' and ')}.${missing.includes(KEY_FIELD) ? ' Nothing was done.' : ''}`)
  const { path, body, headers, method } = tool.toCall(input)
  const sent = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const init = { method, headers: sent as Record<string, string>, ...(body !== undefined && { body }) }
  const { status, answer, text } = await readAnswer(remote, path, init)
  if (answer !== undefined && status < 300) return { content: [{ type: 'text' as const, text: show(answer) }] }
  const is_unknown = tool.writes && (answer === undefined || status >= 500)
  return failure(`${answer === undefined ? text : `HTTP ${status}: ${show(answer)}`}${is_unknown ? UNKNOWN : ''}`)

  function show(shown: unknown): string {
    return JSON.stringify(unmasked ? shown : mask(shown))
  }
}

const UNKNOWN =
  ' It may have been done all the same. Look for it, or repeat the call with the same input; never with another duplicate_check_key.'

/** Send a call, and read its answer; without one that can be read, `text` is the reason. */
async function readAnswer(remote: Remote, path: string, init: RequestInit) {
  try {
    const response = await fetchRemote(remote, path, init)
    const { status } = response
    const text = `HTTP ${status}: the answer of ${remote.url} cannot be read.`
    return { status, text, answer: (await response.json().catch(() => undefined)) as unknown }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { status: 0, text: error.message, answer: undefined }
  }
}

const failure = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] })
