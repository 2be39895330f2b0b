import { answerQuestions } from '../workers/answer-questions.ts'
import { writeDocumentPdf } from './document-pdf.ts'

/** The process that writes documents (pdf-file.ts). */
answerQuestions(writeDocumentPdf)
