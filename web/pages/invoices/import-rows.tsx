import { Anchor, Badge, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDate, formatMoney, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { BatchRow } from '../../wire.ts'

const PAGE_SIZE = 50
const shown = {
  refused: ({ state }: BatchRow) => state === 'refused',
  warned: ({ warnings }: BatchRow) => warnings.length > 0,
} as const

/** Rows of a checked file with their faults, a page at a time. */
export function BatchRows({ rows }: { rows: BatchRow[] }) {
  const [which, setWhich] = useState<keyof typeof shown | null>(null)
  const [page, setPage] = useState(1)
  const chosen = which === null ? rows : rows.filter(shown[which])
  return (
    <Panel
      title={t('bulk.rows')}
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
      {chosen.length > 0 && <Rows rows={chosen.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />}
      <PageChoice count={chosen.length} size={PAGE_SIZE} page={page} choose={setPage} />
    </Panel>
  )
}

function Rows({ rows }: { rows: BatchRow[] }) {
  return (
    <DataTable
      title={t('bulk.rows')}
      rows={rows}
      keyOf={({ number }) => number}
      columns={[
        { title: t('bulk.row'), align: 'right', value: ({ number }) => number },
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
          title: t('invoices.fields.customer'),
          value: ({ customer_number, phone_number, name }) =>
            [customer_number || phone_number, name].filter(Boolean).join(', ') || '—',
        },
        { title: t('batches.file.text'), value: ({ text }) => text || '—' },
        {
          title: t('invoices.lines.amount'),
          align: 'right',
          value: ({ amount, currency }) => (amount === null ? '—' : formatMoney(amount, currency)),
        },
        { title: t('invoices.fields.due'), value: ({ due_date }) => (due_date === null ? '—' : formatDate(due_date)) },
        { title: t('bulk.remarks'), value: (row) => <Remarks row={row} /> },
      ]}
    />
  )
}

function Remarks({ row: { problems, warnings } }: { row: BatchRow }) {
  return (
    <Stack gap={2} align="flex-start">
      {problems.map(({ column, message }) => (
        <Text key={column + message} fz="sm">
          <IconAlertTriangle size={14} color="var(--mantine-color-red-7)" aria-hidden /> {translateMessage(message)}
        </Text>
      ))}
      {warnings.map((warning) =>
        warning.code === 'twice_in_file' ? (
          <Text key={warning.code} fz="sm">
            {t('batches.file.twice', { row: warning.row })}
          </Text>
        ) : (
          <Text key={warning.code} fz="sm">
            {t('batches.file.open')}{' '}
            <Anchor component={Link} to={`/invoices/${warning.invoice}`} fz="sm" underline="always">
              {warning.number ?? t('batches.file.draft', { id: warning.invoice })}
            </Anchor>
          </Text>
        ),
      )}
    </Stack>
  )
}
