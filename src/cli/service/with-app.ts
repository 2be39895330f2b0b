import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { type Config, readConfig } from '../../config.ts'
import { hasDatabase } from '../../db/embedded/folder.ts'
import { pendingMigrations, refuseTooNew } from '../../db/migrate.ts'
import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { createLog } from './log.ts'

/**
 * Open the app for one command and close it afterwards, beside a running service or without one. Processes share the
 * embedded PostgreSQL, and the last one stops it.
 * @param options.migrated false for the commands that migrate the database themselves. Only they create one where none
 * is.
 * @param options.any_database true for a command that looks at any database: also one that is not up to date, or that
 * the service could
 *   not use
 * @param options.any_secret_key true for commands that work although SECRET_KEY is not the key of the database.
 * @throws CommandError when the database is not up to date, UnsuitableDatabase when it cannot be used, WrongSetting
 */
export async function withApp<T>(
  terminal: Terminal,
  work: (app: App) => Promise<T>,
  options: { migrated: boolean; any_database?: boolean; any_secret_key?: boolean } = { migrated: true },
): Promise<T> {
  const config = readConfig(terminal.environment)
  if (options.migrated) requireData(config)
  // The app loads Fastify, so only the commands that need the app import it. `--help` does not.
  const { buildApp, checkDatabase } = await import('../../app.ts')
  const { requireSecretKey } = await import('./secret-key.ts')
  // A command is no service: it must not wait for a collector at its end.
  const app = await buildApp({ ...config, OTEL_SDK_DISABLED: true }, await createLog(config, 'command'))
  try {
    if (!options.any_database) {
      await checkDatabase(app)
      await refuseTooNew(app.db)
    }
    if (options.migrated && !options.any_database && (await pendingMigrations(app.db)).length > 0)
      throw new CommandError('The database is not up to date. Run `npx kusanya setup` or `npx kusanya migrate` first.')
    if (options.migrated && !options.any_secret_key) await requireSecretKey(app)
    return await work(app)
  } finally {
    await app.close()
  }
}

/** A folder without data is a mistake, such as a wrong DATA_DIR: a new PostgreSQL there would look like lost money. */
function requireData({ DATABASE_URL, DATA_DIR }: Config): void {
  const folder = resolve(DATA_DIR)
  if (DATABASE_URL || hasDatabase(folder)) return
  throw new CommandError(`There is no data in ${folder}. \`npx kusanya serve\` creates it.`)
}
