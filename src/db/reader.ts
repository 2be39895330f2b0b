import { Sql } from 'sql-template-tag'
import type { Connection, Counted } from './connection.ts'
import type { Value } from './sql.ts'

/** A row whose columns are not described. */
export interface Row {
  [column: string]: unknown
}

/** Anything that can run a read: the pool or a transaction. The statement is sent at once. */
export interface Reader {
  <Rows extends readonly object[] = Row[]>(texts: TemplateStringsArray, ...values: Value[]): Promise<Counted<Rows>>
  /** Runs SQL text as it is, with one statement or several, and resolves with the rows of the last one. */
  unsafe<Rows extends readonly object[] = Row[]>(text: string): Promise<Counted<Rows>>
}

/** Creates a reader from a function that uses a connection. */
export function createReader(use: <T>(send: (connection: Connection) => Promise<T>) => Promise<T>): Reader {
  const start = <T>(send: (connection: Connection) => Promise<T>): Promise<T> => {
    const result = use(send)
    // A statement may fail while its caller still waits for another one. That must not end the process.
    result.catch(() => {})
    return result
  }
  return Object.assign(
    <Rows>(texts: TemplateStringsArray, ...values: Value[]) =>
      start((connection) => connection.run<Rows>(new Sql(texts, values))),
    { unsafe: <Rows>(text: string) => start((connection) => connection.runText<Rows>(text)) },
  )
}
