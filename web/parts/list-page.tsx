import { Group, Paper, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Query } from '../api.ts'
import { useLiveList } from '../live/list.ts'
import { t } from '../texts/index.ts'
import { useCards } from './data-table.tsx'
import { ExportMenu, readAll } from './files/export-menu.tsx'
import { type Filter, Filters } from './filters.tsx'
import { BulkBar } from './list/bulk-bar.tsx'
import type { BulkAction } from './list/bulk-dialog.tsx'
import { type Column, chooseColumns } from './list/column.ts'
import { ColumnsMenu } from './list/columns-menu.tsx'
import {
  keepColumns,
  keepPageSize,
  readColumns,
  readPageSize,
  toQuery,
  useListSearch,
  useSetListSearch,
} from './list/list-query.ts'
import { NewRows } from './list/new-rows.tsx'
import { Pages } from './list/pages.tsx'
import { Rows, SelectPage } from './list/rows.tsx'
import { useSelection } from './list/selection.ts'
import { SortSelect } from './list/sort-select.tsx'
import { ViewsMenu } from './list/views-menu.tsx'
import { Loading } from './loading.tsx'
import { PageHead, type PageHeadProps } from './page-head.tsx'
import { Problem, replacesContent } from './problem.tsx'

export type { BulkAction } from './list/bulk-dialog.tsx'
export type { Column } from './list/column.ts'

export interface ListPageProps<Row> {
  title: string
  about?: ReactNode
  /** The list's path in the interface, such as `/collectionrequests`. */
  path: string
  /** Address at which the console reads its rows, and one of them by its id, if it is not `path`. */
  source?: string
  columns: Column<Row>[]
  filters?: Filter[]
  /** The console's path of a row. The first column links to it. */
  rowLink?: (row: Row) => string
  /** The actions of the page, such as a button that creates an object. */
  actions?: ReactNode
  /** The object of the page, as the audit log knows it. */
  audited?: PageHeadProps['audited']
  /** The text for an empty list. */
  empty: ReactNode
  /** Filters that always apply and cannot be changed. */
  fixed?: Query
  /** False when the page offers a better file than the rows of the list. */
  csv?: boolean
  /** Convert a row for a file with all fields. Default: unchanged. */
  fileRow?: (row: Row) => Record<string, unknown>
  /** Content between the head of the page and the list. */
  above?: ReactNode
  /** Actions on selected rows. With it, even if empty, rows can be selected and saved as a file. */
  bulk?: readonly BulkAction<Row>[]
  /** Return the name of a selected row. Default: its id. */
  rowName?: (row: Row) => string
}

/**
 * A page with a list that the service pages, filters and sorts. Page number, filters, order and columns are in the address,
 * and people store them as views. It shows when the list loads, is empty, or cannot be read. Its rows change in
 * place, and new ones wait for a click.
 */
export function ListPage<Row extends { id: number | string }>(props: ListPageProps<Row>) {
  const { path, source, fixed, bulk, rowLink, fileRow, title, rowName: nameOf = ({ id }: Row) => `#${id}` } = props
  const [size, setSize] = useState(readPageSize)
  const search = useListSearch()
  const names = (props.filters ?? []).map(({ name }) => name)
  const { page, filters, query } = toQuery(search, names, size, fixed)
  const { list, added, load } = useLiveList<Row>(path, query, source)
  const { data, error, refetch, isFetching } = list
  const selection = useSelection<Row>(JSON.stringify([path, filters, fixed]))
  const filtered = Object.values(filters).some(Boolean)
  const columns = chooseColumns(props.columns, search.columns ?? readColumns(path))
  const changeSize = (chosen: typeof size) => {
    keepPageSize(chosen)
    setSize(chosen)
  }
  const table = { ...props, columns, rowLink, nameOf, ordering: query.ordering, selection: bulk && selection }
  return (
    <>
      <PageHead
        title={props.title}
        about={props.about}
        audited={props.audited}
        actions={
          <>
            {props.csv !== false && data && data.count > 0 && (
              <ExportMenu
                what={title}
                columns={columns}
                filters={filters}
                fileRow={fileRow}
                read={() => readAll<Row>(source ?? path, { ...filters, ...fixed })}
              />
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
          <Stack gap="xs">
            <Tools {...table} all={props.columns} rows={data?.results ?? []} filtered={filtered} />
            {bulk && <BulkBar {...{ title, columns, selection, nameOf, rowLink, fileRow }} actions={bulk} />}
            <Paper withBorder aria-busy={isFetching} pos="relative">
              <NewRows added={added} page={page} load={load} />
              {!data ? (
                <Group justify="center" p="xl">
                  <Loading />
                </Group>
              ) : data.count === 0 ? (
                <Text ta="center" c="dimmed" p="xl" component="div">
                  {filtered ? t('parts.no_match') : props.empty}
                </Text>
              ) : (
                <Rows {...table} rows={data.results} />
              )}
            </Paper>
          </Stack>
        )}
        {data && data.count > 0 && (
          <Pages page={page} count={data.count} shown={data.results.length} size={size} setSize={changeSize} />
        )}
      </Stack>
    </>
  )
}

/** Views and columns of a list; on a phone also its order, and the selection of all its rows. */
function Tools<Row extends { id: number | string }>(props: {
  path: string
  all: readonly Column<Row>[]
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  ordering: string
  filtered: boolean
  selection?: ReturnType<typeof useSelection<Row>>
}) {
  const { path, all, columns, rows, ordering, filtered, selection } = props
  const cards = useCards()
  const set = useSetListSearch()
  // An empty list has nothing to choose from.
  if (rows.length === 0 && !filtered) return null
  const chooseTo = (chosen: string | undefined) => {
    keepColumns(path, chosen)
    set({ columns: chosen })
  }
  return (
    <Group justify="space-between" gap="xs">
      <ViewsMenu path={path} />
      {cards && rows.length > 1 && selection && <SelectPage rows={rows} selection={selection} label />}
      <Group gap="xs" ml="auto">
        {cards && rows.length > 1 && <SortSelect columns={all} ordering={ordering} />}
        <ColumnsMenu columns={all} shown={columns} choose={chooseTo} />
      </Group>
    </Group>
  )
}
