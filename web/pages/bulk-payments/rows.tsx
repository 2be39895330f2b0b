import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney, formatPair, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { SearchInput } from '../../parts/fields/search-input.tsx'
import { ExportMenu, RefusedMenu } from '../../parts/files/export-menu.tsx'
import { readAll } from '../../parts/files/read-all.ts'
import type { Column } from '../../parts/list/column.ts'
import { useListSearch, useSetListSearch } from '../../parts/list/list-query.ts'
import { PageChoice, usePageSize } from '../../parts/list/page-choice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notifyProblem } from '../../parts/notify.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { BulkPaymentDetail, BulkRow, RefusedRows } from '../../wire.ts'

const TYPING_MS = 300
const filters = ['problems', 'warnings', 'names', 'left_out', 'refused', 'waiting', 'paid', 'failed'] as const

/** Rows of a file with their faults and states. */
export function Rows({ bulk }: { bulk: BulkPaymentDetail }) {
  const { may } = useSession()
  const address = useListSearch()
  const setAddress = useSetListSearch()
  const show = filters.find((one) => one === address.show)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS)
  const [page, setPage] = useState(1)
  const size = usePageSize()
  const path = `/bulk-payments/${bulk.id}/rows`
  const shown = { show, search: search || undefined }
  const query = { ...shown, limit: size, offset: (page - 1) * size }
  const { data, error, refetch } = useQuery({
    // A change of the sums causes a refresh.
    queryKey: ['/bulk-payments', 'rows', bulk.id, query, bulk.states, bulk.names, bulk.state],
    queryFn: () => api.get<List<BulkRow>>(path, query),
    placeholderData: keepPreviousData,
  })
  const editable = (bulk.state === 'draft' || bulk.state === 'stopped') && may('initiate_payments')
  return (
    <Panel
      title={t('bulk.rows')}
      actions={
        <Group gap="xs">
          <Select
            aria-label={t('bulk.show.label')}
            placeholder={t('bulk.show.all')}
            data={filters.map((value) => ({ value, label: t(`bulk.show.${value}`) }))}
            value={show ?? null}
            onChange={(value) => {
              setAddress({ show: value ?? undefined })
              setPage(1)
            }}
            clearable
          />
          <ExportMenu what={bulk.file_name} columns={columnsOf(bulk)} read={() => readAll<BulkRow>(path, shown)} />
          {bulk.with_problems + bulk.states.refused > 0 && (
            <RefusedMenu
              what={t('shell.nav.payments')}
              read={() => api.get<RefusedRows>(`/bulk-payments/${bulk.id}/refused`)}
            />
          )}
        </Group>
      }
    >
      {editable && <Decisions bulk={bulk} />}
      {bulk.rows > 1 && (
        <SearchInput
          label={t('payments.search')}
          value={typed}
          change={(text) => {
            setTyped(text)
            setPage(1)
          }}
        />
      )}
      {error ? (
        <Problem error={error} retry={refetch} />
      ) : !data ? (
        <Loading />
      ) : (
        <Table rows={data.results} bulk={bulk} />
      )}
      {data && <PageChoice count={data.count} size={size} page={page} choose={setPage} />}
      {data && data.count === 0 && <Text c="dimmed">{t('parts.no_match')}</Text>}
    </Panel>
  )
}

function useDecide(bulk: BulkPaymentDetail) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { rows: number[] | 'warned' | 'wrong'; decision: 'pay' | 'skip' | null }) =>
      api.post(`/bulk-payments/${bulk.id}/rows`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: ['/bulk-payments'] }),
    onError: notifyProblem,
  })
}

/** Decisions about all rows that need one. */
function Decisions({ bulk }: { bulk: BulkPaymentDetail }) {
  const decide = useDecide(bulk)
  const { with_problems, undecided } = bulk
  if (with_problems + undecided === 0) return null
  return (
    <Stack gap="xs">
      {with_problems > 0 && (
        <Group>
          <Text fz="sm">{t('bulk.decide.wrong', { count: with_problems })}</Text>
          <Button
            size="xs"
            variant="default"
            loading={decide.isPending}
            onClick={() => decide.mutate({ rows: 'wrong', decision: 'skip' })}
          >
            {t('bulk.decide.leave_out_all')}
          </Button>
        </Group>
      )}
      {undecided > 0 && (
        <Group>
          <Text fz="sm">{t('bulk.decide.warned', { count: undecided })}</Text>
          <Button
            size="xs"
            variant="default"
            loading={decide.isPending}
            onClick={() => decide.mutate({ rows: 'warned', decision: 'pay' })}
          >
            {t('bulk.decide.pay_all')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={decide.isPending}
            onClick={() => decide.mutate({ rows: 'warned', decision: 'skip' })}
          >
            {t('bulk.decide.leave_out_all')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function columnsOf(bulk: BulkPaymentDetail): Column<BulkRow>[] {
  return [
    { title: t('bulk.row'), align: 'right', value: (row) => row.id },
    {
      title: t('fields.phone_number'),
      value: (row) => <span className="numeric">{row.phonenumber || '—'}</span>,
      file: (row) => row.phonenumber,
    },
    { title: t('fields.name'), value: (row) => <Name row={row} />, file: (row) => row.name },
    {
      title: t('fields.amount'),
      align: 'right',
      value: (row) => (row.amount === null ? row.amount_text || '—' : formatMoney(row.amount, row.currency ?? '')),
      file: (row) => (row.amount === null ? row.amount_text : { amount: row.amount, currency: row.currency }),
    },
    { title: t('fields.network'), value: (row) => row.network ?? '—' },
    {
      title: t('fields.state'),
      status: true,
      value: (row) => <State row={row} bulk={bulk} />,
      file: (row) => t(`bulk.states.${row.state}`),
    },
    { title: t('bulk.remarks'), value: (row) => <Remarks row={row} />, file: describeRemarks },
  ]
}

function Table({ rows, bulk }: { rows: BulkRow[]; bulk: BulkPaymentDetail }) {
  return <DataTable title={t('bulk.rows')} rows={rows} keyOf={(row) => row.id} columns={columnsOf(bulk)} />
}

/** The remarks on a row in one text. */
function describeRemarks({ problems, warnings, last_error, description }: BulkRow): string {
  return [
    description,
    ...problems.map(({ column, message }) => `${formatWord(column)}: ${message}`),
    ...warnings.map(describeWarning),
    last_error,
  ]
    .filter(Boolean)
    .join(' ')
}

function describeWarning(warning: BulkRow['warnings'][number]): string {
  return warning.code === 'twice_in_file'
    ? t('bulk.warnings.twice_in_file', { rows: (warning.rows ?? []).map(formatCount).join(', ') })
    : t('bulk.warnings.paid_recently')
}

function Name({ row: { name, name_state, name_on_network } }: { row: BulkRow }) {
  const marked = name_state === 'differs' || name_state === 'not_registered'
  return (
    <>
      {name || '—'}
      {marked && (
        <Text fz="xs">
          <IconAlertTriangle size={12} color="var(--mantine-color-orange-7)" aria-hidden />{' '}
          {t(`bulk.names.${name_state}`, { name: name_on_network })}
        </Text>
      )}
    </>
  )
}

/** State of a row, and the decisions about it. */
function State({ row, bulk }: { row: BulkRow; bulk: BulkPaymentDetail }) {
  const { may } = useSession()
  const decide = useDecide(bulk)
  const { id, state, payment, decision, problems, warnings } = row
  if (payment !== null)
    return (
      <Stack gap={4} align="flex-start">
        <Status state={state} label={t(`bulk.states.${state}`)} />
        <Anchor component={Link} to={`/payments/${payment}`} fz="sm" underline="always">
          {t('fields.payment_id', { id: payment })}
        </Anchor>
      </Stack>
    )
  const editable = (bulk.state === 'draft' || bulk.state === 'stopped') && may('initiate_payments')
  const button = (to: 'pay' | 'skip' | null, label: string) => (
    <Button size="compact-xs" variant="default" onClick={() => decide.mutate({ rows: [id], decision: to })}>
      {label}
    </Button>
  )
  return (
    <Stack gap={4} align="flex-start">
      {decision === 'pay' ? (
        <Status state="confirmed" label={t('bulk.decide.confirmed')} />
      ) : (
        <Status state={state} label={t(`bulk.states.${state}`)} />
      )}
      {editable && (
        <Group gap={4}>
          {decision === null && warnings.length > 0 && problems.length === 0 && button('pay', t('bulk.decide.pay'))}
          {decision === null && button('skip', t('bulk.decide.leave_out'))}
          {decision !== null && button(null, t('bulk.decide.undo'))}
        </Group>
      )}
    </Stack>
  )
}

function Remarks({ row: { problems, warnings, last_error, description } }: { row: BulkRow }) {
  return (
    <Stack gap={2}>
      {description && <Text fz="sm">{description}</Text>}
      {problems.map(({ column, message }) => (
        <Text key={column + message} fz="sm">
          <IconAlertTriangle size={14} color="var(--mantine-color-red-7)" aria-hidden />{' '}
          {formatPair(formatWord(column), translateMessage(message))}
        </Text>
      ))}
      {warnings.map((warning) => (
        <Text key={warning.code} fz="sm">
          <IconAlertTriangle size={14} color="var(--mantine-color-orange-7)" aria-hidden /> {describeWarning(warning)}
          {(warning.payments ?? []).map((payment) => (
            <Anchor key={payment} component={Link} to={`/payments/${payment}`} fz="sm" ml={4} underline="always">
              {t('fields.payment_id', { id: payment })}
            </Anchor>
          ))}
          {(warning.bulk_payments ?? []).map((id) => (
            <Anchor key={id} component={Link} to={`/bulk-payments/${id}`} fz="sm" ml={4} underline="always">
              {t('bulk.number', { id })}
            </Anchor>
          ))}
        </Text>
      ))}
      {last_error && <Text fz="sm">{translateMessage(last_error)}</Text>}
    </Stack>
  )
}
