import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { readLetterhead } from '../../core/checkout/letterhead.ts'
import type { Seller } from '../../core/documents/seller.ts'
import { Unavailable } from '../../core/refusals.ts'
import { fileHeader } from '../../http/files/file-name.ts'
import { requireAllowed } from '../../http/throttle.ts'
import { addressGroup } from '../../lib/http/address-groups.ts'
import type { DocumentPdf } from '../../lib/pdf/document-pdf.ts'
import { documentPdf } from '../../lib/pdf/pdf-file.ts'
import { WorkRefused } from '../../lib/workers/worker.ts'
import type { Language } from '../texts/texts.ts'
import type { DocumentContent } from './document-page.ts'

/** Limit per minute. A PDF takes about a tenth of a second of a processor, in a separate process. */
const PDFS_PER_MINUTE = 60

/** Count a PDF of an address of the internet. @throws Throttled */
export async function countPdf({ throttle }: App, request: FastifyRequest): Promise<void> {
  await requireAllowed(throttle, `pay pdf ${addressGroup(request.ip ?? '')}`, PDFS_PER_MINUTE)
}

/** A document to send as PDF, with the look of its organization. */
interface SentDocument {
  organization: number
  issuer: string
  created: Date
  /** The seller when it was made. */
  seller: Seller
  language: Language
  content: DocumentContent
  /** The name of the file. */
  number: string
  check: DocumentPdf['check']
}

/** Answer with the PDF of a document. */
export async function sendDocumentPdf(app: App, reply: FastifyReply, document: SentDocument) {
  const { organization, issuer, created, seller, language, content, number, check } = document
  const letterhead = await readLetterhead(app.db, { organization, name: issuer, language }, seller)
  const pdf = await documentPdf({
    ...content,
    language,
    created,
    check,
    issuer: letterhead,
  }).catch((error: unknown) => {
    throw error instanceof WorkRefused ? new Unavailable(`The PDF cannot be written. ${error.message}`) : error
  })
  reply.headers({
    'content-disposition': fileHeader(`${number}.pdf`, 'inline'),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    vary: 'accept-language',
  })
  return reply
    .type('application/pdf')
    .serializer((bytes: Buffer) => bytes as unknown as string)
    .send(pdf)
}
