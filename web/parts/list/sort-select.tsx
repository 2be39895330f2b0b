import { NativeSelect } from '@mantine/core'
import { t } from '../../texts/index.ts'
import type { Column } from './column.ts'
import { useSetListSearch } from './list-query.ts'

/** The order of a list, where cards have no titles of columns to click on. */
export function SortSelect<Row>({ columns, ordering }: { columns: readonly Column<Row>[]; ordering: string }) {
  const set = useSetListSearch()
  const choices = columns.flatMap(({ title, ordering: field }) =>
    field
      ? [
          { value: `-${field}`, label: t('lists.sort.descending', { column: title }) },
          { value: field, label: t('lists.sort.ascending', { column: title }) },
        ]
      : [],
  )
  if (choices.length === 0) return null
  // The usual order is by a column that the list may not show.
  const known = choices.some(({ value }) => value === ordering)
  return (
    <NativeSelect
      size="xs"
      aria-label={t('lists.sort.label')}
      data={known ? choices : [{ value: ordering, label: t('lists.sort.usual') }, ...choices]}
      value={ordering}
      onChange={(event) => set({ ordering: event.currentTarget.value })}
    />
  )
}
