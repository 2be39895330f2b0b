import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { optional, requiredText } from '../core/fields.ts'
import type { ChosenFile } from '../core/files/row-file.ts'
import { csvTemplate, type Workbook, xlsxTemplate } from '../core/files/template.ts'
import type { FileColumns } from '../core/files/titles.ts'
import { fileHeader } from '../http/files/file-name.ts'
import type { Server } from '../http/server.ts'
import { decodeBase64 } from '../lib/base64.ts'
import { getMessage } from '../lib/messages/message.ts'

/** The bytes of a file, sent in base64. A long one is decoded where the body is read. */
export const fileContent = z.unknown().transform((sent, context): Uint8Array => {
  if (sent instanceof Uint8Array) return sent
  const bytes = typeof sent === 'string' ? decodeBase64(sent) : undefined
  if (!bytes) context.addIssue(getMessage('files.base64'))
  return bytes ?? z.NEVER
})

/** The fields of a body with a file that a person has chosen. */
export const uploadFields = {
  file_name: requiredText(200),
  content: fileContent,
  /** The sheet to read, of a workbook with several. */
  sheet: optional(requiredText(100)),
}

/** The file of a body with `uploadFields`. */
export function uploadedFile({ file_name, content, sheet }: z.output<typeof Upload>): ChosenFile {
  return { name: file_name, bytes: content, sheet }
}

const Upload = z.object(uploadFields)
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Add the downloads of an empty file below a path, as CSV and as .xlsx. @param name the name of the file, without its
 * ending
 */
export function addTemplates<Column extends string>(
  server: Server,
  path: string,
  name: string,
  columns: FileColumns<Column>,
  workbook: Workbook<Column>,
): void {
  const config = { permission: 'view' } as const
  const attach = (reply: FastifyReply, file: string) =>
    reply.header('content-disposition', fileHeader(file)).header('x-content-type-options', 'nosniff')
  server.get(`${path}/template.csv`, { config }, async (_request, reply) =>
    attach(reply, `${name}.csv`).type('text/csv; charset=utf-8').send(csvTemplate(columns)),
  )
  server.get(`${path}/template.xlsx`, { config }, async (_request, reply) =>
    attach(reply, `${name}.xlsx`)
      .type(XLSX_TYPE)
      .send(await xlsxTemplate(columns, workbook)),
  )
}
