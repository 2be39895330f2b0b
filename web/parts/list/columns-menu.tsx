import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { t } from '../../texts/index.ts'
import { type Column, toggleColumn } from './column.ts'

/** The choice of the columns. @param props.choose with the columns as in the address; undefined: all */
export function ColumnsMenu<Row>(props: {
  columns: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  choose(columns: string | undefined): void
}) {
  const { columns, shown, choose } = props
  const choices = columns.filter(({ name }, index) => index > 0 && name !== undefined)
  if (choices.length === 0) return null
  const hidden = columns.length - shown.length
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="xs" px="xs" leftSection={<IconColumns size={16} />}>
          {hidden > 0 ? t('lists.columns_hidden', { count: hidden }) : t('lists.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('lists.columns')}>
        <Stack gap="xs">
          {choices.map((column) => (
            <Checkbox
              key={column.name}
              size="sm"
              label={column.title}
              checked={shown.includes(column)}
              onChange={() => choose(toggleColumn(columns, shown, column))}
            />
          ))}
          {hidden > 0 && (
            <Button variant="default" size="xs" onClick={() => choose(undefined)}>
              {t('lists.all_columns')}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
