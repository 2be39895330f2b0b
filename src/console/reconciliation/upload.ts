import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { keepRunAction } from '../../core/books/actions.ts'
import { type ComparedPart, type Comparison, compareStatement, newComparison } from '../../core/books/compare.ts'
import { MAX_KEPT_FINDINGS, ReconciliationRun } from '../../core/books/runs.ts'
import { currencyOf, openStatementFile, uploadedStatement, zoneOf } from '../../core/books/statement-file.ts'
import { booleanField, optional, requiredText } from '../../core/fields.ts'
import { describeFacts } from '../../core/files/row-file.ts'
import type { Finding } from '../../core/ledger/reconciliation.ts'
import { Invalid } from '../../core/refusals.ts'
import { dayRange } from '../../http/files/send-table.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { OpenedStatement } from '../../lib/statements/read-statement.ts'
import { dateOrders } from '../../lib/statements/stated-dates.ts'
import { StatementQuestion, statementColumns, WrongStatement } from '../../lib/statements/statement-line.ts'
import { readTimeZone } from '../../lib/text/time-zones.ts'
import { periodOf } from '../../lib/text/zoned-times.ts'
import { addAction } from '../actor.ts'
import { fileContent } from '../file-uploads.ts'
import { reconcilable } from './connections.ts'

/** A file in base64, and the other fields. */
const MAX_BODY_BYTES = Math.ceil(uploadedStatement.bytes / 3) * 4 + 32_768

const NewRun = z.object({
  connection: requiredText(100),
  ...dayRange,
  sent: booleanField.optional(),
  columns: z.partialRecord(z.enum(statementColumns), optional(requiredText(200))).optional(),
  /** Zone of a file that differs from its network's, and the order of day and month in its dates. */
  time_zone: optional(
    requiredText(64).transform((text, context) => {
      const zone = readTimeZone(text)
      if (zone === undefined) context.addIssue(getMessage('fields.time_zone'))
      return zone ?? z.NEVER
    }),
  ),
  dates: z.enum(dateOrders).nullish(),
  sheet: optional(requiredText(200)),
  file: z.object({ name: requiredText(500), content: fileContent }),
})

/** The route that compares an uploaded statement with the ledger, and keeps the result. It changes no money. */
export function addUpload(server: Server, app: App, url: string): void {
  addAction(server, app, keepRunAction, {
    method: 'POST',
    url,
    bodyLimit: MAX_BODY_BYTES,
    body: NewRun,
    answer: ReconciliationRun,
    status: 201,
    async input({ caller: { organization }, body }) {
      const { connection: slug, file, columns, sent, dates, sheet, time_zone } = body
      const connection = (await reconcilable(app, organization)).find((one) => one.slug === slug)
      if (!connection) throw new Invalid({ connection: [getMessage('reconciliation.no_connection')] })
      const bytes = file.content
      if (bytes.length > uploadedStatement.bytes) throw new Invalid({ file: [getMessage('files.large_statement')] })
      const home = await readPlaceOf(app.db, organization)
      const zone = time_zone ?? zoneOf(connection, home)
      const part = partOf(body, zone)
      const source = { slug, code: connection.code, zone, currency: currencyOf(connection) }
      const comparison = newComparison(source, part, sent ?? false)
      const names = Object.fromEntries(Object.entries(columns ?? {}).filter(([, name]) => name))
      const choices = { names, dates: dates ?? undefined, sheet: sheet ?? undefined, time_zone: zone }
      const open = () => openStatementFile(bytes, connection, { home, limits: uploadedStatement, ...choices })
      const { notes, findings } = await inTurn(() => compare(app, { open, part, comparison }))
      const file_sha256 = createHash('sha256').update(bytes).digest('hex')
      return { run: { file_name: file.name, comparison, notes, findings, file_sha256 } }
    },
  })
}

/** The days that were chosen, in the zone of the statement. */
function partOf({ from, to }: { from?: string | undefined; to?: string | undefined }, zone: string): ComparedPart {
  if (from !== undefined && to !== undefined && to < from) throw new Invalid({ to: [getMessage('fields.period')] })
  return {
    ...(from !== undefined && { from: periodOf(from, from, zone).from }),
    // The ledger has whole seconds.
    ...(to !== undefined && { to: new Date(periodOf(to, to, zone).until.getTime() - 1_000) }),
  }
}

interface Upload {
  open: () => Promise<OpenedStatement>
  part: ComparedPart
  comparison: Comparison
}

/** @returns the differences, as many as are kept, and how the file was read. @throws Invalid when the statement cannot be read */
async function compare(
  app: App,
  { open, part, comparison }: Upload,
): Promise<{ findings: Finding[]; notes: string[] }> {
  const connection = await app.db.reserve('reconciliation')
  const kept: Finding[] = []
  try {
    const statement = await open()
    for await (const findings of compareStatement(connection, statement.chunks(), part, comparison))
      kept.push(...findings.slice(0, MAX_KEPT_FINDINGS - kept.length))
    return { findings: kept, notes: describeFacts(statement.facts) }
  } catch (error) {
    if (error instanceof StatementQuestion && error.about === 'sheet')
      throw new Invalid({ sheet: [error.problem], sheets: [...error.choices] })
    if (error instanceof StatementQuestion) throw new Invalid({ dates: [error.problem] })
    throw error instanceof WrongStatement ? new Invalid({ file: [error.problem] }) : error
  } finally {
    connection.release()
  }
}

let _last: Promise<unknown> = Promise.resolve()

/** Run one statement at a time: each holds a database connection outside the pool. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = _last.then(work, work)
  _last = mine.catch(() => {})
  return mine
}
