import { answerQuestions } from '../workers/answer-questions.ts'
import { writeTablePdf } from './pdf-pages.ts'

/** The process that writes tables as PDF (pdf-file.ts). */
answerQuestions(writeTablePdf)
