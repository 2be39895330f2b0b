import { openWorkerQueue } from '../workers/worker-queue.ts'
import type { DocumentPdf } from './document-pdf.ts'

/** A document of one page takes a tenth of a second, and most of it is the font. */
const LIMITS = { time_ms: 30_000, memory_mb: 128, waiting: 100 }

const queue = openWorkerQueue<DocumentPdf, Buffer>(new URL('pdf-worker', import.meta.url), LIMITS)

/** Writes a document as PDF in a process of its own (`writeDocumentPdf`). @throws WorkRefused */
export function documentPdf(document: DocumentPdf): Promise<Buffer> {
  return queue.ask(document)
}
