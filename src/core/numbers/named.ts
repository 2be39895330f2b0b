import type { AnyReader } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { keysOfNumber, type NumberedDocument, readReference, type TypedNumber, type TypedPart } from './keys.ts'

/** An object whose number a payer typed. */
export interface Named {
  kind: NumberedDocument | 'contact'
  id: number
}

/** A text that a payer typed, and the organization that got the money. */
export interface Typed {
  organization: number
  reference: string | null
}

/** Found object with the certainty of the match: 1 is the number as written, 3 a number whose prefix is missing. */
type RankedMatch = Named & { level: 1 | 2 | 3 }

/**
 * Finds the invoices, payment links and customers whose numbers payers typed. Case, blanks, dashes, leading zeros and the
 * prefix do not matter. Of words that can be read in two ways the surest reading wins. Several objects for one text mean that it
 * names several, or does not say which. Drafts have no number. It only reads.
 * @returns for each text the objects that it names; empty where it names none
 */
export async function findNamed(db: AnyReader, typed: readonly Typed[]): Promise<Named[][]> {
  const readings = typed.map(({ organization, reference }) => {
    const { whole, parts } = readReference(reference ?? '')
    return { organization, whole, parts, all: whole ? [whole, ...parts] : parts }
  })
  if (readings.every(({ all }) => all.length === 0)) return readings.map(() => [])
  const lookup = await readLookup(db, readings)
  return readings.map(({ organization, whole, parts }) => {
    const found = whole ? lookup(organization, whole) : []
    const surest = chooseSurest(found)
    if (surest.length > 0) return surest
    return nameParts(
      parts.map((part) => ({ part, found: lookup(organization, part).filter(({ level }) => level < 3) })),
    )
  })
}

/** Finds the objects that a single text names. */
export async function findNamedBy(db: AnyReader, typed: Typed): Promise<Named[]> {
  return (await findNamed(db, [typed])).flat()
}

/** Finds the objects that parts name: first the surest, then those of other words. */
function nameParts(parts: readonly { part: TypedPart; found: readonly RankedMatch[] }[]): Named[] {
  const best = Math.min(...parts.flatMap(({ found }) => found.map(({ level }) => level)))
  if (best === Number.POSITIVE_INFINITY) return []
  const sure = parts.filter(({ found }) => found.some(({ level }) => level === best))
  const apart = parts.filter(({ part: { from, to } }) => sure.every(({ part }) => to <= part.from || part.to <= from))
  return distinct([...chooseSurest(sure.flatMap(({ found }) => found)), ...nameParts(apart)])
}

/** The distinct objects of the surest level. */
function chooseSurest(found: readonly RankedMatch[]): Named[] {
  const best = Math.min(...found.map(({ level }) => level))
  return distinct(found.filter(({ level }) => level === best))
}

function distinct(named: readonly Named[]): Named[] {
  return [...new Map(named.map(({ kind, id }) => [`${kind}:${id}`, { kind, id }])).values()]
}

interface Reading {
  organization: number
  all: readonly TypedNumber[]
}

/** Reads all objects that the texts may name, in one round, and returns a function that finds those of one text. */
async function readLookup(db: AnyReader, readings: readonly Reading[]) {
  const keys = readings.flatMap(({ organization, all }) =>
    all.flatMap(({ keys: { whole, joined, bare } }) =>
      [whole, ...joined, ...bare].map((key) => ({ organization, key })),
    ),
  )
  const documents = readings.flatMap(({ organization, all }) =>
    all.flatMap(({ digits, document, is_bare }) =>
      digits !== undefined && digits.length <= MAX_DIGITS && (document !== undefined || is_bare)
        ? [{ organization, number: Number(digits) }]
        : [],
    ),
  )
  const [contacts, numbered] = await Promise.all([readContacts(db, keys), readDocuments(db, documents)])
  return (organization: number, typed: TypedNumber): RankedMatch[] =>
    [
      ...contacts.map((one) => ({ ...one, kind: 'contact' as const, level: compare(typed, one.number) })),
      ...numbered.map((one) => ({ ...one, level: compareDocument(typed, one) })),
    ].flatMap(({ kind, id, level, ...one }) =>
      level !== undefined && one.organization === organization ? [{ kind, id, level }] : [],
    )
}

/** Rates how surely a typed text is the number of a document: only if its letters say so, or say nothing. */
function compareDocument(typed: TypedNumber, { kind, number }: StoredDocument): 1 | 3 | undefined {
  if (String(number) !== typed.digits) return undefined
  if (typed.document !== undefined) return typed.document === kind ? 1 : undefined
  return typed.is_bare ? 3 : undefined
}

/** Maximum number of digits: more than a number of a document has, and few enough for an exact number. */
const MAX_DIGITS = 15

/** Rates how surely a typed text is the number of a customer; undefined if it is another number. */
function compare({ keys: typed, is_bare }: TypedNumber, number: string): 1 | 2 | 3 | undefined {
  const stored = keysOfNumber(number)!
  const meets = (some: readonly string[], others: readonly string[]) => some.some((key) => others.includes(key))
  const full = [stored.whole, ...stored.joined]
  if (typed.whole === stored.whole) return 1
  if (meets([typed.whole, ...typed.joined], full)) return 2
  if (meets([typed.whole, ...typed.joined], stored.bare)) return 3
  return is_bare && meets(typed.bare, [...full, ...stored.bare]) ? 3 : undefined
}

interface StoredContact {
  id: number
  organization: number
  number: string
}

function readContacts(db: AnyReader, keys: readonly { organization: number; key: string }[]): Promise<StoredContact[]> {
  const r = rows(keys, { organization: 'bigint', key: 'text' })
  return db<StoredContact[]>`
    select distinct c.id, c.organization, c.number from ${r.as('t')}
    join contact_number_keys k on k.organization = t.organization and k.key = t.key
    join contacts c on c.id = k.contact
    where c.number is not null`
}

type StoredDocument = { kind: NumberedDocument; id: number; organization: number; number: number }

async function readDocuments(
  db: AnyReader,
  numbers: readonly { organization: number; number: number }[],
): Promise<StoredDocument[]> {
  if (numbers.length === 0) return []
  const r = rows(numbers, { organization: 'bigint', number: 'bigint' })
  return db<StoredDocument[]>`
    select distinct 'invoice' as kind, i.id, i.organization, i.number from ${r.as('t')}
    join invoices i on i.organization = t.organization and i.number = t.number
    union all
    select distinct 'payment_link', l.id, l.organization, l.number from ${r.as('t')}
    join payment_links l on l.organization = t.organization and l.number = t.number`
}
