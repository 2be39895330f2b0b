import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { t } from '../../texts/index.ts'
import type { Column } from './column.ts'
import { useSetListSearch } from './list-query.ts'

/** The order of a list, where cards have no titles of columns to click on: the column, and which end comes first. */
export function SortSelect<Row>({ columns, ordering }: { columns: readonly Column<Row>[]; ordering: string }) {
  const set = useSetListSearch()
  const choices = columns.flatMap(({ title, ordering: value }) => (value ? [{ value, label: title }] : []))
  if (choices.length === 0) return null
  const descending = ordering.startsWith('-')
  const field = descending ? ordering.slice(1) : ordering
  // The usual order is by a column that the list may not show.
  const known = choices.find(({ value }) => value === field)
  const sortBy = (value: string) => set({ ordering: descending ? `-${value}` : value })
  const reverse = () => set({ ordering: descending ? field : `-${field}` })
  const Arrow = descending ? IconArrowDown : IconArrowUp
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <NativeSelect
        size="xs"
        miw={0}
        maw={140}
        aria-label={t('lists.sort.label')}
        data={known ? choices : [{ value: field, label: t('lists.sort.usual') }, ...choices]}
        value={field}
        onChange={(event) => sortBy(event.currentTarget.value)}
      />
      {known && (
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t(descending ? 'lists.sort.descending' : 'lists.sort.ascending', { column: known.label })}
          onClick={reverse}
        >
          <Arrow size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}
