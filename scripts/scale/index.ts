/*
 * `npm run scale:ddl` prints the DDL that would spread the tables over several servers by organization (docs/scale.md). It makes
 * it of the schema of this version, in a PostgreSQL of its own that it removes afterwards.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/db/client.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { prepareDatabase } from '../../src/db/migrate.ts'
import { distributionDdl, printDdl } from './ddl.ts'

const folder = await mkdtemp(join(tmpdir(), 'kusanya-scale-'))
// PostgreSQL does not run as root. The user that runs it needs access to the folder.
await chmod(folder, 0o755)
const server = await startEmbedded({ data_dir: folder })
try {
  const [owner, service] = [server.url, server.service_url].map((url) =>
    connect(url, { connections: 1, application: 'scale' }),
  )
  await prepareDatabase(owner!, service!)
  process.stdout.write(printDdl(await distributionDdl(owner!)))
  await Promise.all([owner!.end(), service!.end()])
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
