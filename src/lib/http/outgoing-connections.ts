import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector, Client } from 'undici'
import { loadUndici } from './undici.ts'

/** Kind of checks of a connection: the certificate of the server, nothing about it, or there is no TLS. */
export type ConnectionKind = 'verified' | 'unverified' | 'plain'

/** A connection to one server. It carries one call at a time. */
export interface Connection {
  readonly client: Client
  /** Key under which `release` stores it. */
  readonly key: string
  /** True if a call has used it before. A closed one that connects again is new. */
  is_reused: boolean
  phase: 'connecting' | 'securing' | 'open'
  /** The address at the other end; null until it is connected. */
  address: string | null
  /** True if a part of the answer to the present call has come. */
  has_begun: boolean
  socket: Socket | null
}

export interface Connections {
  /** Returns an idle connection to the origin, or a new one. The caller gives it back with `release` or `drop`. */
  take(origin: string, kind: ConnectionKind): Connection
  /** Keeps a connection for later calls. The answer to its call must have come to its end. */
  release(connection: Connection): void
  /** Ends a connection in whichever state it is. Its call fails. */
  drop(connection: Connection): void
  /** Ends all connections. */
  dropAll(): void
}

/** Lifetime of an idle connection, unless the server says less. Most servers use a similar time. */
const IDLE_TIMEOUT_MS = 30_000
/** We close this long before the server does, so that no call uses a connection that is being closed. */
const IDLE_MARGIN_MS = 1_000
/** The idle connections that are kept for one origin. */
const MAX_IDLE = 256
/** The origins whose last TLS session is kept, so that new connections to them cost less. */
const MAX_SESSIONS = 100
/** The time for a connection to one of a host's addresses. Node's default of 250 ms is too short for distant hosts. */
const CONNECT_TIMEOUT_PER_ADDRESS_MS = 1_500
const TCP_KEEP_ALIVE_MS = 1_000

const clientOptions = {
  keepAliveTimeout: IDLE_TIMEOUT_MS,
  keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
  keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
  // The caller has one time limit for everything.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/**
 * Creates a pool of connections. Each is a separate undici `Client`, because an undici pool does not tell which
 * connection carried a call, nor if it was new.
 * @param lookup finds the addresses of a name, and refuses those that must not be called
 */
export function createConnections(lookup: LookupFunction): Connections {
  const open = new Set<Connection>()
  const idle = new Map<string, Connection[]>()
  const sessions = new Map<string, Buffer>()

  function removeIdle(connection: Connection): boolean {
    const others = idle.get(connection.key)
    const index = others?.indexOf(connection) ?? -1
    if (index < 0) return false
    others!.splice(index, 1)
    if (others!.length === 0) idle.delete(connection.key)
    return true
  }
  function drop(connection: Connection): void {
    open.delete(connection)
    removeIdle(connection)
    // The client comes first: it tells a call that is under way, and ends a socket that is connected.
    void connection.client.destroy()
    connection.socket?.destroy()
  }
  function openNew(origin: string, kind: ConnectionKind, key: string): Connection {
    const state = { key, is_reused: false, phase: 'connecting' as const, address: null, has_begun: false, socket: null }
    const connect: buildConnector.connector = (target, callback) =>
      openSocket(target, { kind, lookup, sessions, connection }, callback)
    const { Client } = loadUndici()
    const connection: Connection = { ...state, client: new Client(origin, { ...clientOptions, connect }) }
    // A client connects again when it is used, so one that waits for its answer stays.
    connection.client.on('disconnect', () => {
      if (removeIdle(connection)) drop(connection)
    })
    open.add(connection)
    return connection
  }

  return {
    take(origin, kind) {
      const key = `${kind} ${origin}`
      const newest = idle.get(key)?.at(-1)
      if (!newest) return openNew(origin, kind, key)
      removeIdle(newest)
      newest.is_reused = true
      newest.has_begun = false
      return newest
    },
    release(connection) {
      const others = idle.get(connection.key)
      if (!open.has(connection) || (others?.length ?? 0) >= MAX_IDLE) drop(connection)
      else if (others) others.push(connection)
      else idle.set(connection.key, [connection])
    },
    drop,
    dropAll() {
      for (const connection of [...open]) drop(connection)
    },
  }
}

interface SocketContext {
  kind: ConnectionKind
  lookup: LookupFunction
  /** The last TLS session of each origin. */
  sessions: Map<string, Buffer>
  connection: Connection
}

/** Opens the socket of a connection, and notes there how far it has come. */
function openSocket(
  { hostname, port, protocol }: buildConnector.Options,
  { kind, lookup, sessions, connection }: SocketContext,
  callback: buildConnector.Callback,
): void {
  const is_secure = protocol === 'https:'
  const options = {
    host: hostname,
    port: Number(port || (is_secure ? 443 : 80)),
    lookup,
    autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_PER_ADDRESS_MS,
  }
  const socket = is_secure
    ? connectTls({
        ...options,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: kind === 'verified',
        // TLS has names there, and no addresses.
        ...(isIP(hostname) ? {} : { servername: hostname }),
        session: sessions.get(connection.key),
      }).on('session', (session) => rememberSession(sessions, connection.key, session))
    : connectPlain(options)
  socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS)
  skipContinue(socket, connection)
  Object.assign(connection, { socket, is_reused: false, phase: 'connecting', address: null })
  // The address is read now, because a closed socket no longer has it.
  const enterPhase = (phase: Connection['phase']) => {
    connection.address = socket.remoteAddress ?? connection.address
    connection.phase = phase
  }
  const becomeOpen = () => {
    enterPhase('open')
    callback(null, socket)
  }
  if (is_secure) socket.once('connect', () => enterPhase('securing')).once('secureConnect', becomeOpen)
  else socket.once('connect', becomeOpen)
  socket.on('error', (error) => {
    sessions.delete(connection.key)
    if (connection.phase !== 'open') callback(error, null)
  })
}

function rememberSession(sessions: Map<string, Buffer>, key: string, session: Buffer): void {
  sessions.delete(key)
  sessions.set(key, session)
  if (sessions.size > MAX_SESSIONS) sessions.delete(sessions.keys().next().value!)
}

const CONTINUE_PATTERN = /^HTTP\/1\.1 100[ \r].*?\r\n\r\n/s

/** Takes away a status 100 before the answer. Servers may send one without a request for it, and undici does not accept it. */
function skipContinue(socket: Socket, connection: Connection): void {
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    const chunk: Buffer | null = read(size)
    // The first digit of the status alone tells most answers.
    if (chunk === null || connection.has_begun || chunk[9] !== DIGIT_ONE) return chunk
    const found = CONTINUE_PATTERN.exec(chunk.toString('latin1'))
    return found ? chunk.subarray(found[0].length) : chunk
  }
}

const DIGIT_ONE = 0x31
