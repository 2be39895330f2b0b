import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { PROGRAM_ROOT } from '../program.ts'

/** A build of pages that runs beside the service. */
export interface PageBuild {
  /** Resolve when the pages are built, or the build has failed. */
  done: Promise<void>
  stop(): void
}

/**
 * Run a Node program to its end and return its standard output, or null if the build was stopped. @throws Error if it
 * fails
 */
export type RunProgram = (args: string[], options?: { background?: boolean }) => Promise<string | null>

/**
 * Start to build pages in separate programs, so that the API is ready earlier and stays fast.
 * @param build does the work; it receives the function that runs a program
 * @param onError receives a failure. The service then runs without the pages.
 */
export function startBuild(build: (run: RunProgram) => Promise<void>, onError: (error: unknown) => void): PageBuild {
  let child: ChildProcess | undefined
  let stopped = false
  const run: RunProgram = async (args, { background = false } = {}) => {
    if (stopped) return null
    child = spawnNode(args)
    if (background) yieldToOthers(child)
    const output = readOutput(child)
    const [code] = (await once(child, 'exit')) as [number | null]
    if (stopped) return null
    const { stdout, stderr } = await output
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${(stdout + stderr).slice(-2_000)}`)
    return stdout
  }
  return {
    done: build(run).catch(onError),
    stop() {
      stopped = true
      child?.kill()
    },
  }
}

function spawnNode(args: string[]): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: PROGRAM_ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

/** Let the process work when others have nothing to do. Where that is not allowed, it works as the others. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, 19)
  } catch {
    // It has ended already, or the system allows no change.
  }
}

async function readOutput(child: ChildProcess): Promise<{ stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (part: string) => {
      texts[name] += part
    })
  await once(child, 'close')
  return texts
}
