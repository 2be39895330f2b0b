import { answerQuestions } from '../threads/answer-questions.ts'
import { writeTablePdf } from './pdf-pages.ts'

/** The thread that writes tables as PDF (pdf-file.ts). */
answerQuestions(writeTablePdf)
