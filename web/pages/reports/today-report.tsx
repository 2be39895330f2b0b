import { Paper, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { FileMenu } from '../../parts/files/file-menu.tsx'
import { type Filter, Filters } from '../../parts/filters.tsx'
import { useListSearch, useSetListSearch } from '../../parts/list/list-query.ts'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { language, t } from '../../texts/index.ts'
import { ReportTabs } from './report-tabs.tsx'

const PAGE_SIZE = 100

/** Common fields of today's reports. */
interface TodayData {
  day: string
  zone: string
  count: number
}

/** A report of today with its filters, pages and files. */
export function TodayReport<Data extends TodayData>(props: {
  path: string
  title: string
  about: string
  none: string
  filters: Filter[]
  children(data: Data): ReactNode
}) {
  const { path, title, about, none, filters, children } = props
  const search = useListSearch()
  const set = useSetListSearch()
  const page = Math.max(1, Number.parseInt(search.page ?? '1', 10) || 1)
  const chosen = Object.fromEntries(filters.map(({ name }) => [name, search[name]]))
  const query = { ...chosen, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
  const { data, error, refetch } = useQuery({
    queryKey: [path, query],
    queryFn: () => api.get<Data>(path, query),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead
        title={title}
        about={about}
        actions={
          data && (
            <FileMenu path={path} query={{ ...chosen, language }} name={`${path.split('/').at(-1)}-${data.day}`} />
          )
        }
      />
      <Stack>
        <ReportTabs />
        <Filters filters={filters} />
        {replacesContent(error, data) ? (
          <Problem error={error} retry={refetch} />
        ) : !data ? (
          <Loading />
        ) : data.count === 0 ? (
          <Paper withBorder p="xl">
            <Text ta="center" c="dimmed">
              {none}
            </Text>
          </Paper>
        ) : (
          <>
            <Text fz="sm" c="dimmed">
              {t('reports.zone', { zone: data.zone })}
            </Text>
            {children(data)}
            <PageChoice
              count={data.count}
              size={PAGE_SIZE}
              page={page}
              choose={(to) => set({ page: to === 1 ? undefined : to })}
            />
          </>
        )}
      </Stack>
    </>
  )
}
