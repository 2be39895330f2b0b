import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { choiceError, fieldMessages } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { type Table, type TableFormat, TooManyRows, tableFormats } from '../../lib/table-files/table.ts'
import { tableFile, tableMediaTypes } from '../../lib/table-files/table-file.ts'
import { isoDay } from '../../lib/text/time-zones.ts'
import { ThreadRefused } from '../../lib/threads/work-thread.ts'

/** The query parameter that chooses the kind of a file. */
export const tableFormat = z.enum(tableFormats, { error: choiceError(tableFormats) })

/** The first and the last day of a period, both included: `2030-01-31`. */
export const dayRange = { from: day().optional(), to: day().optional() }

function day() {
  return z.string().refine((text) => isoDay(text) !== undefined, fieldMessages.timestamp)
}

/**
 * Sends a table as a file. CSV is read only as fast as the caller receives it, and an error in the middle breaks the connection, so
 * that the caller sees that the file is incomplete. @throws Invalid when the format cannot hold so many rows
 */
export async function sendTable(reply: FastifyReply, table: Table, format: TableFormat): Promise<FastifyReply> {
  const body = await tableFile(table, format).catch((error: unknown) => {
    if (error instanceof ThreadRefused)
      throw new Invalid({ format: [`${error.message} Choose a shorter period, or CSV.`] })
    throw error instanceof TooManyRows ? new Invalid({ format: [error.message] }) : error
  })
  return reply
    .type(tableMediaTypes[format])
    .header('content-disposition', `attachment; filename="${table.name}.${format}"`)
    .send(Buffer.isBuffer(body) ? body : Readable.from(body, { objectMode: false }))
}
