import { Anchor, Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney, formatTime, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { RequestBatch, RequestRow } from '../../wire.ts'

export const BATCHES = '/collectionrequests/batches'

const PAGE_SIZE = 50
const shown = {
  refused: ({ state }: RequestRow) => state === 'refused',
  warned: ({ warnings }: RequestRow) => warnings.length > 0,
} as const

/** Checked rows with their faults, a page at a time. */
export function RequestRows({ rows, source }: { rows: RequestRow[]; source: 'file' | 'tag' }) {
  const [which, setWhich] = useState<keyof typeof shown | null>(null)
  const [page, setPage] = useState(1)
  const chosen = which === null ? rows : rows.filter(shown[which])
  return (
    <Panel
      title={source === 'file' ? t('bulk.rows') : t('batches.tag.customers')}
      actions={
        <Select
          aria-label={t('bulk.show.label')}
          placeholder={t('bulk.show.all')}
          data={[
            { value: 'refused', label: formatWord('refused') },
            { value: 'warned', label: t('bulk.remarks') },
          ]}
          value={which}
          onChange={(value) => {
            setWhich(value === 'refused' || value === 'warned' ? value : null)
            setPage(1)
          }}
          clearable
        />
      }
    >
      {chosen.length === 0 && <Text c="dimmed">{t('parts.no_match')}</Text>}
      {chosen.length > 0 && <Rows rows={chosen.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} source={source} />}
      <PageChoice count={chosen.length} size={PAGE_SIZE} page={page} choose={setPage} />
    </Panel>
  )
}

function Rows({ rows, source }: { rows: RequestRow[]; source: 'file' | 'tag' }) {
  return (
    <DataTable
      title={t('bulk.rows')}
      rows={rows}
      keyOf={({ number }) => number}
      columns={[
        ...(source === 'file'
          ? [{ title: t('bulk.row'), align: 'right' as const, value: ({ number }: RequestRow) => number }]
          : []),
        {
          title: t('fields.state'),
          status: true,
          value: ({ state }) => (
            <Badge variant="dot" color={state === 'ready' ? 'green' : 'red'} tt="none" fw={500} miw="max-content">
              {state === 'ready' ? t('batches.file.ready') : formatWord('refused')}
            </Badge>
          ),
        },
        {
          title: t('fields.customer'),
          value: (row) => <Customer row={row} />,
        },
        {
          title: t('fields.amount'),
          align: 'right',
          value: ({ amount, currency }) => (amount === null ? '—' : formatMoney(amount, currency)),
        },
        { title: t('fields.reason'), value: ({ reason }) => reason || '—' },
        { title: t('fields.network'), value: ({ network }) => network ?? '—' },
        {
          title: t('request_batches.expiry'),
          value: ({ expiry_date }) => (expiry_date === null ? '—' : formatTime(expiry_date)),
        },
        { title: t('bulk.remarks'), value: (row) => <Remarks row={row} source={source} /> },
      ]}
    />
  )
}

/** Number and name of the customer, above the phone number. */
function Customer({ row: { customer_number, name, phone_number } }: { row: RequestRow }) {
  const customer = [customer_number, name].filter(Boolean).join(', ')
  return (
    <>
      {(customer || !phone_number) && <div>{customer || '—'}</div>}
      <div className="numeric no-break">{phone_number}</div>
    </>
  )
}

function Remarks({ row: { problems, warnings }, source }: { row: RequestRow; source: 'file' | 'tag' }) {
  return (
    <Stack gap={2} align="flex-start">
      {problems.map(({ column, message }) => (
        <Text key={column + message} fz="sm">
          <IconAlertTriangle size={14} color="var(--mantine-color-red-7)" aria-hidden /> {translateMessage(message)}
        </Text>
      ))}
      {warnings.map((warning) =>
        warning.code === 'twice' ? (
          <Text key={warning.code} fz="sm">
            {source === 'file' ? t('request_batches.twice', { row: warning.row }) : t('request_batches.twice_tag')}
          </Text>
        ) : (
          <Text key={warning.code} fz="sm">
            {t('request_batches.asked')}{' '}
            <Anchor component={Link} to={`/collectionrequests/${warning.request}`} fz="sm" underline="always">
              {warning.request}
            </Anchor>
          </Text>
        ),
      )}
    </Stack>
  )
}

function describeBatch({ made, skipped, refused }: RequestBatch): string {
  const counts = { made: formatCount(made), skipped: formatCount(skipped), refused: formatCount(refused) }
  return t('request_batches.outcome', counts)
}

/** Result of the new batch. */
export function Result({ batch, again }: { batch: RequestBatch; again(): void }) {
  return (
    <Panel title={t('request_batches.done')}>
      <Text role="status">{describeBatch(batch)}</Text>
      <Group>
        <Button component={Link} to="/collectionrequests">
          {t('shell.nav.collection_requests')}
        </Button>
        <Anchor component="button" type="button" fz="sm" underline="always" onClick={again}>
          {t('batches.file.another')}
        </Anchor>
      </Group>
    </Panel>
  )
}

const EARLIER = 10

/** The batches that were made, the newest first. */
export function EarlierBatches() {
  const [page, setPage] = useState(1)
  const query = { limit: EARLIER, offset: (page - 1) * EARLIER }
  const { data } = useQuery({
    queryKey: [BATCHES, query],
    queryFn: () => api.get<List<RequestBatch>>(BATCHES, query),
    placeholderData: keepPreviousData,
  })
  if (!data || data.count === 0) return null
  return (
    <Panel title={t('batches.file.earlier')}>
      <DataTable
        title={t('batches.file.earlier')}
        rows={data.results}
        keyOf={({ id }) => id}
        columns={[
          { title: t('bulk.file'), value: ({ name }) => <span className="any-break">{name}</span> },
          { title: t('fields.created'), value: ({ created }) => <Time at={created} /> },
          { title: t('bulk.by'), value: ({ author_name }) => author_name },
          {
            title: t('batches.result'),
            value: (batch) => (batch.finished ? describeBatch(batch) : t('request_batches.interrupted')),
          },
        ]}
      />
      <PageChoice count={data.count} size={EARLIER} page={page} choose={setPage} />
    </Panel>
  )
}
