import { addApi } from '../api/index.ts'
import type { App } from '../app.ts'
import { Unavailable } from '../core/refusals.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { addOpenApi } from '../http/docs.ts'
import { addHealth, addMetrics, createHealth } from '../http/health.ts'
import { createServer, type Server } from '../http/server.ts'
import { startJobs } from '../jobs/index.ts'
import { VERSION } from './version.ts'

export interface Service {
  url: string
  server: Server
  stop(): Promise<void>
}

/** Puts the doors together on one server, without listening. */
export async function buildServer(app: App): Promise<Server> {
  const health = createHealth()
  const server = createServer({ log: app.log, trust_proxy: app.config.TRUST_PROXY, onAnswer: health.observe })
  await addOpenApi(server, { version: VERSION, service_name: app.config.SERVICE_NAME })
  addHealth(server, async () => {
    const pending = await pendingMigrations(app.db)
    if (pending.length > 0) throw new Unavailable(`The database waits for ${pending.length} migrations.`)
  })
  if (app.config.METRICS_ADDRESS) await listenForMetrics(app, server, health)
  else addMetrics(server, health)
  addApi(server, app)
  return server
}

/** Starts the doors that this process is for, and the outside world of the sandbox. Stops in the opposite order. */
export async function startService(app: App, options: { api: boolean; jobs: boolean }): Promise<Service> {
  const server = await buildServer(app)
  let url = app.address.url
  if (options.api) {
    url = await server.listen({ host: app.config.HOST, port: app.config.PORT })
    app.address.local = url
    if (!app.config.PUBLIC_URL) app.address.url = url
  }
  await app.startOutsideWorld()
  const jobs = options.jobs ? startJobs(app) : null
  return {
    url,
    server,
    async stop() {
      await server.close()
      await jobs?.stop()
      await app.close()
    },
  }
}

/** METRICS_ADDRESS keeps the figures off the public address. */
async function listenForMetrics(app: App, server: Server, health: ReturnType<typeof createHealth>): Promise<void> {
  const [, host, port] = /^(.+):(\d+)$/.exec(app.config.METRICS_ADDRESS!)!
  const apart = createServer({ log: app.log, trust_proxy: 'off' })
  addMetrics(apart, health)
  await apart.listen({ host, port: Number(port) })
  server.addHook('onClose', () => apart.close())
}
