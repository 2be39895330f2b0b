import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findBinaries } from './embedded-binaries.ts'
import { findHome } from './embedded-home.ts'
import { identify, isRunning, withLock } from './embedded-processes.ts'
import { createCluster, findRunning, halt, launch, readPassword, type Server, urlOf } from './embedded-server.ts'

/** A running server: `url` opens its database, `location` is the folder of its data, `notice` is a line for people. */
export interface EmbeddedPostgres {
  url: string
  location: string
  notice: string | null
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that belongs to `data_dir`, or joins it if it already runs: because another process uses it,
 * or because one was killed and left it behind. `stop` stops the server, unless another process still uses it; then
 * the last of them stops it. `settings` are further PostgreSQL settings, for tests. Throws an Error with the last
 * lines of the server's log when it does not start. Reasons: docs/decisions/0001-embedded-postgresql.md.
 */
export async function startEmbedded(options: {
  data_dir: string
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const home = findHome(resolve(options.data_dir))
  const binaries = await findBinaries(home)
  const lock = join(home.location, 'lock')
  return withLock(lock, async () => {
    const server = { ...home, binaries, cluster: join(home.location, 'cluster'), password: readPassword(home) }
    if (!existsSync(server.cluster)) await createCluster(server)
    const port = (await findRunning(server)) ?? (await launch(server, options.settings ?? {}))
    const membership = join(home.location, `user-${identify(process.pid)}-${randomBytes(4).toString('hex')}`)
    writeFileSync(membership, '')
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= withLock(lock, () => leave(server, membership))
      return stopped
    }
    return { url: urlOf(server, port), location: home.location, notice: home.notice, stop }
  })
}

async function leave(server: Server, membership: string): Promise<void> {
  rmSync(membership, { force: true })
  if (!hasUsers(server)) await halt(server)
}

/** Every user has a file named after its process; those of killed processes are cleared away here. */
function hasUsers({ location }: Server): boolean {
  let living = 0
  for (const file of readdirSync(location)) {
    const process_identity = /^user-(\d+-\d+)-/.exec(file)?.[1]
    if (process_identity === undefined) continue
    if (isRunning(process_identity)) living += 1
    else rmSync(join(location, file), { force: true })
  }
  return living > 0
}
