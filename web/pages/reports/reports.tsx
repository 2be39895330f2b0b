import { Group, Paper, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api, type List } from '../../api.ts'
import { formatCount, formatDate, formatMoney, formatMonth, formatWord } from '../../format.ts'
import { DataTable, useCards } from '../../parts/data-table.tsx'
import { FileMenu } from '../../parts/files/file-menu.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { PeriodFields, useDays } from '../../parts/period.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { Report, ReportRow, Wallet } from '../../wire.ts'
import { ReportTabs } from './report-tabs.tsx'

/** The chart library is larger than the rest of the console, so it loads after the numbers are shown. */
const ReportChart = lazy(() => import('./report-chart.tsx'))

const kinds = ['collections', 'payments', 'refunds', 'bills', 'fees', 'network_fees', 'settlements'] as const
const groups = ['day', 'month', 'network', 'connection', 'account'] as const
const CHART_PX = 300

/** Sums of the ledger: choice of money, grouping, and days. */
export default function Reports() {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { chosen } = useDays()
  const kind = kinds.find((one) => one === search.kind) ?? 'collections'
  const by = groups.find((one) => one === search.by) ?? 'day'
  const query = { kind, by, ...chosen, account: search.account, currency: search.currency }
  const { data, error, refetch } = useQuery({
    queryKey: ['/reports', query],
    queryFn: () => api.get<Report>('/reports', query),
    placeholderData: keepPreviousData,
  })
  const cards = useCards()
  const set = (values: Record<string, string | undefined>) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, ...values }) as never })
  return (
    <>
      <PageHead
        title={t('shell.nav.reports')}
        about={t('reports.about')}
        actions={
          data && <FileMenu path="/reports/file" query={query} name={`${kind}-by-${by}-${data.from}-${data.to}`} />
        }
      />
      <Stack>
        <ReportTabs />
        <Group gap="sm" align="flex-end">
          <Select
            label={t('reports.kind')}
            data={kinds.map((value) => ({ value, label: t(`reports.kinds.${value}`) }))}
            value={kind}
            allowDeselect={false}
            onChange={(value) => set({ kind: value ?? undefined })}
          />
          <PeriodFields shown={data} />
          <WalletChoice chosen={search.account} choose={(account) => set({ account })} />
        </Group>
        <SegmentedControl
          aria-label={t('reports.by')}
          orientation={cards ? 'vertical' : 'horizontal'}
          fullWidth
          data={groups.map((value) => ({ value, label: t(`reports.groups.${value}`) }))}
          value={by}
          onChange={(value) => set({ by: value })}
        />
        <Text fz="sm" c="dimmed">
          {t(`reports.abouts.${kind}`)} {data && t('reports.zone', { zone: data.zone })}
        </Text>
        {replacesContent(error, data) ? (
          <Problem error={error} retry={refetch} />
        ) : data ? (
          <Sums report={data} by={by} />
        ) : (
          <Loading />
        )}
      </Stack>
    </>
  )
}

function WalletChoice({ chosen, choose }: { chosen?: string | undefined; choose(account: string | undefined): void }) {
  const { data } = useQuery({
    queryKey: ['/accounts', 'choice'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { limit: 1_000, ordering: 'id' }),
  })
  return (
    <Select
      label={t('fields.wallet')}
      placeholder={t('parts.any')}
      clearable
      clearButtonProps={{ 'aria-label': t('parts.clear_filter', { filter: t('fields.wallet') }), tabIndex: -1 }}
      data={(data?.results ?? []).map(({ id, name, currency }) => ({
        value: String(id),
        label: `${name} ${currency}`,
      }))}
      value={chosen ?? null}
      onChange={(value) => choose(value ?? undefined)}
    />
  )
}

/** The chart, the table and the totals. */
function Sums({ report, by }: { report: Report; by: (typeof groups)[number] }) {
  if (report.rows.length === 0)
    return (
      <Paper withBorder p="xl">
        <Text ta="center" c="dimmed">
          {t('reports.none')}
        </Text>
      </Paper>
    )
  const money = (field: 'gross' | 'returned' | 'net') => (row: ReportRow) => (
    <span className="numeric">{formatMoney(row[field], row.currency)}</span>
  )
  const nameOf = ({ group, name }: ReportRow) => {
    if (name === '') return t('reports.without')
    if (by === 'network') return formatWord(group)
    // The rows may still belong to the earlier group.
    if (/^\d{4}-\d\d-\d\d$/.test(group)) return formatDate(group)
    return /^\d{4}-\d\d$/.test(group) ? formatMonth(group) : name
  }
  const isTotal = (row: ReportRow) => report.totals.includes(row)
  return (
    <>
      <Suspense fallback={<Skeleton h={CHART_PX} radius="md" />}>
        <ReportChart rows={report.rows} nameOf={nameOf} />
      </Suspense>
      <Paper withBorder>
        <DataTable
          title={t('reports.table')}
          rows={[...report.rows, ...report.totals]}
          keyOf={(row) => `${isTotal(row) ? 'total' : row.group} ${row.currency}`}
          columns={[
            {
              title: t(`reports.groups.${by}`),
              value: (row) => (isTotal(row) ? <strong>{t('reports.total')}</strong> : nameOf(row)),
            },
            { title: t('reports.count'), align: 'right', value: (row) => formatCount(row.count) },
            { title: t('reports.gross'), align: 'right', value: money('gross') },
            { title: t('reports.returned'), align: 'right', value: money('returned') },
            { title: t('reports.net'), align: 'right', value: money('net') },
          ]}
        />
      </Paper>
    </>
  )
}
