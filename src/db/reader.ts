import { Sql } from 'sql-template-tag'
import type { Connection, Counted } from './connection.ts'
import type { Value } from './sql.ts'

/** A row whose columns are not described. */
export interface Row {
  [column: string]: unknown
}

/**
 * Runs reads, on the primary or on a replica. Only functions that show stored data take it. A function that decides
 * about money, access or work takes a `Reader` or a `Tx`, so that it cannot be given a replica.
 */
export type AnyReader = <Rows extends readonly object[] = Row[]>(
  texts: TemplateStringsArray,
  ...values: Value[]
) => Promise<Counted<Rows>>

/** Anything that can run a read on the primary: the pool or a transaction. The statement is sent at once. */
export interface Reader extends AnyReader {
  readonly on_primary: true
  /** Runs SQL text as it is, with one statement or several, and resolves with the rows of the last one. */
  unsafe<Rows extends readonly object[] = Row[]>(text: string): Promise<Counted<Rows>>
}

type Use = <T>(send: (connection: Connection) => Promise<T>) => Promise<T>

/** Creates a reader from a function that uses a connection to the primary. */
export function createReader(use: Use): Reader {
  return Object.assign(createAnyReader(use), {
    on_primary: true as const,
    unsafe: <Rows>(text: string) => start(use, (connection) => connection.runText<Rows>(text)),
  })
}

/** Creates a reader from a function that uses a connection to the primary or to a replica. */
function createAnyReader(use: Use): AnyReader {
  return <Rows>(texts: TemplateStringsArray, ...values: Value[]) =>
    start(use, (connection) => connection.run<Rows>(new Sql(texts, values)))
}

function start<T>(use: Use, send: (connection: Connection) => Promise<T>): Promise<T> {
  const result = use(send)
  // A statement may fail while its caller still waits for another one. That must not end the process.
  result.catch(() => {})
  return result
}
