import { receivedLetterhead } from '../pdf/letterhead.ts'
import { answerQuestions } from '../threads/answer-questions.ts'
import { type PdfTable, writeTablePdf } from './pdf-pages.ts'

/** The thread that writes tables as PDF (pdf-file.ts). */
answerQuestions((table: PdfTable) =>
  writeTablePdf({ ...table, letterhead: table.letterhead && receivedLetterhead(table.letterhead) }),
)
