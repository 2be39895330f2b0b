import { Box, Group, Pagination, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { api, type List, type Query } from '../api.ts'
import { formatCount } from '../format.ts'
import { t } from '../texts/index.ts'
import { CsvButton } from './csv-button.tsx'
import { RowCards } from './data-table.tsx'
import { type Filter, Filters } from './filters.tsx'
import { Loading } from './loading.tsx'
import { PageHead } from './page-head.tsx'
import { Problem, replacesContent } from './problem.tsx'

export interface Column<Row> {
  title: string
  value: (row: Row) => ReactNode
  align?: 'right'
  /** The field that a click on the title sorts by, if the list supports it. */
  ordering?: string
}

export interface ListPageProps<Row> {
  title: string
  about?: ReactNode
  /** The list's path in the interface, such as `/collectionrequests`. */
  path: string
  columns: Column<Row>[]
  filters?: Filter[]
  /** The console's path of a row. The first column links to it. */
  rowLink?: (row: Row) => string
  /** The actions of the page, such as a button that creates an object. */
  actions?: ReactNode
  /** The text for an empty list. */
  empty: ReactNode
  /** Filters that always apply and cannot be changed. */
  fixed?: Query
  /** False when the page offers a better file than the rows of the list. */
  csv?: boolean
  /** Content between the head of the page and the list. */
  above?: ReactNode
  /** Whether the rows are cards on a phone. */
  cards?: boolean
  /** The interval at which the list is read again. */
  poll_ms?: number
}

const PAGE_SIZE = 20

/**
 * A page with a list that the service pages, filters and sorts. Page number, filters and order are in the address. It
 * shows when the list loads, is empty, or cannot be read.
 */
export function ListPage<Row extends { id: number | string }>(props: ListPageProps<Row>) {
  const { page, filters, query } = useListQuery(props)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [props.path, query],
    queryFn: () => api.get<List<Row>>(props.path, query),
    placeholderData: keepPreviousData,
    refetchInterval: props.poll_ms,
  })
  const filtered = Object.values(filters).some(Boolean)
  return (
    <>
      <PageHead
        title={props.title}
        about={props.about}
        actions={
          <>
            {props.csv !== false && data && data.count > 0 && (
              <CsvButton path={props.path} filters={{ ...filters, ...props.fixed }} />
            )}
            {props.actions}
          </>
        }
      />
      <Stack>
        {props.above}
        {props.filters && <Filters filters={props.filters} />}
        {replacesContent(error, data) ? (
          <Problem error={error} retry={refetch} />
        ) : (
          <Paper withBorder aria-busy={isFetching}>
            {!data ? (
              <Group justify="center" p="xl">
                <Loading />
              </Group>
            ) : data.count === 0 ? (
              <Text ta="center" c="dimmed" p="xl" component="div">
                {filtered ? t('parts.no_match') : props.empty}
              </Text>
            ) : (
              <Rows {...props} rows={data.results} ordering={String(query.ordering)} />
            )}
          </Paper>
        )}
        {data && data.count > 0 && <Pages page={page} count={data.count} shown={data.results.length} />}
      </Stack>
    </>
  )
}

/** Reads page number, filters and order from the address. */
function useListQuery<Row>({ filters = [], fixed }: ListPageProps<Row>) {
  const search: Record<string, string> = useSearch({ strict: false })
  const page = Math.max(1, Number.parseInt(search.page ?? '1', 10) || 1)
  const active = Object.fromEntries(filters.map(({ name }) => [name, search[name] ?? '']))
  const query: Query = {
    ...active,
    ...fixed,
    ordering: search.ordering ?? '-id',
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
  return { page, filters: active, query }
}

function Rows<Row extends { id: number | string }>(props: ListPageProps<Row> & { rows: Row[]; ordering: string }) {
  const { title, columns, rows, rowLink, ordering, cards } = props
  const navigate = useNavigate()
  const open = (row: Row) => (event: MouseEvent) => {
    // Links and buttons within the row have their own action, and selecting text is not a click.
    const onControl = (event.target as Element).closest('a, button, input')
    if (!rowLink || onControl || window.getSelection()?.toString()) return
    navigate({ to: rowLink(row) })
  }
  const table = (
    <Table.ScrollContainer type="native" minWidth={columns.length * 130} tabIndex={0} role="region" aria-label={title}>
      <Table highlightOnHover={rowLink !== undefined} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} ta={column.align} aria-sort={sortOf(column, ordering)}>
                <ColumnTitle column={column} ordering={ordering} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id} onClick={open(row)} className={rowLink && 'table-row-link'}>
              {columns.map(({ title: name, value, align }, index) => (
                <Table.Td key={name} ta={align} className={align && 'no-break'}>
                  {rowLink && index === 0 ? (
                    <Link to={rowLink(row)} className="row-link">
                      {value(row)}
                    </Link>
                  ) : (
                    value(row)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
  if (!cards) return table
  const linked = columns.map((column, index) =>
    rowLink && index === 0
      ? {
          ...column,
          value: (row: Row) => (
            <Link to={rowLink(row)} className="row-link">
              {column.value(row)}
            </Link>
          ),
        }
      : column,
  )
  return (
    <>
      <Box visibleFrom="sm">{table}</Box>
      <RowCards title={title} columns={linked} rows={rows} keyOf={(row) => row.id} />
    </>
  )
}

function ColumnTitle<Row>({ column, ordering }: { column: Column<Row>; ordering: string }) {
  const navigate = useNavigate()
  const { title, ordering: field } = column
  if (!field) return <>{title}</>
  const descending = ordering === `-${field}`
  const sort = () => {
    const next = descending ? field : `-${field}`
    navigate({ to: '.', search: (before: object) => ({ ...before, ordering: next, page: undefined }) as never })
  }
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={sort}>
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

function Pages({ page, count, shown }: { page: number; count: number; shown: number }) {
  const navigate = useNavigate()
  const first = (page - 1) * PAGE_SIZE + 1
  const total = Math.ceil(count / PAGE_SIZE)
  const move = (to: number) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, page: to === 1 ? undefined : to }) as never })
  return (
    <Group justify="space-between">
      <Text fz="sm" c="dimmed" className="numeric">
        {shown > 0
          ? t('parts.shown_of', {
              first: formatCount(first),
              last: formatCount(first + shown - 1),
              total: formatCount(count),
            })
          : formatCount(count)}
      </Text>
      {total > 1 && (
        <Pagination
          total={total}
          value={page}
          onChange={move}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': t(`parts.pages.${control}`) })}
          getItemProps={(item) => ({ 'aria-label': t('parts.page', { number: item }) })}
        />
      )}
    </Group>
  )
}
