import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'

/*
 * Runs every program of docs/clients/typescript.md against a service. A block ` ```js name.js ` is a file, and ` ```text output of name.js `
 * is what it prints, line by line.
 */

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/clients/typescript.md'), 'utf8')
const README = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'kusanya-typescript-'))
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Running {
  child: ChildProcess
  output(): string
  ended: Promise<number | null>
}

let service: TestService
let ticking: NodeJS.Timeout
const children: ChildProcess[] = []
const blocks = blocksOf(PAGE)
const programs = new Map(blocks.flatMap(({ info, text }) => (info.startsWith('js ') ? [[info.slice(3), text]] : [])))
const outputs = new Map(
  blocks.flatMap(({ info, text }) => (info.startsWith('text output of ') ? [[info.slice(15), text]] : [])),
)

beforeAll(async () => {
  service = await openTestService()
  ticking = setInterval(() => service.advance(1), 250)
  installClient()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [name, text] of programs) writeFileSync(join(folder, name), text)
})
afterAll(async () => {
  clearInterval(ticking)
  for (const child of children) child.kill()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The client as it is in the repository, under its name, and the framework that a program of the page uses. */
function installClient(): void {
  const packages = join(folder, 'node_modules')
  const client = join(packages, '@kusanya/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
  symlinkSync(join(ROOT, 'packages/client/src'), join(client, 'src'), 'junction')
  symlinkSync(join(ROOT, 'node_modules/fastify'), join(packages, 'fastify'), 'junction')
}

function blocksOf(page: string): { info: string; text: string }[] {
  return [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({ info: info!, text: text! }))
}

function start(args: string[], settings: Record<string, string> = {}, cwd = folder): Running {
  const access = { KUSANYA_URL: service.url, KUSANYA_API_KEY: service.key, KUSANYA_ENV_FILE: 'off' }
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...access, ...settings } })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  return { child, output: () => output, ended: new Promise((resolve) => child.on('close', resolve)) }
}

const waitForText = (program: Running, text: string) =>
  eventually(`"${text}" in: ${program.output()}`, async () => program.output().includes(text) || undefined)

/** Waits until a program has printed all lines that the page promises. */
async function waitForPromised(name: string, program: Running): Promise<void> {
  for (const line of outputs.get(name)!.trim().split('\n')) await waitForText(program, line.trim())
}

async function freePort(): Promise<string> {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** Starts a receiver, and `npx kusanya listen`, which brings it the notifications. */
async function startReceiver(name: string): Promise<Running> {
  const port = await freePort()
  const receiver = start([name], { PORT: port, WEBHOOK_SECRET: SECRET })
  await waitForText(receiver, 'Waiting')
  const to = ['--forward-to', `http://127.0.0.1:${port}`, '--api-key', service.key, '--secret', SECRET]
  const listener = start([join(ROOT, 'src/cli/index.ts'), 'listen', ...to], {}, ROOT)
  await waitForText(listener, 'whsec_')
  return receiver
}

async function runToEnd(name: string): Promise<void> {
  const program = start([name])
  expect(await program.ended, program.output()).toBe(0)
  await waitForPromised(name, program)
}

it('has a promise for each program, and only blocks that this test knows', () => {
  expect([...programs.keys()].sort()).toEqual([...outputs.keys()].sort())
  expect(blocks.filter(({ info }) => !/^(sh|js \S+\.js|text output of \S+\.js)$/.test(info))).toEqual([])
  const commands = blocks.flatMap(({ info, text }) => (info === 'sh' ? text.trim().split('\n') : []))
  for (const command of commands) {
    const [, name] = /\bnode (\S+)$/.exec(command) ?? []
    if (name) expect([...programs.keys()], command).toContain(name)
    else expect(command).toMatch(/^(npm pack -w packages\/client|npm install |npx kusanya listen |export KUSANYA_URL=)/)
  }
})

it('the programs of the README of the package are those of the page', () => {
  const of_readme = blocksOf(README).filter(({ info }) => info.startsWith('js'))
  expect(of_readme.length).toBeGreaterThan(0)
  for (const { text } of of_readme) expect([...programs.values()]).toContain(text)
})

it('collects money, and receives the notification with Node and with Fastify', async () => {
  const names = ['receive.js', 'receive-fastify.js']
  const receivers = await Promise.all(names.map(startReceiver))
  await runToEnd('collect.js')
  for (const [index, name] of names.entries()) await waitForPromised(name, receivers[index]!)
})

it.each([...programs.keys()].filter((name) => !/^(collect|receive)/.test(name)))('runs %s', async (name) => {
  await runToEnd(name)
})
