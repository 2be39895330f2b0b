import { rows } from '../../src/db/rows.ts'
import { type column, insert, type Table } from '../../src/db/table.ts'

export interface Due {
  id: number
  due_at: Date | null
  name: string
  note?: string
  send: boolean
  amount: bigint
  share: number
  metadata: Record<string, unknown>
}

/** Each line must not compile: the compiler complains about a directive for an error that does not come. */
export function wrongColumns(due: Due[]) {
  // @ts-expect-error A number is not written as text.
  rows(due, { id: 'text' })
  // @ts-expect-error No property has this name.
  rows(due, { identity: 'bigint' })
  // @ts-expect-error A date is not written as text.
  rows(due, { due_at: 'text' })
  // @ts-expect-error A boolean is not written as text.
  rows(due, { send: 'text' })
  // @ts-expect-error An amount is not a whole number of units.
  rows(due, { amount: 'bigint' })
  // @ts-expect-error A number is not an amount.
  rows(due, { id: 'numeric' })
  // @ts-expect-error A text would be encoded as a JSON string.
  rows(due, { name: 'json' })
  // @ts-expect-error No column type has this name.
  rows(due, { id: 'int8' })
  // @ts-expect-error The value is a number.
  rows(due, { note: ['text', (one) => one.id] })
  // @ts-expect-error The value is a date.
  rows(due, { note: ['text', (one) => one.due_at] })
}

type Columns = Record<'id', ReturnType<typeof column.id>> &
  Record<'name' | 'title', ReturnType<typeof column.text>> &
  Record<'amount', ReturnType<typeof column.numeric>>

/** Likewise for inserts. */
export function wrongInserts(dues: Table<Columns>, due: Omit<Due, 'id'>, stored: Due) {
  insert(dues, [due], { title: ({ name }) => name })
  insert(dues, [stored], { id: undefined, title: 'all' })
  // @ts-expect-error Nothing gives the title.
  insert(dues, [due], {})
  // @ts-expect-error A number is no title.
  insert(dues, [due], { title: 7 })
  // @ts-expect-error A title is never null.
  insert(dues, [due], { title: ({ note }) => note })
  // @ts-expect-error No column has this name.
  insert(dues, [due], { title: '', heading: '' })
  // @ts-expect-error The name is not a text.
  insert(dues, [{ ...due, name: 7 }], { title: '' })
  // @ts-expect-error The id of the item would be lost in silence.
  insert(dues, [stored], { title: '' })
}
