import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { choiceError, fieldMessages } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Table, type TableFormat, TooManyRows, tableFormats } from '../../lib/table-files/table.ts'
import { tableFile, tableMediaTypes } from '../../lib/table-files/table-file.ts'
import { isoDay } from '../../lib/text/time-zones.ts'
import { WorkRefused } from '../../lib/workers/worker.ts'
import { prefersToJson } from '../accept.ts'
import { fileHeader } from './file-name.ts'

/** The query parameter that chooses the kind of a file. */
export const tableFormat = z.enum(tableFormats, { error: choiceError(tableFormats) })

const bareTypes = tableFormats.map((format) => tableMediaTypes[format].split(';')[0]!)

/** The media types of an address of the API that answers with a table as JSON, CSV, workbook or PDF. */
export const tableTypes = ['application/json', ...bareTypes] as const

/** The extra query parameter of such an address. */
export const fileQuery = {
  format: z
    .enum(['json', ...tableFormats], { error: choiceError(['json', ...tableFormats]) })
    .optional()
    .meta({
      description:
        '`csv`, `xlsx` or `pdf` returns a file with all rows. An `Accept` header with its media type does the same.',
      examples: ['json'],
    }),
}

/** The file that the caller wants: `format` decides, and without it the Accept header. Undefined for JSON. */
export function wantedFile(request: FastifyRequest): TableFormat | undefined {
  const { format } = request.query as { format?: 'json' | TableFormat }
  if (format !== undefined) return format === 'json' ? undefined : format
  return tableFormats.find((_, index) => prefersToJson(request.headers.accept, bareTypes[index]!))
}

/** The first and the last day of a period, both included: `2030-01-31`. */
export const dayRange = { from: day().optional(), to: day().optional() }

function day() {
  return z.string().refine((text) => isoDay(text) !== undefined, fieldMessages.timestamp)
}

/**
 * Send a table as a file. CSV is read only as fast as the caller receives it. An error in the middle breaks the
 * connection, so that the caller sees an incomplete file. @throws Invalid when the format cannot hold so many rows
 */
export async function sendTable(reply: FastifyReply, table: Table, format: TableFormat): Promise<FastifyReply> {
  return sendFile(reply, { name: table.name, format }, tableFile(table, format))
}

/** Send a file that is being written, as `sendTable` does. @throws Invalid when it is too long */
export async function sendFile(
  reply: FastifyReply,
  { name, format }: { name: string; format: TableFormat },
  written: Promise<AsyncIterable<string> | Buffer>,
): Promise<FastifyReply> {
  const body = await written.catch((error: unknown) => {
    if (error instanceof WorkRefused)
      throw new Invalid({ format: [getMessage('files.shorter_period', { reason_text: error.message })] })
    throw error instanceof TooManyRows ? new Invalid({ format: [error.message] }) : error
  })
  return reply
    .type(tableMediaTypes[format])
    .header('content-disposition', fileHeader(`${name}.${format}`))
    .send(Buffer.isBuffer(body) ? body : Readable.from(body, { objectMode: false }))
}
