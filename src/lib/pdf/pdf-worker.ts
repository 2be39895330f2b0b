import { answerQuestions } from '../threads/answer-questions.ts'
import { type DocumentPdf, writeDocumentPdf } from './document-pdf.ts'
import { receivedLetterhead } from './letterhead.ts'

/** The thread that writes documents (pdf-thread.ts). */
answerQuestions((document: DocumentPdf) =>
  writeDocumentPdf({ ...document, issuer: receivedLetterhead(document.issuer) }),
)
