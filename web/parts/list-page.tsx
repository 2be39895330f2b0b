import { Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { Query } from '../api.ts'
import { formatCount } from '../format.ts'
import { useLiveList } from '../live/list.ts'
import { t } from '../texts/index.ts'
import { useCards } from './data-table.tsx'
import { ExportMenu } from './files/export-menu.tsx'
import { readAll } from './files/read-all.ts'
import { type Filter, Filters } from './filters.tsx'
import { BulkBar } from './list/bulk-bar.tsx'
import type { BulkAction } from './list/bulk-dialog.tsx'
import { type Column, chooseColumns, defaultColumns } from './list/column.ts'
import { keepPageSize, readColumns, readPageSize, toQuery, useListSearch } from './list/list-query.ts'
import { NewRows } from './list/new-rows.tsx'
import { Pages } from './list/pages.tsx'
import { Rows } from './list/rows.tsx'
import { useSelection } from './list/selection.ts'
import { Tools } from './list/tools.tsx'
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
  /** The one primary action of the page, such as a button that creates an object. */
  primary?: ReactNode
  /** Other actions of the page. On a phone they are folded. */
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
  const filtered = Object.values(filters).filter(Boolean).length
  const cards = useCards()
  // On a phone the filters are folded, so that the first rows are in sight.
  const [folding, { toggle }] = useDisclosure()
  const folded = props.filters && { opened: folding, toggle }
  const columns = chooseColumns(
    props.columns,
    search.columns ?? readColumns(path),
    defaultColumns(props.columns, cards),
  )
  const hasFile = props.csv !== false && data !== undefined && data.count > 0
  const changeSize = (chosen: typeof size) => {
    keepPageSize(chosen)
    setSize(chosen)
  }
  const table = { ...props, columns, rowLink, nameOf, ordering: query.ordering, selection: bulk && selection }
  return (
    <>
      <Head
        {...props}
        file={hasFile && <ListFile {...{ title, columns, filters, fixed, fileRow }} source={source ?? path} />}
      />
      <Stack>
        {props.above}
        {props.filters && !cards && <Filters filters={props.filters} />}
        {replacesContent(error, data) ? (
          <Problem error={error} retry={refetch} />
        ) : (
          <Stack gap="xs">
            <Tools {...table} all={props.columns} rows={data?.results ?? []} {...{ filtered, folded }} />
            {props.filters && cards && folding && <Filters filters={props.filters} />}
            {bulk && <BulkBar {...{ title, columns, selection, nameOf, rowLink, fileRow }} actions={bulk} />}
            <Paper withBorder aria-busy={isFetching} pos="relative">
              <NewRows added={added} page={page} load={load} />
              {!data ? (
                <Group justify="center" p="xl">
                  <Loading />
                </Group>
              ) : data.count === 0 ? (
                <Text ta="center" c="dimmed" p="xl" component="div">
                  {filtered > 0 ? t('parts.no_match') : props.empty}
                </Text>
              ) : (
                <Rows {...table} rows={data.results} />
              )}
            </Paper>
            <SearchedRows count={data?.searched_rows} />
          </Stack>
        )}
        {data && data.count > 0 && (
          <Pages page={page} count={data.count} shown={data.results.length} size={size} setSize={changeSize} />
        )}
      </Stack>
    </>
  )
}

/** Notice that a search looked for parts of texts only in the newest rows, and how to find older ones. */
function SearchedRows({ count }: { count: number | null | undefined }) {
  if (!count) return null
  return (
    <Text fz="sm" c="dimmed" role="note">
      {t('parts.searched_rows', { number: formatCount(count) })}
    </Text>
  )
}

/** Menu that saves all rows of a list that match its filters. */
function ListFile<Row>(
  props: Pick<ListPageProps<Row>, 'title' | 'columns' | 'fixed' | 'fileRow'> & { filters: Query; source: string },
) {
  const { title, columns, filters, fixed, fileRow, source } = props
  const read = () => readAll<Row>(source, { ...filters, ...fixed })
  return <ExportMenu {...{ columns, filters, fileRow, read }} what={title} />
}

/** The head of a list: its primary action, and the others with the file of its rows. */
function Head(props: Omit<PageHeadProps, 'folds'> & { file: ReactNode }) {
  const { title, about, audited, primary, actions, file } = props
  const others = (file || actions) && (
    <>
      {file}
      {actions}
    </>
  )
  return (
    <PageHead
      title={title}
      about={about}
      audited={audited}
      primary={primary}
      actions={others}
      folds={Boolean(actions)}
    />
  )
}
