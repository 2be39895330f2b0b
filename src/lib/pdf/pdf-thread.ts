import { openWorkThread } from '../threads/work-thread.ts'
import type { DocumentPdf } from './document-pdf.ts'

/** A document of one page takes a tenth of a second, and most of it is the font. */
const LIMITS = { time_ms: 10_000, memory_mb: 128, waiting: 100 }

const thread = openWorkThread<DocumentPdf, Uint8Array>(new URL('pdf-worker', import.meta.url), LIMITS)

/** Writes a document as PDF in a thread of its own (`writeDocumentPdf`). @throws ThreadRefused */
export async function documentPdf(document: DocumentPdf): Promise<Buffer> {
  const bytes = await thread.ask(document)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
