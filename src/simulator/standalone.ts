import { resolve } from 'node:path'
import { connect } from '../db/client.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrate.ts'
import type { Door } from './doors/door.ts'
import { createSimulator } from './index.ts'
import type { Simulator } from './simulator.ts'

/** The secret of the sandbox's own network, where it is served without a gateway. It opens nothing else. */
export const SANDBOX_SECRET = 'simulated-sandbox-secret'

interface StandaloneOptions {
  /** The folder of the data; created if it does not exist. */
  data_dir: string
  host: string
  /** 0: a free port. */
  port: number
  /** Callback URL for the sandbox's own network, whose calls name no address. */
  callback_url: string | null
  onError(job: string, error: unknown): void
  /** Simulated networks. Default: the networks of all drivers. */
  doors?: readonly Door[]
}

/** Simulated networks that run. */
export interface Standalone {
  simulator: Simulator
  /** The base URL, at which the page for people is. */
  url: string
  /** Lines for people, such as where the data is. */
  notices: string[]
  stop(): Promise<void>
}

/** Serve all simulated networks without the gateway, with their own database. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { data_dir, host, port, callback_url, onError } = options
  const embedded = await startEmbedded({ data_dir: resolve(data_dir) })
  const db = connect(embedded.url, { connections: 10, application: 'kusanya networks' })
  let offset_ms = 0
  const now = () => new Date(Date.now() + offset_ms)
  const simulator = createSimulator({
    db,
    host,
    port,
    now,
    onError,
    secret: SANDBOX_SECRET,
    callback_url: () => callback_url,
    real: () => new Date(),
    ...(options.doors && { doors: options.doors }),
    usual_ports: port !== 0,
    controls: {
      advance(seconds) {
        offset_ms += seconds * 1_000
      },
    },
  })
  const stop = async () => {
    await simulator.stop()
    await db.end()
    await embedded.stop()
  }
  try {
    await migrate(db)
    await simulator.listen()
    simulator.start()
  } catch (error) {
    await stop()
    throw error
  }
  const url = new URL('/', simulator.urlOf('')).origin
  return { simulator, url, notices: embedded.notice ? [embedded.notice] : [], stop }
}
