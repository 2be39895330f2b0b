import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { WEB_DIST } from '../../console/pages.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { hashSources } from '../../lib/source-hash.ts'
import { IS_PACKAGE, PROGRAM_ROOT } from '../program.ts'

const WEB = join(PROGRAM_ROOT, 'web')

/** A build of the console's pages that runs beside the service. */
export interface WebBuild {
  /** Resolves when the pages are built, or the build has failed. */
  done: Promise<void>
  stop(): void
}

/**
 * Builds the pages of the console when they are missing or older than their sources. A separate process builds, so that
 * the API is ready earlier and stays fast. A failure is logged, and the service runs without the pages.
 */
export function buildWeb(log: EventLog): WebBuild {
  let child: ChildProcess | undefined
  let stopped = false
  const build = async () => {
    if (await isBuilt()) return
    // Vite moves the complete build to its final folder (web/vite.config.ts). A stopped build leaves this folder behind.
    const unfinished = `${WEB_DIST}-${randomBytes(4).toString('hex')}`
    const started = performance.now()
    try {
      child = runVite(unfinished)
      const output = readOutput(child)
      const [code] = (await once(child, 'exit')) as [number | null]
      if (stopped) return
      if (code !== 0) throw new Error(`vite build ended with ${code}: ${(await output).slice(-2_000)}`)
      logEvent(log, 'console_built', { duration_ms: Math.round(performance.now() - started) })
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  }
  const done = build().catch((error: unknown) => logEvent(log, 'console_build_failed', { error }))
  return {
    done,
    stop() {
      stopped = true
      child?.kill()
    },
  }
}

/** The built pages contain the hash of their sources (web/vite.config.ts). The package of npm has the pages and no sources. */
async function isBuilt(): Promise<boolean> {
  if (IS_PACKAGE) return true
  const built = await readFile(join(WEB_DIST, 'sources.txt'), 'utf8').catch(() => undefined)
  return (
    built !== undefined &&
    built === hashSources(WEB, [join(PROGRAM_ROOT, 'package-lock.json'), join(PROGRAM_ROOT, 'src/lib/money.ts')])
  )
}

function runVite(out_dir: string): ChildProcess {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  return spawn(process.execPath, [vite, 'build', WEB, '--outDir', out_dir, '--logLevel', 'warn'], {
    cwd: PROGRAM_ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

async function readOutput(child: ChildProcess): Promise<string> {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8')
    stream.on('data', (part: string) => {
      text += part
    })
  }
  await once(child, 'exit')
  return text
}
