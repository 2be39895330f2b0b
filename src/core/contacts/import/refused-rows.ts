import type { AnyReader, Tx } from '../../../db/client.ts'
import { column, insert, table } from '../../../db/table.ts'
import { type RefusedRows, refusedFile } from '../../files/refused-rows.ts'
import { importColumns } from './columns.ts'
import type { CheckedRow } from './read-row.ts'
import type { RefusedRow } from './row.ts'

const refusalTable = table('contact_import_refusals', {
  contact_import: column.bigint().key(),
  organization: column.bigint(),
  number: column.integer().key(),
  phone_number: column.text(),
  first_name: column.text(),
  last_name: column.text(),
  email: column.text(),
  type: column.text(),
  customer_number: column.text(),
  tags: column.text(),
  notes: column.text(),
  payers: column.text(),
  problems: column.jsonb<RefusedRow['problems']>(),
})

/** Keeps the refused rows of a file with its import, so that they can be corrected later. */
export async function keepRefusedRows(
  tx: Tx,
  ref: { organization: number; contact_import: number },
  refused: readonly CheckedRow[],
): Promise<void> {
  if (refused.length === 0) return
  await tx`${insert(refusalTable, refused, ref)}`
}

/**
 * Reads the refused rows of an import of the organization, in the order of the file. Those of erased persons are gone.
 */
export async function readRefusedRows(
  db: AnyReader,
  ref: { organization: number; contact_import: number },
): Promise<RefusedRow[]> {
  const found = await db<RefusedRow[]>`
    select ${refusalTable.omit('contact_import', 'organization').columns}
    from contact_import_refusals
    where organization = ${ref.organization} and contact_import = ${ref.contact_import} order by number`
  return [...found]
}

const { titles } = importColumns

/** Returns the refused rows that an import has kept as a file that the import reads. */
export function toRefusedFile(refused: readonly RefusedRow[]): RefusedRows {
  return refusedFile(
    [
      titles.phone_number,
      titles.first_name,
      titles.last_name,
      titles.email,
      titles.type,
      titles.number,
      titles.tags,
      titles.notes,
      titles.payers,
    ],
    refused.map((row) => ({
      number: row.number,
      problems: row.problems,
      cells: [
        row.phone_number,
        row.first_name,
        row.last_name,
        row.email,
        row.type,
        row.customer_number,
        row.tags,
        row.notes,
        row.payers,
      ],
    })),
  )
}
