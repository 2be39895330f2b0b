import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Statement } from '../core/collections/statements.ts'
import { fieldMessages } from '../core/fields.ts'
import { csvLines } from '../lib/csv.ts'

/** The media type of statements (RFC 7111, RFC 4180). */
export const CSV_MEDIA_TYPE = 'text/csv'

/** The parameter of lists that can also be had as CSV. */
export const csvQuery = {
  format: z
    .enum(['json', 'csv'], { error: (issue) => fieldMessages.choice(issue.input) })
    .optional()
    .meta({
      description:
        '`csv` gives everything that matches, oldest first, in one answer, as `Accept: text/csv` does; `limit`, `offset` and `ordering` then mean nothing.',
      examples: ['json'],
    }),
}

/** Whether a list is wanted as CSV: by its `format` or, where that is not given, because Accept likes CSV better. */
export function wantsCsv(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: string }
  if (format !== undefined) return format === 'csv'
  const accept = request.headers.accept ?? ''
  return (
    acceptWeight(accept, CSV_MEDIA_TYPE) >
    Math.max(acceptWeight(accept, 'application/json'), acceptWeight(accept, '*/*'))
  )
}

/**
 * Answers with a statement. It is read as fast as the caller takes it, and no further once the caller has gone. An error
 * on the way breaks the connection off, so that nobody takes a part for the whole.
 */
export function sendCsv(request: FastifyRequest, reply: FastifyReply, statement: Statement): FastifyReply {
  reply
    .type(`${CSV_MEDIA_TYPE}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${statement.name}.csv"`)
  const body =
    request.method === 'HEAD' ? Readable.from([]) : Readable.from(csvChunks(statement), { objectMode: false })
  return reply.send(body)
}

/** The text of a statement, a piece at a time. */
export async function* csvChunks({ columns, chunks: pieces }: Statement): AsyncGenerator<string> {
  yield csvLines([columns])
  for await (const piece of pieces) yield csvLines(piece)
}

/** How much an Accept header likes a media type: 0 to 1, and 0 for what it does not name. */
function acceptWeight(accept: string, media_type: string): number {
  for (const range of accept.split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (type !== media_type) continue
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
    return weight === undefined ? 1 : Number(weight) || 0
  }
  return 0
}
