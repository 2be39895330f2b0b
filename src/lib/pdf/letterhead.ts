import type { PdfLogo } from './logo.ts'

/** Head of a document: the issuer, with the look of its pages. */
export interface Letterhead {
  name: string
  color: string
  logo: PdfLogo | null
  /** Legal name, address, tax number, phone and e-mail: one a line, in the language of the document. */
  details: readonly string[]
}
