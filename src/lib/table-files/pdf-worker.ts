import { receivedLetterhead } from '../pdf/letterhead.ts'
import { answerQuestions } from '../workers/answer-questions.ts'
import { type PdfTable, writeTablePdf } from './pdf-pages.ts'

/** The process that writes tables as PDF (pdf-file.ts). */
answerQuestions((table: PdfTable) =>
  writeTablePdf({ ...table, letterhead: table.letterhead && receivedLetterhead(table.letterhead) }),
)
