import { z } from 'zod'
import { id, timestamp } from '../../fields.ts'
import { RefusedRows } from '../../files/refused-rows.ts'
import { columns } from './titles.ts'

/** Reason why a row is refused: a sentence, and its column. */
const Problem = z.object({ column: z.enum(columns), message: z.string() })
export type Problem = z.output<typeof Problem>

/**
 * State of a row. `new`: it becomes a contact. `unnamed`: its contact has no name yet, and gets one. `unnumbered`: its
 * contact has no customer number yet, and gets one. `known`: its contact has all of it. `refused`: it has problems.
 */
export const rowStates = ['new', 'unnamed', 'unnumbered', 'known', 'refused'] as const

/** A row of a file of contacts, checked. */
export const ImportRow = z.object({
  /** Number of the row in the file, where the first line is 1. */
  number: z.int(),
  /** Phone in E.164, or the text of the file if that is no phone number. */
  phone_number: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  type: z.string(),
  /** Empty for none. */
  customer_number: z.string(),
  /** Tags with commas between them. */
  tags: z.string(),
  notes: z.string(),
  /** Payers, with semicolons between them: `Grace Nakato +256772000001`. */
  payers: z.string(),
  state: z.enum(rowStates),
  /** The contact that it is about. */
  contact: id.nullable(),
  problems: z.array(Problem),
})
export type ImportRow = z.output<typeof ImportRow>

/** A row that was refused, as it is kept with its import. */
export const RefusedRow = ImportRow.omit({ state: true, contact: true })
export type RefusedRow = z.output<typeof RefusedRow>

/** Treatment of contacts that have a name already: they stay as they are, or get the file's data. */
export const knownChoices = ['skip', 'update'] as const
export type KnownChoice = (typeof knownChoices)[number]

/** Import of contacts, with the results of the rows of its file. */
export const ContactImport = z.object({
  id,
  file_name: z.string(),
  known: z.enum(knownChoices),
  rows: z.int(),
  refused: z.int(),
  /** Number of refused rows that are kept: not those of earlier versions and of erased persons. */
  refused_kept: z.int(),
  added: z.int(),
  updated: z.int(),
  /** Contacts that have a name already, or all that the file says. */
  unchanged: z.int(),
  created: timestamp,
  author: id,
  author_name: z.string(),
  /** Null while it is running, and if it was interrupted. */
  finished: timestamp.nullable(),
})
export type ContactImport = z.output<typeof ContactImport>

/** A checked file. Nothing of it is stored. */
export const CheckedFile = z.object({
  rows: z.array(ImportRow),
  refused: RefusedRows,
  /** Titles of columns that mean nothing here. */
  ignored_columns: z.array(z.string()),
  /** Notes on how the file was read, in sentences, such as which hidden rows were left out. */
  notes: z.array(z.string()),
  /** Earlier imports of a file with the same content, the newest first. */
  same_file: z.array(ContactImport),
})
export type CheckedFile = z.output<typeof CheckedFile>
