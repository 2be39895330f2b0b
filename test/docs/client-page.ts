import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'

/*
 * Run the programs of a page of the documentation against a service. A block ` ```js name.js ` is a file, and
 * ` ```text output of name.js ` is what it prints, line by line.
 */

export const ROOT = join(import.meta.dirname, '../..')
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export interface Block {
  info: string
  text: string
}

export interface Running {
  child: ChildProcess
  output(): string
  ended: Promise<number | null>
}

/** Options for running the programs of a page. */
export interface ClientPageOptions {
  /** The page, below `docs`. */
  page: string
  /** The ending of its programs, without the dot. */
  language: string
  /** The interpreter, with its first arguments. */
  command: [string, ...string[]]
  /** More environment variables for the programs. */
  settings?: Record<string, string>
  /** The arguments that make a program a server at a port, if it is none by itself. */
  serve?: (port: string) => string[]
  /** Output of a receiver when it can receive. Default: `Waiting`. */
  ready?: string
}

/** The service that the programs call. */
type PageService = Pick<TestService, 'url' | 'key' | 'advance'>

/** The programs of a page, in their own folder. Nothing runs before `open`. */
export class ClientPage {
  readonly folder = mkdtempSync(join(tmpdir(), 'kusanya-client-page-'))
  readonly blocks: Block[]
  readonly programs: ReadonlyMap<string, string>
  readonly outputs: ReadonlyMap<string, string>
  readonly #options: ClientPageOptions
  readonly #children: ChildProcess[] = []
  #service!: PageService
  #own_service: TestService | undefined
  #ticking: NodeJS.Timeout | undefined

  constructor(options: ClientPageOptions) {
    this.#options = options
    this.blocks = blocksOf(readFileSync(join(ROOT, 'docs', options.page), 'utf8'))
    const named = (prefix: string) =>
      new Map(
        this.blocks.flatMap(({ info, text }): [string, string][] =>
          info.startsWith(prefix) ? [[info.slice(prefix.length), text]] : [],
        ),
      )
    this.programs = named(`${options.language} `)
    this.outputs = named('text output of ')
  }

  /** Start a service whose time passes, or use one that is there, and write the programs. */
  async open(service?: PageService): Promise<void> {
    if (!service) this.#own_service = await openTestService()
    this.#service = service ?? this.#own_service!
    this.#ticking = setInterval(() => this.#service.advance(1), 250)
    for (const [name, text] of this.programs) writeFileSync(join(this.folder, name), text)
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking)
    for (const child of this.#children) child.kill()
    await this.#own_service?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Start a receiver, and `npx kusanya listen`, which brings it the notifications. */
  async startReceiver(name: string): Promise<Running> {
    const port = await freePort()
    const { command, settings, serve, ready = 'Waiting' } = this.#options
    const args = [...command, ...(serve?.(port) ?? []), name]
    const receiver = this.#spawn(args, { ...settings, PORT: port, WEBHOOK_SECRET: SECRET }, this.folder)
    await waitForText(receiver, ready)
    const to = ['--forward-to', `http://127.0.0.1:${port}`, '--api-key', this.#service.key, '--secret', SECRET]
    const listener = this.#spawn([process.execPath, join(ROOT, 'src/cli/index.ts'), 'listen', ...to], {}, ROOT)
    await waitForText(listener, 'whsec_')
    return receiver
  }

  /** Wait until a program has printed all lines that the page promises. */
  async waitForPromised(name: string, program: Running): Promise<void> {
    for (const line of this.outputs.get(name)!.trim().split('\n')) await waitForText(program, line.trim())
  }

  /** @returns what the program has printed */
  async runToEnd(name: string, settings: Record<string, string> = {}): Promise<string> {
    const all = { ...this.#options.settings, ...settings }
    const program = this.#spawn([...this.#options.command, name], all, this.folder)
    expect(await program.ended, program.output()).toBe(0)
    await this.waitForPromised(name, program)
    return program.output()
  }

  /** Check that every program has a promise, and that there are only blocks that a test knows. */
  expectToBeWhole(is_known_command: RegExp): void {
    const { language } = this.#options
    const known = new RegExp(
      `^(sh|json composer.json|${language} \\S+\\.${language}|text output of \\S+\\.${language})$`,
    )
    expect([...this.programs.keys()].sort()).toEqual([...this.outputs.keys()].sort())
    expect(this.blocks.filter(({ info }) => !known.test(info))).toEqual([])
    const commands = this.blocks.flatMap(({ info, text }) => (info === 'sh' ? text.trim().split('\n') : []))
    for (const command of commands) {
      const [, name] = /\b(?:node|python3|php|java) (\S+)$/.exec(command) ?? []
      if (name) expect([...this.programs.keys()], command).toContain(name)
      else expect(command).toMatch(is_known_command)
    }
  }

  #spawn([program, ...args]: string[], settings: Record<string, string>, cwd: string): Running {
    const access = { KUSANYA_URL: this.#service.url, KUSANYA_API_KEY: this.#service.key, KUSANYA_ENV_FILE: 'off' }
    const child = spawn(program!, args, { cwd, env: { ...process.env, ...access, ...settings } })
    this.#children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part
      })
    return { child, output: () => output, ended: new Promise((resolve) => child.on('close', resolve)) }
  }
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({ info: info!, text: text! }))
}

/** Check that the programs of a README equal its page's. */
export function expectProgramsOf(page: ClientPage, readme: string, language: string): void {
  const of_readme = blocksOf(readFileSync(join(ROOT, readme), 'utf8')).filter(({ info }) => info.startsWith(language))
  expect(of_readme.length).toBeGreaterThan(0)
  for (const { text } of of_readme) expect([...page.programs.values()]).toContain(text)
}

const waitForText = (program: Running, text: string) =>
  eventually(`"${text}" in: ${program.output()}`, async () => program.output().includes(text) || undefined)

export async function freePort(): Promise<string> {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}
