import pg from 'pg'
import { parserOf } from './column-types.ts'
import { ConnectionLost } from './failures.ts'
import { type Fragment, nameOf, toStatement } from './sql.ts'

/** Rows of a statement, and how many rows it read or changed. */
export type Counted<Rows> = Rows & { readonly count: number }

/**
 * Message of PostgreSQL besides the result. The routine is the function of its source that sent it, in every language.
 */
interface Notice {
  message?: string | undefined
  routine?: string | undefined
}

/** Options for opening connections. */
export interface ConnectionOptions {
  url: string
  application: string
  /** PostgreSQL settings of the session, sent while connecting; none to a connection pooler, which would refuse them. */
  session: Record<string, string>
  /** True if statements are prepared by name and kept. Connections that a pooler shares out cannot keep them. */
  named: boolean
  /** Time limit for opening one; unless given, `connect_timeout` of the address, or 3 seconds. */
  connect_timeout_s?: number
}

const CONNECT_TIMEOUT_S = 3

/** Connection to PostgreSQL. Messages that do not wait for results travel together and run in order. */
export class Connection extends pg.Client {
  /** Reason why it can no longer be used; undefined while it can. */
  lost: Error | undefined
  readonly #named: boolean
  #holding = false

  constructor(options: ConnectionOptions) {
    super(toClientConfig(options))
    this.#named = options.named
    // Without a listener the loss of a connection that nothing uses would end the process.
    this.on('error', (error) => {
      this.lost ??= error
    })
    this.on('end', () => this.abandon())
  }

  /** Sends one statement. @throws ConnectionLost, pg.DatabaseError */
  async run<Rows>(fragment: Fragment): Promise<Counted<Rows>> {
    const { text, values } = toStatement(fragment)
    const name = this.#named ? nameOf(text) : undefined
    return this.#send({ text, values, ...(name !== undefined && { name }) })
  }

  /** Sends SQL text without parameters, with one statement or several. Resolves with the rows of the last one. */
  async runText<Rows>(text: string): Promise<Counted<Rows>> {
    return this.#send({ text })
  }

  /**
   * The name of the command that a statement without rows ended as, such as COMMIT or ROLLBACK, and the notices that
   * PostgreSQL sent with it.
   */
  async command(text: string): Promise<{ name: string; notices: Notice[] }> {
    const notices: Notice[] = []
    const keep = (notice: Notice) => void notices.push(notice)
    this.on('notice', keep)
    try {
      return { name: (await this.#query({ text })).command, notices }
    } finally {
      this.off('notice', keep)
    }
  }

  /** Closes the connection at once. Statements under way fail. */
  abandon(): void {
    this.lost ??= new ConnectionLost('The connection to the database was closed.')
    this.connection.stream.destroy()
  }

  async #send<Rows>(config: pg.QueryConfig): Promise<Counted<Rows>> {
    const { rows, rowCount } = await this.#query(config)
    return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as unknown as Counted<Rows>
  }

  async #query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#holdWrites()
    try {
      const result = await new Promise<pg.QueryResult | pg.QueryResult[]>((resolve, reject) => {
        this.query(config, (error, found) => (error ? reject(error) : resolve(found)))
      })
      // Several statements in one text give several results.
      return Array.isArray(result) ? result.at(-1)! : result
    } catch (error) {
      if (error instanceof pg.DatabaseError || this.lost === undefined) throw withStatement(error, config.text)
      throw new ConnectionLost('The connection to the database is lost.', { cause: this.lost })
    }
  }

  /** Holds writes of one turn of the event loop, so that they go to the socket in one piece. */
  #holdWrites(): void {
    if (this.#holding) return
    this.#holding = true
    const { stream } = this.connection
    stream.cork()
    const write = () => {
      this.#holding = false
      stream.uncork()
    }
    // After all promises that are settled now have been followed.
    queueMicrotask(() => process.nextTick(write))
  }
}

/**
 * Adds the text of its statement to an error, for the log: its stack leads only to the place where the response was
 * read.
 */
function withStatement(error: unknown, text: string): unknown {
  return error instanceof Error ? Object.assign(error, { statement: text.trim().replace(/\s+/g, ' ') }) : error
}

/** True if the connection cannot go on to be used after this error, although it is not lost. */
export function makesUnusable(error: unknown): boolean {
  // A prepared statement whose table has changed (0A000), or that a pooler does not know (26000, 42P05); a server that
  // only reads (25006): the same address may lead to the primary now.
  return error instanceof pg.DatabaseError && /^(0A000|26000|42P05|25006)$/.test(error.code ?? '')
}

function toClientConfig({ url, application, session, connect_timeout_s }: ConnectionOptions): pg.ClientConfig {
  const address = new URL(url)
  const own = address.searchParams.get('options')
  const limit_s = connect_timeout_s ?? (Number(address.searchParams.get('connect_timeout')) || CONNECT_TIMEOUT_S)
  for (const name of ['options', 'connect_timeout']) address.searchParams.delete(name)
  // The meaning of `sslmode` that PostgreSQL's own programs give it.
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true')
  // A blank divides the options, unless a backslash stands before it.
  const settings = Object.entries(session).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  return {
    connectionString: address.href,
    application_name: application,
    options: [...settings, ...(own === null ? [] : [own])].join(' '),
    ssl: false,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: limit_s * 1_000,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  }
}
