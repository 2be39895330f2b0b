import { rm } from 'node:fs/promises'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { createServerFolder } from '../server-folder.ts'

/** Start a PostgreSQL for one simulation, in a folder that goes with it. */
export async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const data_dir = await createServerFolder('kusanya-simulation-')
  const server = await startEmbedded({ data_dir, settings: { fsync: 'off', full_page_writes: 'off' } })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(data_dir, { recursive: true, force: true })
      await rm(server.location, { recursive: true, force: true })
    },
  }
}
