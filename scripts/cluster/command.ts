import { processTerminal, type Terminal } from '../../src/cli/terminal.ts'
import { interruption } from './children.ts'
import { installPackages, missingPackages } from './programs.ts'

/* Parts that `npm run cluster` and `npm run cluster:test` share. */

/** The options that both commands have. */
export const clusterFlags = {
  port: { type: 'string', default: '7400' },
  ttl: { type: 'string', default: '9' },
  cells: { type: 'string', default: '1' },
  keep: { type: 'boolean', default: false },
  install: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Read the options of both commands. @throws Error with the fault */
export function readClusterOptions(flags: { port: string; ttl: string; cells: string; keep: boolean }) {
  return {
    count: readNumber('--cells', flags.cells, { min: 1, max: 9 }),
    port: readNumber('--port', flags.port, { min: 1_024, max: 65_000 }),
    ttl_s: readNumber('--ttl', flags.ttl, { min: 8, max: 300 }),
    keep: flags.keep,
  }
}

/** Read a whole number. @throws Error that names the option */
export function readNumber(option: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < min || number > max)
    throw new Error(`${option} must be a whole number from ${min} to ${max}.`)
  return number
}

/** Make sure that the programs are there. @throws Error that names the packages */
export function requirePrograms(terminal: Terminal, install: boolean): void {
  if (process.platform !== 'linux') throw new Error('The cluster runs on Debian, and on systems with its packages.')
  const missing = missingPackages()
  if (missing.length === 0) return
  if (!install)
    throw new Error(`Install ${missing.join(', ')}: apt-get install ${missing.join(' ')}, or add --install.`)
  terminal.print(`Installing ${missing.join(', ')} …`)
  installPackages(missing)
}

/** Something that was started and can be stopped. */
interface Stoppable {
  stop(): Promise<void>
}

/**
 * Run what `start` starts for as long as some work takes, or until SIGINT or SIGTERM. Nothing is left behind in either case. A
 * second signal is ignored, because ending takes only seconds.
 */
export async function withStarted<Started extends Stoppable>(
  terminal: Terminal,
  start: (progress: (text: string) => void) => Promise<Started>,
  work: (started: Started) => Promise<void>,
): Promise<void> {
  const { signal } = interruption
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort())
  try {
    const started = await start((text) => terminal.print(`Starting ${text} …`))
    const interrupted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    await Promise.race([work(started), interrupted]).finally(() => {
      terminal.print('Stopping …')
      return started.stop()
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
  // Work that was interrupted may still wait for something.
  process.exit(signal.aborted ? EXIT_INTERRUPTED : process.exitCode)
}

/** Exit code that a shell shows for a program that Ctrl-C has ended. */
const EXIT_INTERRUPTED = 130

/** Run a command. An error is one line, and the exit code is 1. */
export async function runCommand(main: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = processTerminal()
  await main(terminal).catch((error: Error) => {
    terminal.warn(error.message)
    process.exit(1)
  })
}
