import { Anchor, Button, Group, Radio, Stack, Switch, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { BatchSum, InvoiceBatch } from '../../wire.ts'

export const BATCHES = '/invoices/batches'

/** Decisions before invoices are made. */
export interface BatchChoice {
  duplicates: 'skip' | 'create'
  issue: boolean
}

/** Choices for a batch: whether duplicates are skipped, and whether its invoices are issued. */
export function BatchChoiceFields(props: { value: BatchChoice; asks: boolean; change(value: BatchChoice): void }) {
  const { value, asks, change } = props
  return (
    <>
      {asks && (
        <Radio.Group
          label={t('batches.duplicates')}
          value={value.duplicates}
          onChange={(chosen) => change({ ...value, duplicates: chosen === 'create' ? 'create' : 'skip' })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="skip" label={t('batches.skip')} />
            <Radio value="create" label={t('batches.create')} />
          </Stack>
        </Radio.Group>
      )}
      <Switch
        label={t('batches.issue')}
        description={t('batches.issue_about')}
        checked={value.issue}
        onChange={(event) => change({ ...value, issue: event.currentTarget.checked })}
      />
    </>
  )
}

/** Sums by currency in words, such as `120 invoices, UGX 102,000,000`. */
export function describeSums(sums: readonly BatchSum[]): string {
  if (sums.length === 0) return t('batches.nothing')
  return sums
    .map(({ currency, invoices, total }) => t('batches.sum', { count: invoices, money: formatMoney(total, currency) }))
    .join('; ')
}

/** Describe the result of a batch. */
export function describeBatch({ made, skipped, refused }: InvoiceBatch): string {
  return t('batches.outcome', {
    made: formatCount(made),
    skipped: formatCount(skipped),
    refused: formatCount(refused),
  })
}

export function BatchResult({ batch, again }: { batch: InvoiceBatch; again(): void }) {
  return (
    <Panel title={t('batches.file.done')}>
      <Text role="status">{describeBatch(batch)}</Text>
      <Group>
        <ShowButton batch={batch} />
        <Anchor component="button" type="button" fz="sm" underline="always" onClick={again}>
          {t('batches.file.another')}
        </Anchor>
      </Group>
    </Panel>
  )
}

function ShowButton({ batch, small }: { batch: InvoiceBatch; small?: boolean }) {
  return (
    <Button component={Link} to={`/invoices?batch=${batch.id}`} {...(small && { size: 'xs', variant: 'default' })}>
      {t('batches.show')}
    </Button>
  )
}

const EARLIER = 10

/** The batches that were made, the newest first. */
export function EarlierBatches() {
  const [page, setPage] = useState(1)
  const query = { limit: EARLIER, offset: (page - 1) * EARLIER }
  const { data } = useQuery({
    queryKey: [BATCHES, query],
    queryFn: () => api.get<List<InvoiceBatch>>(BATCHES, query),
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
            value: (batch) => (
              <Stack gap="xs" align="flex-start">
                {batch.finished ? describeBatch(batch) : t('batches.file.interrupted')}
                <ShowButton batch={batch} small />
              </Stack>
            ),
          },
        ]}
      />
      <PageChoice count={data.count} size={EARLIER} page={page} choose={setPage} />
    </Panel>
  )
}
