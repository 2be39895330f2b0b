import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'

/** Starts a PostgreSQL for one simulation, in a folder that goes with it. */
export async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const data_dir = await mkdtemp(join(tmpdir(), 'kusanya-simulation-'))
  // Root's server runs as another user, who must be able to get in.
  await chmod(data_dir, 0o755)
  const server = await startEmbedded({ data_dir, settings: { fsync: 'off' } })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(data_dir, { recursive: true, force: true })
      await rm(server.location, { recursive: true, force: true })
    },
  }
}
