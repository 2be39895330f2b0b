import { type ChildProcess, fork, type Serializable, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { settingNames } from '../src/config.ts'

const children = new Set<ChildProcess>()

/** Track a child until it ends, so that `endChildren` can end it. */
export function trackChild<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** End all running children with SIGTERM and wait for them. */
export async function endChildren(): Promise<void> {
  await Promise.all([...children].map(endChild))
}

/** End a child with SIGTERM and wait for it. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (!children.has(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** A process with its resident memory. */
export interface ProcessMemory {
  /** Command without its path. */
  command: string
  mb: number
}

/** The resident memory of a process and its children in MB; 0 on systems without /proc. */
export function residentMemory(child: ChildProcess): number {
  return listMemory(child).reduce((sum, { mb }) => sum + mb, 0)
}

/** A process and its children with their resident memory; none on systems without /proc. */
export function listMemory({ pid }: ChildProcess): ProcessMemory[] {
  return readMemory(String(pid))
}

function readMemory(pid: string): ProcessMemory[] {
  try {
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const script = words.find((word) => /\.[cm]?[jt]s$/.test(word)) ?? program
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return [{ command: basename(script), mb: kilobytes / 1_024 }, ...children.flatMap(readMemory)]
  } catch {
    return []
  }
}

const PROGRAM = fileURLToPath(new URL('../src/cli/index.ts', import.meta.url))

/** The environment of a process of the program. Settings of this terminal must not change the measurement. */
function environmentWith(settings: Record<string, string>): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(([name]) => !settingNames.includes(name))
  return { ...Object.fromEntries(others), KUSANYA_ENV_FILE: 'off', ...settings }
}

/** Run a command of the program. @throws Error if it fails */
export async function runCommand(args: string[], settings: Record<string, string>, input = ''): Promise<void> {
  const child = trackChild(
    spawn(process.execPath, [PROGRAM, ...args], {
      env: environmentWith(settings),
      stdio: ['pipe', 'ignore', 'inherit'],
    }),
  )
  child.stdin!.end(input)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`kusanya ${args.join(' ')} ended with ${code}.`)
}

/**
 * Run a command of the program that prints JSON. Returns it with the highest resident memory of the process, in MB.
 * @throws Error if it fails
 */
export async function askCommand<Answer>(
  args: string[],
  settings: Record<string, string>,
): Promise<{ answer: Answer; mb: number }> {
  const child = trackChild(
    spawn(process.execPath, [PROGRAM, ...args, '--json'], {
      env: environmentWith(settings),
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const exit = once(child, 'exit')
  let mb = 0
  const watch = setInterval(() => {
    mb = Math.max(mb, listMemory(child)[0]?.mb ?? 0)
  }, 100)
  const text = await readText(child.stdout!)
  const [code] = await exit
  clearInterval(watch)
  if (code !== 0) throw new Error(`kusanya ${args.join(' ')} ended with ${code}: ${text}`)
  return { answer: JSON.parse(text) as Answer, mb }
}

/** Start the program and return the first line of its output, as JSON. */
export async function startProgram<Line>(
  args: string[],
  settings: Record<string, string>,
): Promise<{ child: ChildProcess; line: Line }> {
  const child = trackChild(
    spawn(process.execPath, [PROGRAM, ...args], {
      env: environmentWith(settings),
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [])])) as [string?]
  if (line === undefined) throw new Error(`kusanya ${args.join(' ')} did not start.`)
  return { child, line: JSON.parse(line) as Line }
}

/** Server that accepts requests at `url`. */
export interface RunningServer {
  url: string
  child: ChildProcess
}

/**
 * The processor time in ms that a process, its living children and those that have ended have used; 0 on systems without
 * /proc, which counts in steps of 10 ms.
 */
export function processorTime(pid: number | string): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    // The second field is the program in parentheses. utime, stime, cutime and cstime are the fields 14 to 17.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return children.reduce((sum, child) => sum + processorTime(child), ticks * 10)
  } catch {
    return 0
  }
}

const START_TIMEOUT_MS = 180_000

/** Start the service with its command line and wait until it is ready. Its log is discarded. */
export async function startService(args: string[], settings: Record<string, string>): Promise<RunningServer> {
  const port = await findFreePort()
  const child = trackChild(
    spawn(process.execPath, [PROGRAM, 'serve', ...args], {
      env: environmentWith({ ...settings, PORT: String(port) }),
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + START_TIMEOUT_MS
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return { url, child }
    await sleep(50)
  }
  throw new Error('The service did not start.')
}

/** A process of the bench that says where it listens, and then answers each command. */
export interface AnsweringChild<Command, Answer> extends RunningServer {
  send(command: Command): Promise<Answer>
}

/** Start a process of the bench with these arguments, and wait until it listens. */
export async function startAnswering<Command extends Serializable, Answer>(
  program: URL,
  args: readonly string[] = [],
  settings: Record<string, string> = {},
): Promise<AnsweringChild<Command, Answer>> {
  const child = trackChild(fork(program, args, { env: { ...process.env, ...settings } }))
  const [url] = (await once(child, 'message')) as [string]
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (command: Command): Promise<Answer> => {
    const answer = once(child, 'message') as Promise<[Answer]>
    child.send(command)
    return (await answer)[0]
  }
  return {
    url,
    child,
    // Commands run one after the other, so that each caller gets its own answer.
    send(command) {
      const answer = last.then(() => ask(command))
      last = answer
      return answer
    },
  }
}

/** Start the bare server that creates are compared with. */
export function startBareServer(): Promise<RunningServer> {
  return startTold(new URL('bare/server.ts', import.meta.url), 'start')
}

/** Start a server of the bench, tell it what it needs, and wait until it says where it listens. */
export async function startTold(program: URL, needs: Serializable): Promise<RunningServer> {
  const child = trackChild(fork(program))
  child.send(needs)
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', () => reject(new Error(`${program.pathname} did not start.`)))
  })
  return { url, child }
}

async function findFreePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.')
  return address.port
}
