import type { App } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { createLog } from './log.ts'

/**
 * Opens the app for one command and closes it afterwards, beside a running service or without one. Processes share the
 * embedded PostgreSQL, and the last one stops it.
 * @param options.migrated false for the commands that migrate the database themselves.
 * @throws CommandError when the database is not up to date, UnsuitableDatabase when it cannot be used.
 */
export async function withApp<T>(
  terminal: Terminal,
  work: (app: App) => Promise<T>,
  options: { migrated: boolean } = { migrated: true },
): Promise<T> {
  const config = readConfig(terminal.environment)
  // The app loads Fastify, so only the commands that need the app import it. `--help` does not.
  const { buildApp, checkDatabase } = await import('../../app.ts')
  const app = await buildApp(config, await createLog(config, 'command'))
  try {
    await checkDatabase(app)
    if (options.migrated && (await pendingMigrations(app.db)).length > 0)
      throw new CommandError('The database is not up to date. Run `npx kusanya setup` or `npx kusanya migrate` first.')
    return await work(app)
  } finally {
    await app.close()
  }
}
