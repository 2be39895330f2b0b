import { answerQuestions } from '../threads/answer-questions.ts'
import { type DocumentPdf, writeDocumentPdf } from './document-pdf.ts'

/** The thread that writes documents (pdf-thread.ts). Between threads a Buffer becomes a list of bytes. */
answerQuestions((document: DocumentPdf) => {
  const { logo } = document.issuer
  return writeDocumentPdf({
    ...document,
    issuer: { ...document.issuer, logo: logo && { ...logo, bytes: Buffer.from(logo.bytes) } },
  })
})
