import { createReference } from '../connections/order-references.ts'

/*
 * The reference of an attempt, which providers repeat in their reports: random letters and digits, then the id of the SMS. So
 * the attempts of the SMS are read to find it, and it needs no index of its own. The row keeps the random part alone.
 */

const RANDOM_LENGTH = 15
const ID_LENGTH = 9

/** Creates the random part of a reference: letters and digits, of which the first is a letter. */
export function createReferenceStart(): string {
  return createReference('alphanumeric-25').slice(0, RANDOM_LENGTH)
}

/** Returns the whole reference of an attempt at sending this SMS: 24 letters and digits. */
export function toSmsReference(start: string, sms: number): string {
  return start + sms.toString(36).toUpperCase().padStart(ID_LENGTH, '0')
}

/** Returns the random part of a reference. */
export function referenceStart(reference: string): string {
  return reference.slice(0, RANDOM_LENGTH)
}

/** The ids of the SMS that these references may belong to. Texts that are no references have none. */
export function smsOfReferences(references: readonly string[]): number[] {
  return references.flatMap((reference) =>
    /^[A-Z][A-Z0-9]{23}$/.test(reference) ? Number.parseInt(reference.slice(RANDOM_LENGTH), 36) : [],
  )
}
