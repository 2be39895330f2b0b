import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../test/cli/program-runner.ts'
import { waitFor } from '../cluster/children.ts'
import type { Version } from './versions.ts'

/** Process of the service. */
export interface Process {
  url: string
  version: Version
  child: ChildProcess
  /** End it with SIGTERM, and wait until it is gone. */
  stop(): Promise<void>
}

export interface Place {
  /** The folder of the logs. */
  folder: string
  settings: Record<string, string>
}

/** Start `serve` of a version, and wait until it is ready. Its log is in the folder. */
export async function startProcess(version: Version, name: string, place: Place): Promise<Process> {
  const port = await findFreePort()
  const child = spawn(process.execPath, ['src/cli/index.ts', 'serve'], {
    cwd: version.folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...place.settings, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(join(place.folder, `${name}.log`))
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${name} of ${version.name} ended`)
    return (await fetch(`${url}/readyz`)).ok
  }
  await waitFor(`${name} is ready`, isReady)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { url, version, child, stop }
}

/** Run a command of a version, and resolve with its exit code and its output. */
export async function runCommand(
  version: Version,
  args: string[],
  place: Place,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['src/cli/index.ts', ...args], {
    cwd: version.folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...place.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: output.trim() }
}
