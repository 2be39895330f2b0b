import { Checkbox, Group, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { t } from '../../texts/index.ts'
import { RowCards, useRowCards } from '../data-table.tsx'
import type { Column } from './column.ts'
import { useSetListSearch } from './list-query.ts'
import type { Selection } from './selection.ts'

type Id = number | string

export interface RowsProps<Row> {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  ordering: string
  rowLink?: (row: Row) => string
  /** Undefined if rows cannot be selected. */
  selection?: Selection<Row>
  /** Return the name of a row, for screen readers. */
  nameOf: (row: Row) => string
}

/** The rows of a list: a table, or cards on a phone. */
export function Rows<Row extends { id: Id }>(props: RowsProps<Row>) {
  const { columns, rowLink, selection, nameOf } = props
  const navigate = useNavigate()
  const [cards, ref] = useRowCards()
  const open =
    rowLink &&
    ((row: Row, event: MouseEvent) => {
      // Links and buttons within the row have their own action, and selecting text is not a click.
      const onControl = (event.target as Element).closest('a, button, input, label')
      if (onControl || window.getSelection()?.toString()) return
      navigate({ to: rowLink(row) })
    })
  const linked = rowLink
    ? columns.map((column, index) => (index === 0 ? linkColumn(column, rowLink) : column))
    : columns
  const select = selection && ((row: Row) => <SelectRow row={row} selection={selection} name={nameOf(row)} />)
  const look = { ...props, ref, columns: linked, select, open }
  return cards ? <RowCards {...look} keyOf={({ id }) => id} /> : <RowTable {...look} />
}

function linkColumn<Row>(column: Column<Row>, rowLink: (row: Row) => string): Column<Row> {
  const value = (row: Row) => (
    <Link to={rowLink(row)} className="row-link">
      {column.value(row)}
    </Link>
  )
  return { ...column, value }
}

function RowTable<Row extends { id: Id }>(
  props: RowsProps<Row> & {
    ref: Ref<HTMLDivElement>
    select?: (row: Row) => ReactNode
    open?: (row: Row, event: MouseEvent) => void
  },
) {
  const { ref, title, columns, rows, ordering, selection, select, open } = props
  return (
    <Table.ScrollContainer
      ref={ref}
      type="native"
      minWidth={columns.length * 125}
      tabIndex={0}
      role="region"
      aria-label={title}
    >
      <Table highlightOnHover={open !== undefined} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={44}>
                <SelectPage rows={rows} selection={selection} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th key={column.title} ta={column.align} aria-sort={sortOf(column, ordering)}>
                <ColumnTitle column={column} ordering={ordering} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={row.id}
              onClick={open && ((event) => open(row, event))}
              className={open && 'table-row-link'}
              data-selected={selection?.has(row) || undefined}
            >
              {select && <Table.Td>{select(row)}</Table.Td>}
              {columns.map(({ title: name, value, align }) => (
                <Table.Td key={name} ta={align} className={align && 'no-break'}>
                  {value(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function SelectRow<Row>({ row, selection, name }: { row: Row; selection: Selection<Row>; name: string }) {
  return (
    <Checkbox
      aria-label={t('lists.select.row', { name })}
      checked={selection.has(row)}
      onChange={(event) => selection.set([row], event.currentTarget.checked)}
    />
  )
}

/** Select all rows of the page, or none of them. @param props.label whether it is visible */
export function SelectPage<Row>(props: { rows: readonly Row[]; selection: Selection<Row>; label?: boolean }) {
  const { rows, selection, label } = props
  const count = rows.filter((row) => selection.has(row)).length
  const text = t('lists.select.page')
  return (
    <Checkbox
      aria-label={label ? undefined : text}
      label={label ? text : undefined}
      checked={count > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  )
}

function ColumnTitle<Row>({ column, ordering }: { column: Column<Row>; ordering: string }) {
  const set = useSetListSearch()
  const { title, ordering: field } = column
  if (!field) return <>{title}</>
  const descending = ordering === `-${field}`
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={() => set({ ordering: descending ? field : `-${field}` })}>
      <Group gap={4} wrap="nowrap" display="inline-flex">
        {title}
        {ordering === field && <IconArrowUp size={14} aria-hidden />}
        {descending && <IconArrowDown size={14} aria-hidden />}
      </Group>
    </UnstyledButton>
  )
}

function sortOf<Row>({ ordering: field }: Column<Row>, ordering: string) {
  if (!field) return undefined
  return ordering === field ? 'ascending' : ordering === `-${field}` ? 'descending' : 'none'
}
