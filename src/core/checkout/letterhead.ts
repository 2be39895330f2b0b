import type { AnyReader, Reader } from '../../db/client.ts'
import type { Letterhead } from '../../lib/pdf/letterhead.ts'
import type { TableHeading } from '../../lib/table-files/table.ts'
import type { Language } from '../../lib/text/languages.ts'
import { readPlaceOf } from '../access/places.ts'
import { readSeller, type Seller } from '../documents/seller.ts'
import { readLogo, readPageDesign } from './payment-pages.ts'

interface Words {
  tax_number: string
  phone: string
  email: string
}

const WORDS: Record<Language, Words> = {
  en: { tax_number: 'Tax number: {}', phone: 'Phone: {}', email: 'E-mail: {}' },
  sw: { tax_number: 'Namba ya mlipakodi: {}', phone: 'Simu: {}', email: 'Barua pepe: {}' },
  fr: { tax_number: 'N° fiscal\u00a0: {}', phone: 'Tél.\u00a0: {}', email: 'E-mail\u00a0: {}' },
}

/** The lines about the seller below its name. A legal name that is the name itself is not repeated. */
export function sellerLines(seller: Seller, name: string, language: Language): string[] {
  const words = WORDS[language]
  const { legal_name, address, tax_number, phone, email } = seller
  const line = (words_around: string, value: string) => (value === '' ? '' : words_around.replace('{}', () => value))
  return [
    legal_name === name ? '' : legal_name,
    ...address.split('\n'),
    line(words.tax_number, tax_number),
    line(words.phone, phone),
    line(words.email, email),
  ].filter((one) => one !== '')
}

/** Issuer of a document. */
interface Issuer {
  organization: number
  /** The name when the document was made. */
  name: string
  language: Language
}

/** Reads the letterhead of a document. @param seller the details of its time */
export async function readLetterhead(db: Reader, issuer: Issuer, seller: Seller): Promise<Letterhead> {
  const { organization, name, language } = issuer
  const [{ color }, logo] = await Promise.all([readPageDesign(db, organization), readLogo(db, organization)])
  return { name, color, logo: logo ?? null, details: sellerLines(seller, name, language) }
}

/** Reads the heading of a table of an organization: its letterhead, its language, and the form of its days. */
export async function readTableHeading(
  db: Reader & AnyReader,
  { id, name }: { id: number; name: string },
  now: Date,
  language: Language = 'en',
): Promise<TableHeading> {
  const [seller, { country }] = await Promise.all([readSeller(db, id), readPlaceOf(db, id)])
  const letterhead = await readLetterhead(db, { organization: id, name, language }, seller)
  return { organization: name, now, letterhead, country, language }
}
