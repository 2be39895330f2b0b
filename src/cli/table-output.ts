import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { InvalidArgumentError } from 'commander'
import { csvFile } from '../lib/table-files/csv-file.ts'
import { type Table, type TableFormat, TooManyRows, tableFormats } from '../lib/table-files/table.ts'
import { tableFile } from '../lib/table-files/table-file.ts'
import { languages } from '../lib/text/languages.ts'
import { typedDay } from '../lib/text/time-zones.ts'
import { WorkRefused } from '../lib/workers/worker.ts'
import { CommandError } from './errors.ts'
import type { Terminal } from './terminal.ts'
import { chosen, typed } from './typed.ts'

/** The option that chooses the language of a file. */
export function languageOption(text = 'the language of the file; English unless given') {
  return chosen('--language <code>', text, languages)
}

/** A file for a table, with the format that its ending names. */
export interface TableTarget {
  path: string
  format: TableFormat
}

/** Parse the name of a file for a table. */
function toTableTarget(path: string): TableTarget {
  const format = tableFormats.find((one) => path.toLowerCase().endsWith(`.${one}`))
  if (!format) throw new InvalidArgumentError(`It must end in ${tableFormats.map((one) => `.${one}`).join(', ')}.`)
  return { path, format }
}

/** Parse a day. */
function toDay(text: string): string {
  const day = typedDay(text)
  if (day === undefined) throw new InvalidArgumentError('It must be a day such as 2030-01-31 or 31/01/2030.')
  return day
}

/** The file of a table. */
export const TABLE_FILE = typed(
  '[file]',
  'the file to write: .csv, .xlsx or .pdf; without it CSV goes to the standard output',
  toTableTarget,
)

/** The days of a report. */
export const PERIOD = {
  from: typed(
    '--from <day>',
    'the first day, in the time zone of the organization; the first of the month unless given',
    toDay,
  ),
  to: typed('--to <day>', 'the last day; today unless given', toDay),
}

/**
 * Write a table to a file, or without one as CSV to the standard output. CSV in a file begins with the mark that Excel
 * needs, CSV in a pipe does not, because programs read it.
 * @throws CommandError when the table is too long for the format, or the file cannot be written
 */
export async function writeTable(terminal: Terminal, table: Table, target: TableTarget | undefined): Promise<void> {
  if (!target) {
    // Each chunk ends with a line end, of which the terminal writes the second character.
    for await (const chunk of csvFile(table)) terminal.print(chunk.slice(0, -1))
    return
  }
  await writeTarget(target, tableFile(table, target.format))
}

/** Write generated content to a file. @throws CommandError as `writeTable` */
export async function writeTarget({ path }: TableTarget, made: ReturnType<typeof tableFile>): Promise<void> {
  const content = await made.catch((error: unknown) => {
    throw error instanceof TooManyRows || error instanceof WorkRefused ? new CommandError(error.message) : error
  })
  await writeWhole(path, Buffer.isBuffer(content) ? [content] : content)
}

/**
 * Write a file, or leave none: a part of it would look whole.
 * @throws CommandError when it cannot be written, such as on a full disk
 */
export async function writeWhole(
  path: string,
  content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const file = createWriteStream(path)
  let is_begun = false
  let fault_of_content: unknown
  async function* watched() {
    try {
      yield* content
    } catch (error) {
      fault_of_content = error
      throw error
    }
  }
  try {
    await once(file, 'open')
    is_begun = true
    await pipeline(watched, file)
  } catch (error) {
    // A pipe or a device stays.
    if (is_begun && (await stat(path).catch(() => undefined))?.isFile()) await rm(path, { force: true })
    if (error === fault_of_content) throw error
    throw new CommandError(`The file ${path} cannot be written: ${(error as Error).message}`)
  }
}
