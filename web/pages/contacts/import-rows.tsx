import { Anchor, Badge, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatPair, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { RefusedMenu } from '../../parts/files/export-menu.tsx'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { ContactImport, ImportRow, RefusedRows } from '../../wire.ts'

const PAGE_SIZE = 50
const colors = { new: 'green', unnamed: 'blue', unnumbered: 'blue', known: 'gray', refused: 'red' } as const
const states = ['new', 'unnamed', 'unnumbered', 'known', 'refused'] as const

/** Rows of a checked file with their faults, a page at a time. */
export function ImportRows({ rows }: { rows: ImportRow[] }) {
  const [state, setState] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const shown = state === null ? rows : rows.filter((row) => row.state === state)
  return (
    <Panel
      title={t('bulk.rows')}
      actions={
        <Select
          aria-label={t('bulk.show.label')}
          placeholder={t('bulk.show.all')}
          data={states.map((value) => ({ value, label: t(`contacts.import.states.${value}`) }))}
          value={state}
          onChange={(value) => {
            setState(value)
            setPage(1)
          }}
          clearable
        />
      }
    >
      {shown.length === 0 && <Text c="dimmed">{t('parts.no_match')}</Text>}
      <Table rows={shown.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />
      <PageChoice count={shown.length} size={PAGE_SIZE} page={page} choose={setPage} />
    </Panel>
  )
}

function Table({ rows }: { rows: ImportRow[] }) {
  if (rows.length === 0) return null
  return (
    <DataTable
      title={t('bulk.rows')}
      rows={rows}
      keyOf={({ number }) => number}
      columns={[
        { title: t('bulk.row'), align: 'right', value: ({ number }) => number },
        { title: t('fields.state'), status: true, value: (row) => <State row={row} /> },
        {
          title: t('fields.phone_number'),
          value: ({ phone_number }) => <span className="numeric">{phone_number || '—'}</span>,
        },
        { title: t('fields.name'), value: ({ first_name, last_name }) => `${first_name} ${last_name}`.trim() || '—' },
        { title: t('contacts.number'), value: ({ customer_number }) => customer_number || '—' },
        { title: t('contacts.tags'), value: ({ tags }) => tags || '—' },
        { title: t('contacts.payers'), value: ({ payers }) => <span className="any-break">{payers || '—'}</span> },
        { title: t('fields.email'), value: ({ email }) => email || '—' },
        { title: t('bulk.remarks'), value: (row) => <Problems row={row} /> },
      ]}
    />
  )
}

function State({ row: { state } }: { row: ImportRow }) {
  return (
    <Badge variant="dot" color={colors[state]} tt="none" fw={500} miw="max-content">
      {t(`contacts.import.states.${state}`)}
    </Badge>
  )
}

function Problems({ row: { problems, contact } }: { row: ImportRow }) {
  if (problems.length === 0 && contact === null) return null
  return (
    <Stack gap={2} align="flex-start">
      {problems.map(({ column, message }) => (
        <Text key={column + message} fz="sm">
          <IconAlertTriangle size={14} color="var(--mantine-color-red-7)" aria-hidden />{' '}
          {formatPair(formatWord(column), translateMessage(message))}
        </Text>
      ))}
      {contact !== null && (
        <Anchor component={Link} to={`/contacts/${contact}`} fz="sm" underline="always">
          {t('contacts.contact')}
        </Anchor>
      )}
    </Stack>
  )
}

/** Button that saves the refused rows that an import has kept. */
export function KeptRefusedButton({ id, refused_kept }: ContactImport) {
  if (refused_kept === 0) return null
  return (
    <RefusedMenu
      size="xs"
      what={t('shell.nav.contacts')}
      read={() => api.get<RefusedRows>(`/contacts/imports/${id}/refused`)}
    />
  )
}
