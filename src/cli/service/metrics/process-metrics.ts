import { Gauge, type Metric } from 'prom-client'
import type { App } from '../../../app.ts'

/**
 * Create the metrics of this process: its connections to the database and to providers. They belong to no registry yet.
 */
export function createProcessMetrics({ db, providers }: Pick<App, 'db' | 'providers'>): Metric[] {
  const registers: [] = []
  const connections = new Gauge({
    name: 'kusanya_database_connections',
    help: 'Connections of the pool of this process to the database, by state: used or idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, idle } = db.poolUse()
      this.set({ state: 'used' }, used)
      this.set({ state: 'idle' }, idle)
    },
  })
  const limit = new Gauge({
    name: 'kusanya_database_connections_limit',
    help: 'The most connections that the pool of this process may have (DATABASE_CONNECTIONS).',
    registers,
    collect() {
      this.set(db.poolUse().limit)
    },
  })
  const waiting = new Gauge({
    name: 'kusanya_database_waiting',
    help: 'Statements and transactions of this process that wait for a connection of the pool.',
    registers,
    collect() {
      this.set(db.poolUse().waiting)
    },
  })
  const info = new Gauge({
    name: 'kusanya_connection_info',
    help: 'Always 1, for each connection that this process has open, with its kind, driver, environment and state.',
    labelNames: ['connection', 'kind', 'driver', 'environment', 'state'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset()
      for (const kind of ['networks', 'sms', 'bills'] as const)
        for (const { slug: connection, code: driver, environment, state } of providers[kind].list())
          this.set({ connection, kind: KINDS[kind], driver, environment, state }, 1)
    },
  })
  return [connections, limit, waiting, info]
}

const KINDS = { networks: 'network', sms: 'sms', bills: 'bills' } as const
