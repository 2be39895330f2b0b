import { Group, Pagination, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { api, type List, type Query } from '../api.ts'
import { formatCount } from '../format.ts'
import { CsvButton } from './csv-button.tsx'
import { type Filter, Filters } from './filters.tsx'
import { Loading } from './loading.tsx'
import { PageHead } from './page-head.tsx'
import { Problem, replacesContent } from './problem.tsx'

export interface Column<Row> {
  title: string
  value: (row: Row) => ReactNode
  align?: 'right'
  /** The field that a press on the title sorts by, if the list can be. */
  ordering?: string
}

export interface ListPageProps<Row> {
  title: string
  about?: ReactNode
  /** The list's address in the interface, such as `/collectionrequests`. */
  path: string
  columns: Column<Row>[]
  filters?: Filter[]
  /** The console's address of one row. The first column becomes a link to it. */
  rowLink?: (row: Row) => string
  /** What can be done here, such as a button that makes a new one. */
  actions?: ReactNode
  /** What to say while there are none at all. */
  empty: ReactNode
  /** Filters that always hold here, and are not to be chosen. */
  fixed?: Query
  /** False where the page has a better file to offer than the rows of the list. */
  csv?: boolean
  /** What stands between the head of the page and the list. */
  above?: ReactNode
  /** How often the list is read again, so that it follows what happens. */
  poll_ms?: number
}

const PAGE_SIZE = 20

/**
 * A list as the service pages, filters and sorts it. Page, filters and order stand in the address of the page. It says so
 * when it loads, when there is nothing, and when it cannot be read.
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
                {filtered ? 'Nothing fits these filters.' : props.empty}
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

/** What the address of the page says about the list. */
function useListQuery<Row>({ filters = [], fixed }: ListPageProps<Row>) {
  const search: Record<string, string> = useSearch({ strict: false })
  const page = Math.max(1, Number.parseInt(search.page ?? '1', 10) || 1)
  const given = Object.fromEntries(filters.map(({ name }) => [name, search[name] ?? '']))
  const query: Query = {
    ...given,
    ...fixed,
    ordering: search.ordering ?? '-id',
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
  return { page, filters: given, query }
}

function Rows<Row extends { id: number | string }>(props: ListPageProps<Row> & { rows: Row[]; ordering: string }) {
  const { title, columns, rows, rowLink, ordering } = props
  const navigate = useNavigate()
  const open = (row: Row) => (event: MouseEvent) => {
    // Links and buttons within the row do what they say, and marked text is not a press.
    const onControl = (event.target as Element).closest('a, button, input')
    if (!rowLink || onControl || window.getSelection()?.toString()) return
    navigate({ to: rowLink(row) })
  }
  return (
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
        {shown > 0 ? `${formatCount(first)}–${formatCount(first + shown - 1)} of ` : ''}
        {formatCount(count)}
      </Text>
      {total > 1 && (
        <Pagination
          total={total}
          value={page}
          onChange={move}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        />
      )}
    </Group>
  )
}
