import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Statement } from '../../core/collections/statements.ts'
import { choiceError } from '../../core/fields.ts'
import { csvLines } from '../../lib/csv.ts'
import { prefersToJson } from '../accept.ts'
import { fileHeader } from './file-name.ts'

/** The media type of statements (RFC 7111, RFC 4180). */
export const CSV_MEDIA_TYPE = 'text/csv'

/** The extra query parameter of lists that are also available as CSV. */
export const csvQuery = {
  format: z
    .enum(['json', 'csv'], { error: choiceError(['json', 'csv']) })
    .optional()
    .meta({
      description:
        '`csv`, like `Accept: text/csv`, returns all matching items, oldest first, and ignores `limit`, `offset` and `ordering`.',
      examples: ['json'],
    }),
}

/** Return true if the caller wants CSV. `format` decides; without it, an Accept header that prefers CSV to JSON. */
export function wantsCsv(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: string }
  if (format !== undefined) return format === 'csv'
  return prefersToJson(request.headers.accept, CSV_MEDIA_TYPE)
}

/**
 * Send a statement as CSV. It reads rows only as fast as the caller receives them and stops when the caller
 * disconnects. An error in the middle breaks the connection, so that the caller sees that the file is incomplete.
 */
export function sendCsv(request: FastifyRequest, reply: FastifyReply, statement: Statement): FastifyReply {
  reply.type(`${CSV_MEDIA_TYPE}; charset=utf-8`).header('content-disposition', fileHeader(`${statement.name}.csv`))
  const body =
    request.method === 'HEAD' ? Readable.from([]) : Readable.from(csvChunks(statement), { objectMode: false })
  return reply.send(body)
}

/** The text of a statement in chunks. */
export async function* csvChunks({ columns, chunks }: Statement): AsyncGenerator<string> {
  yield csvLines([columns])
  for await (const chunk of chunks) yield csvLines(chunk)
}
