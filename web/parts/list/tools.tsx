import { Button, Group } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { formatCount } from '../../format.ts'
import { t } from '../../texts/index.ts'
import { useCards } from '../data-table.tsx'
import { type Column, defaultColumns } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { keepColumns, useSetListSearch } from './list-query.ts'
import { SelectPage } from './rows.tsx'
import type { useSelection } from './selection.ts'
import { SortSelect } from './sort-select.tsx'
import { ViewsMenu } from './views-menu.tsx'

interface ToolsProps<Row extends { id: number | string }> {
  path: string
  all: readonly Column<Row>[]
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  ordering: string
  /** Number of filters that are set. */
  filtered: number
  selection?: ReturnType<typeof useSelection<Row>>
  /** The button that unfolds the filters on a phone; undefined if the list has none. */
  folded?: { opened: boolean; toggle(): void }
}

/** Views and columns of a list; on a phone also its filters, its order, and the selection of all its rows. */
export function Tools<Row extends { id: number | string }>(props: ToolsProps<Row>) {
  const { path, all, columns, rows, ordering, filtered, selection, folded } = props
  const cards = useCards()
  const set = useSetListSearch()
  // An empty list has nothing to choose from.
  if (rows.length === 0 && filtered === 0) return null
  const chooseTo = (chosen: string | undefined) => {
    keepColumns(path, chosen)
    set({ columns: chosen })
  }
  const choose = <ColumnsMenu columns={all} shown={columns} usual={defaultColumns(all, cards)} choose={chooseTo} />
  if (!cards)
    return (
      <Group justify="space-between" gap="xs">
        <ViewsMenu path={path} />
        {choose}
      </Group>
    )
  return (
    <>
      <Group gap={4} wrap="nowrap">
        {folded && <FilterButton count={filtered} {...folded} />}
        {rows.length > 1 && <SortSelect columns={all} ordering={ordering} />}
        <Group gap={0} ml="auto" wrap="nowrap">
          <ViewsMenu path={path} />
          {choose}
        </Group>
      </Group>
      {selection && selection.rows.length > 0 && rows.length > 1 && (
        <SelectPage rows={rows} selection={selection} label />
      )}
    </>
  )
}

function FilterButton(props: { count: number; opened: boolean; toggle(): void }) {
  const { count, opened, toggle } = props
  return (
    <Button
      variant="default"
      size="xs"
      px="xs"
      flex="none"
      leftSection={<IconAdjustmentsHorizontal size={16} />}
      aria-expanded={opened}
      onClick={toggle}
    >
      {count > 0 ? t('lists.filters_set', { number: formatCount(count) }) : t('parts.filters')}
    </Button>
  )
}
