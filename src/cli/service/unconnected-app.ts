import { type App, buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { createLog } from './log.ts'

/**
 * Build an app that describes itself: no setting of this machine counts, and nothing connects to a database or
 * encrypts.
 */
export async function withUnconnectedApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) })
  // The sandbox's clock and the connections are in the database.
  const clock = { now: () => new Date(), real: () => new Date() }
  const app = await buildApp(config, await createLog({ LOG_LEVEL: 'silent' }, 'command'), { clock, connections: [] })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
