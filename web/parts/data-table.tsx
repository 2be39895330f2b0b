import { Box, Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** A column of a table: on a phone, a line of each card. */
export interface DataColumn<Row> {
  title: string
  value: (row: Row) => ReactNode
  align?: 'right'
}

export interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  title: string
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

/** A table, whose rows are cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { title, columns, rows, keyOf } = props
  return (
    <>
      <Box visibleFrom="sm">
        <Table.ScrollContainer
          type="native"
          minWidth={columns.length * 110}
          tabIndex={0}
          role="region"
          aria-label={title}
        >
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column.title} ta={column.align}>
                    {column.title}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={keyOf(row)}>
                  {columns.map((column) => (
                    <Table.Td key={column.title} ta={column.align} className={column.align && 'numeric no-break'}>
                      {column.value(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Box>
      <RowCards {...props} />
    </>
  )
}

/** The rows of a table as cards, one under the other. Wide windows do not show them. */
export function RowCards<Row>({ title, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <Box hiddenFrom="sm" component="ul" className="row-cards" aria-label={title}>
      {rows.map((row) => (
        <Box component="li" key={keyOf(row)}>
          <dl className="facts">
            {columns.map((column) => (
              <div key={column.title}>
                <dt>{column.title}</dt>
                <dd>{column.value(row)}</dd>
              </div>
            ))}
          </dl>
        </Box>
      ))}
    </Box>
  )
}
