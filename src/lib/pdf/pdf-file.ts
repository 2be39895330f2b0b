import { openWorkerQueue } from '../workers/worker-queue.ts'
import type { DocumentPdf } from './document-pdf.ts'

/** A document of one page takes a tenth of a second, and most of it is the font. */
const LIMITS = { time_ms: 10_000, memory_mb: 128, waiting: 100 }

const queue = openWorkerQueue<DocumentPdf, Uint8Array>(new URL('pdf-worker', import.meta.url), LIMITS)

/** Writes a document as PDF in a process of its own (`writeDocumentPdf`). @throws WorkRefused */
export async function documentPdf(document: DocumentPdf): Promise<Buffer> {
  const bytes = await queue.ask(document)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
