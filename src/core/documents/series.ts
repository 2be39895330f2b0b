import type { Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'

/** The kinds of documents, each with the letters before its numbers. */
const PREFIXES = { receipt: 'R', invoice: 'INV', payment_link: 'LNK' } as const
type DocumentKind = keyof typeof PREFIXES

const seriesTable = table('document_series', {
  id: column.id(),
  organization: column.bigint(),
  kind: column.text<DocumentKind>(),
  /** 0 before the first. */
  last_number: column.bigint().default(0),
})

/** The numbers of one kind of an organization's documents. */
export type Series = Pick<Row<typeof seriesTable>, 'id' | 'last_number'>

/**
 * Locks the numbers of one kind of an organization's documents until the transaction ends. The caller then looks which documents exist already, stores the new ones with the next numbers, and calls
 * `setLastNumber` in the same transaction. So no number is missing and none is given twice (docs/decisions/0036).
 */
export async function lockSeries(tx: Tx, organization: number, kind: DocumentKind): Promise<Series> {
  await tx`${insert(seriesTable, [{ organization, kind }], {})} on conflict do nothing`
  const [series] = await tx<{ id: number }[]>`
    select id from document_series where organization = ${organization} and kind = ${kind}`
  const [locked] = await tx<Series[]>`select id, last_number from document_series where id = ${series!.id} for update`
  return locked!
}

/** Stores the last number that was given. The series is locked. */
export async function setLastNumber(tx: Tx, { id }: Series, last_number: number): Promise<void> {
  await tx`update document_series set last_number = ${last_number} where id = ${id}`
}

/** A number as people read it, such as `R-000012`. */
export function formatNumber(kind: DocumentKind, number: number): string {
  return `${PREFIXES[kind]}-${String(number).padStart(6, '0')}`
}

/** Reads a number that was written as `R-000012`, `r-12` or `12`; undefined for other texts. */
export function parseNumber(kind: DocumentKind, text: string): number | undefined {
  const [, digits] = new RegExp(`^(?:${PREFIXES[kind]}-)?0*(\\d{1,15})$`, 'i').exec(text.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}
