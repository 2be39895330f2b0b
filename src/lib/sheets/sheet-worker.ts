import { getMessage } from '../messages/message.ts'
import { answerQuestions } from '../workers/answer-questions.ts'
import { readCsv } from './csv.ts'
import type { SheetAnswer, SheetInput, SheetQuestion, TakenRows } from './read-sheet.ts'
import { FileRefused, type SheetCell, SheetNotChosen, type SheetRow } from './sheet.ts'
import { emptyFacts, readXlsx } from './xlsx.ts'

/*
 * The process that reads one file after the other (read-sheet.ts). It hands rows over when it is asked, so that the service never gets
 * more at once than it can take in a moment.
 */

/** Maximum number of cells that go to the service at once. */
const MAX_CELLS = 4_000
const MAX_CHARACTERS = 200_000
/** A text of a cell that is longer is cut: it is wrong anyway, and is shown. */
const MAX_SHOWN = 600

const OLD_EXCEL = getMessage('files.old_excel')

/** Opens a file. @returns the function that takes its next rows, with their common facts */
function openFile({ bytes, options }: SheetInput): () => TakenRows {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const { limits } = options
  const begins = (...signature: number[]) => signature.every((byte, index) => file[index] === byte)
  const facts = emptyFacts(begins(0x50, 0x4b, 0x03, 0x04) ? 'xlsx' : 'csv')

  function* openRows(): Generator<SheetRow> {
    if (begins(0xd0, 0xcf, 0x11, 0xe0)) throw new FileRefused(OLD_EXCEL)
    yield* facts.format === 'xlsx' ? readXlsx(file, facts, options) : readCsv(file, facts, limits)
  }

  const rows = openRows()
  let count = 0
  let characters = 0
  return () => {
    const taken: SheetRow[] = []
    let [cells, length] = [0, 0]
    while (cells < MAX_CELLS && length < MAX_CHARACTERS) {
      const { value: row, done } = rows.next()
      if (done || row === undefined) return { rows: taken, facts, done: true }
      count += 1
      if (count > limits.rows) throw new FileRefused(getMessage('files.many_rows', { max: limits.rows }))
      taken.push({ ...row, cells: row.cells.map(cut) })
      cells += row.cells.length + 1
      length += row.cells.reduce((sum, { text }) => sum + Math.min(text.length, MAX_SHOWN), 0)
    }
    characters += length
    if (characters > limits.characters) throw new FileRefused(getMessage('files.much_text'))
    return { rows: taken, facts, done: false }
  }
}

/**
 * All empty cells of an answer are one object, also where the service receives it: otherwise a small file with a cell far to the right
 * in each row keeps the service busy for more than a second, and takes 150 MB of its memory.
 */
const EMPTY: SheetCell = { text: '' }

/** The database stores no null characters. */
function cut({ text, kind }: SheetCell): SheetCell {
  if (text === '' && kind === undefined) return EMPTY
  const short = text.slice(0, MAX_SHOWN).replaceAll('\0', '')
  return kind === undefined ? { text: short } : { text: short, kind }
}

let takeRows: (() => TakenRows) | undefined

answerQuestions(async (question: SheetQuestion): Promise<SheetAnswer> => {
  try {
    if (question !== 'next') takeRows = openFile(question)
    const answer = takeRows!()
    // The memory of a file is free once it has been read.
    if (answer.done) takeRows = undefined
    return answer
  } catch (error) {
    takeRows = undefined
    if (!(error instanceof FileRefused)) throw error
    return error instanceof SheetNotChosen
      ? { refused: error.message, sheets: error.sheets }
      : { refused: error.message }
  }
})
