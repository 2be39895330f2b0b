import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepOutput } from '../failures.ts'
import { eventually } from '../test-app.ts'

const ROOT = join(import.meta.dirname, '../..')
export const SERVE_COMMAND = [process.execPath, 'src/cli/index.ts', 'serve']

/** Building the console's pages would slow the tests down, and the settings of a developer would change them. */
const DEFAULT_SETTINGS = { CONSOLE: 'off', KUSANYA_ENV_FILE: 'off' }

/** A running program with its output so far. */
export interface LaunchedProgram {
  child: ChildProcess
  output(): string
  errors(): string
  ended: Promise<unknown>
}

/** A service that is ready. */
export interface StartedService extends LaunchedProgram {
  url: string
}

/** A data folder, and functions that start and kill programs on it. */
export interface ProgramRunner {
  data_dir: string
  launch(command: string[], settings?: Record<string, string>): LaunchedProgram
  /** Start the service and wait for its welcome. */
  start(options?: { command?: string[]; settings?: Record<string, string> }): Promise<StartedService>
  /** The PID file of PostgreSQL. */
  postmasterFile: string
  /** Kill PostgreSQL with SIGKILL. */
  killDatabase(): Promise<void>
  /** End all programs and remove the folder. */
  close(): Promise<void>
}

export async function openProgramRunner(folder?: string): Promise<ProgramRunner> {
  const data_dir = folder ?? (await mkdtemp(join(tmpdir(), 'kusanya-serve-')))
  // If root runs the tests, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(data_dir, 0o755)
  const postmasterFile = join(data_dir, 'postgresql', 'cluster', 'postmaster.pid')
  const children: ChildProcess[] = []

  function launch(command: string[], settings: Record<string, string> = {}): LaunchedProgram {
    const [program, ...args] = command
    const child = spawn(program!, args, {
      cwd: ROOT,
      env: {
        ...DEFAULT_SETTINGS,
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: data_dir,
        PORT: '0',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    const text = { output: '', errors: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text.output += chunk
      keepOutput(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text.errors += chunk
      keepOutput(chunk)
    })
    return { child, ended: once(child, 'exit'), output: () => text.output, errors: () => text.errors }
  }

  const killDatabase = async () => {
    process.kill(Number.parseInt(await readFile(postmasterFile, 'utf8'), 10), 'SIGKILL')
  }

  return {
    data_dir,
    launch,
    async start({ command = SERVE_COMMAND, settings = {} } = {}) {
      const service = launch(command, settings)
      await eventually('the welcome', async () => {
        if (service.child.exitCode !== null) throw new Error(`It ended: ${service.errors()}`)
        return service.output().includes('Ctrl-C') ? true : undefined
      })
      return { ...service, url: /Address +(\S+)/.exec(service.output())![1]! }
    },
    postmasterFile,
    killDatabase,
    async close() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
      await killDatabase().catch(() => {})
      await rm(data_dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/**
 * Find a port that is free and stays free while a killed service restarts: it is below the range from which systems
 * assign ports.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000)
    const listener = createServer()
    const free = await new Promise<boolean>((resolve) => {
      listener.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise((resolve) => listener.close(resolve))
    return port
  }
}

/** End a program with a signal and wait until it is gone. */
export async function killProgram({ child, ended }: LaunchedProgram, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await ended
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const list =
    process.platform === 'linux'
      ? readOrEmpty(`/proc/${pid}/task/${pid}/children`)
      : spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout
  return list.split(/\s+/).filter(Boolean).map(Number)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
