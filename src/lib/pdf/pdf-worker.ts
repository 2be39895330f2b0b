import { answerQuestions } from '../workers/answer-questions.ts'
import { type DocumentPdf, writeDocumentPdf } from './document-pdf.ts'
import { receivedLetterhead } from './letterhead.ts'

/** The process that writes documents (pdf-file.ts). */
answerQuestions((document: DocumentPdf) =>
  writeDocumentPdf({ ...document, issuer: receivedLetterhead(document.issuer) }),
)
