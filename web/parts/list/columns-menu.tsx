import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { t } from '../../texts/index.ts'
import { useCards } from '../data-table.tsx'
import { type Column, toggleColumn } from './column.ts'

/**
 * The choice of the columns.
 * @param props.usual the columns before people choose
 * @param props.choose with the columns as in the address; undefined: the usual ones
 */
export function ColumnsMenu<Row>(props: {
  columns: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  usual: readonly Column<Row>[]
  choose(columns: string | undefined): void
}) {
  const { columns, shown, usual, choose } = props
  const cards = useCards()
  const choices = columns.filter(({ name }, index) => index > 0 && name !== undefined)
  if (choices.length === 0) return null
  const hidden = columns.length - shown.length
  const isUsual = shown.length === usual.length && shown.every((column) => usual.includes(column))
  const label = hidden > 0 && !isUsual ? t('lists.columns_hidden', { count: hidden }) : t('lists.columns')
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        {cards ? (
          <ActionIcon variant="subtle" size={30} aria-label={label}>
            <IconColumns size={16} aria-hidden />
          </ActionIcon>
        ) : (
          <Button variant="subtle" size="xs" px="xs" leftSection={<IconColumns size={16} />}>
            {label}
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown aria-label={t('lists.columns')}>
        <Stack gap="xs">
          {choices.map((column) => (
            <Checkbox
              key={column.name}
              size="sm"
              label={column.title}
              checked={shown.includes(column)}
              onChange={() => choose(toggleColumn(columns, shown, column, usual))}
            />
          ))}
          {!isUsual && (
            <Button variant="default" size="xs" onClick={() => choose(undefined)}>
              {t(usual.length < columns.length ? 'lists.usual_columns' : 'lists.all_columns')}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
