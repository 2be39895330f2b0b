import { join } from 'node:path'
import { sessionSettings } from '../../src/db/client.ts'
import { TIME_LIMITS } from '../../src/lib/time-limits.ts'
import {
  ADMIN,
  DATABASE,
  databaseAddress,
  HOST,
  type Layout,
  NODES,
  OWNER,
  portsOf,
  SERVICE,
  SERVICES,
} from './layout.ts'

/*
 * The settings of every program of the cluster. docs/operating/cluster.md explains those that matter to the service.
 */

export function etcdArguments(layout: Layout, node: number): string[] {
  const ports = portsOf(layout)
  const peer = (other: number) => `http://${HOST}:${ports.etcd_peer(other)}`
  const client = `http://${HOST}:${ports.etcd(node)}`
  return [
    '--name',
    `etcd${node}`,
    '--data-dir',
    join(layout.folder, `etcd${node}`, 'data'),
    '--listen-client-urls',
    client,
    '--advertise-client-urls',
    client,
    '--listen-peer-urls',
    peer(node),
    '--initial-advertise-peer-urls',
    peer(node),
    '--initial-cluster',
    NODES.map((other) => `etcd${other}=${peer(other)}`).join(','),
    '--initial-cluster-token',
    'kusanya',
    '--heartbeat-interval',
    '100',
    '--election-timeout',
    '1000',
    '--log-level',
    'warn',
    '--logger',
    'zap',
    ...(layout.etcd_interface === 'etcd' ? ['--enable-v2'] : []),
  ]
}

/**
 * Return Patroni's polling interval and retry time, in seconds: `loop_wait + 2 * retry_timeout` must not exceed `ttl`. A primary
 * may stand still for `ttl - loop_wait` before it loses its place, so a short `loop_wait` allows a short `ttl`.
 */
export function patroniTimes(ttl_s: number) {
  const loop_wait = Math.max(1, Math.floor(ttl_s / 10))
  return { ttl: ttl_s, loop_wait, retry_timeout: Math.max(3, Math.floor((ttl_s - loop_wait) / 2)) }
}

/** The file of one Patroni. JSON is YAML. */
export function patroniFile(layout: Layout, node: number, bin: string): string {
  const ports = portsOf(layout)
  const listen = (port: number) => `${HOST}:${port}`
  const admin = { username: ADMIN, password: layout.passwords.admin }
  const home = join(layout.folder, `node${node}`)
  const file = {
    scope: 'kusanya',
    name: `node${node}`,
    log: { level: 'INFO' },
    restapi: { listen: listen(ports.patroni(node)), connect_address: listen(ports.patroni(node)) },
    [layout.etcd_interface]: { hosts: NODES.map((other) => listen(ports.etcd(other))) },
    bootstrap: {
      dcs: {
        ...patroniTimes(layout.ttl_s),
        synchronous_mode: layout.synchronous,
        // After a crash the primary has this long to start again before a replica takes its place.
        master_start_timeout: 5,
        maximum_lag_on_failover: 16_777_216,
        postgresql: { use_pg_rewind: false, remove_data_directory_on_diverged_timelines: true },
      },
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C' },
        { 'locale-provider': 'builtin' },
        { 'builtin-locale': 'C.UTF-8' },
        'data-checksums',
      ],
    },
    postgresql: {
      listen: listen(ports.postgres(node)),
      connect_address: listen(ports.postgres(node)),
      data_dir: join(home, 'data'),
      bin_dir: bin,
      pgpass: join(home, 'pgpass'),
      // On one machine the replicator may be the administrator, who begins the copy for a new replica.
      authentication: { superuser: admin, replication: admin },
      create_replica_methods: ['copy_leader'],
      copy_leader: { command: join(bin, 'copy_leader') },
      parameters: postgresSettings(),
      pg_hba: [`host all all ${HOST}/32 scram-sha-256`, `host replication all ${HOST}/32 scram-sha-256`],
    },
  }
  return JSON.stringify(file, null, 2)
}

function postgresSettings(): Record<string, string> {
  return {
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    max_wal_size: '512MB',
    wal_keep_size: '256MB',
    wal_log_hints: 'on',
    password_encryption: 'scram-sha-256',
    // A replica that stands still is noticed after this long, and commits no longer wait for it.
    wal_sender_timeout: '5s',
    wal_receiver_timeout: '5s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    max_parallel_workers_per_gather: '0',
  }
}

/** The file of HAProxy: the primary, the replicas, and the service. */
export function haproxyFile(layout: Layout): string {
  const ports = portsOf(layout)
  const database = (name: string, port: number, check: string) => `
listen ${name}
  bind ${HOST}:${port}
  mode tcp
  option httpchk OPTIONS ${check}
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map((node) => `  server node${node} ${HOST}:${ports.postgres(node)} check port ${ports.patroni(node)}`).join('\n')}
`
  return `global
  maxconn 4000

defaults
  retries 1
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
${database('write', ports.write, '/primary')}${database('read', ports.read, '/replica')}
frontend public
  bind ${HOST}:${ports.public}
  mode http
  timeout client 60s
${[502, 503, 504].map(unavailableAnswer).join('\n')}
  default_backend services

backend services
  mode http
  timeout server 60s
  # A process that is busy for two seconds is not dead.
  timeout check 5s
  option redispatch
  # /healthz and not /readyz: while the database is away the service itself answers with 503, and says so.
  option httpchk GET /healthz
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1
${SERVICES.map((number) => `  server service${number} ${HOST}:${ports.service(number)} check`).join('\n')}
`
}

/** Return HAProxy's own answer when no process of the service answers. */
function unavailableAnswer(status: number): string {
  const body = '{"detail":"The service is temporarily unavailable."}'
  return `  http-error status ${status} content-type application/json string '${body}' hdr Retry-After 5`
}

/** The file of PgBouncer in transaction mode. */
export function pgbouncerFile(layout: Layout): string {
  const ports = portsOf(layout)
  return `[databases]
${DATABASE} = host=${HOST} port=${ports.write}

[pgbouncer]
listen_addr = ${HOST}
listen_port = ${ports.pooler}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(layout.folder, 'etc', 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
; A connection that fails is tried again at once, not after the 15 seconds of the default.
server_login_retry = 1
server_connect_timeout = 3
; A caller that waits longer for a connection gets an error, and the service answers with 503.
query_wait_timeout = 5
; No connection is kept that may lead to a former primary.
server_lifetime = 600
server_idle_timeout = 60
`
}

/** The users of PgBouncer. */
export function pgbouncerUsers({ passwords }: Layout): string {
  return `"${SERVICE}" "${passwords.service}"\n`
}

/** The settings of a process of the service. */
export function serviceSettings(layout: Layout, number: number): Record<string, string> {
  const ports = portsOf(layout)
  return {
    KUSANYA_ENV_FILE: 'off',
    PORT: String(ports.service(number)),
    PUBLIC_URL: `http://${HOST}:${ports.public}`,
    TRUST_PROXY: layout.cell ? '2' : '1',
    DATABASE_URL: databaseAddress(layout, 'service', ports.pooler),
    DATABASE_POOLER: 'on',
    DATABASE_LISTEN_URL: databaseAddress(layout, 'service', ports.write),
    DATABASE_READ_URL: databaseAddress(layout, 'service', ports.read),
    MIGRATION_DATABASE_URL: databaseAddress(layout, 'owner', ports.write),
    DATA_DIR: join(layout.folder, 'service'),
    SECRET_KEY: layout.secret_key,
    SANDBOX_API_KEY: layout.api_key,
    CONSOLE: layout.console ? 'on' : 'off',
    READS_PER_MINUTE: '1000000000',
    WRITES_PER_MINUTE: '1000000000',
    ...cellSettings(layout),
  }
}

function cellSettings({ cell }: Layout): Record<string, string> {
  if (!cell) return {}
  return {
    CELL: String(cell.number),
    CELLS: JSON.stringify(cell.addresses),
    CELLS_SECRET: cell.secret,
    PUBLIC_URL: cell.public_url,
  }
}

/** The SQL that makes the database and its two roles. What a session needs is set for the role, as poolers require. */
export function databaseStatements({ passwords }: Layout): string[] {
  const settings = Object.entries(sessionSettings(TIME_LIMITS))
  return [
    `create role ${OWNER} login password '${passwords.owner}'`,
    `create role ${SERVICE} login password '${passwords.service}'`,
    ...settings.map(([name, value]) => `alter role ${SERVICE} set ${name} = '${value}'`),
    `create database ${DATABASE} owner ${OWNER}`,
  ]
}
