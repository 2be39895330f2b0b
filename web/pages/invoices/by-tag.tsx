import { Anchor, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { FileMenu } from '../../parts/files/file-menu.tsx'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { t } from '../../texts/index.ts'
import type { CustomerSum, TagSum } from '../../wire.ts'

const money = (amount: string, currency: string | null) => (currency === null ? '—' : formatMoney(amount, currency))

/** Invoiced, paid and open sums by tag, and the customers of the tag in the address. */
export default function InvoicesByTag() {
  const { tag }: { tag?: string } = useSearch({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/invoices/tags'],
    queryFn: () => api.get<{ results: TagSum[] }>('/invoices/tags'),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/invoices">{t('invoices.title')}</BackLink>
      <PageHead title={t('batches.sums.title')} about={t('batches.sums.about')} />
      <Stack>
        <Panel title={t('batches.sums.button')}>
          {data.results.length === 0 ? <Text c="dimmed">{t('batches.sums.none')}</Text> : <Tags sums={data.results} />}
        </Panel>
        {tag && <Customers key={tag} tag={tag} />}
      </Stack>
    </>
  )
}

function Tags({ sums }: { sums: TagSum[] }) {
  return (
    <DataTable
      title={t('batches.sums.title')}
      rows={sums}
      keyOf={({ tag, currency }) => `${tag} ${currency}`}
      columns={[
        {
          title: t('batches.sums.tag'),
          value: ({ tag }) =>
            tag === null ? (
              t('batches.sums.without')
            ) : (
              <Anchor
                component={Link}
                to={`/invoices/by-tag?tag=${encodeURIComponent(tag)}`}
                fz="sm"
                underline="always"
              >
                {tag}
              </Anchor>
            ),
        },
        { title: t('batches.sums.invoices'), align: 'right', value: ({ invoices }) => formatCount(invoices) },
        { title: t('batches.sums.invoiced'), align: 'right', value: (row) => money(row.invoiced, row.currency) },
        { title: t('invoices.fields.paid'), align: 'right', value: (row) => money(row.paid, row.currency) },
        { title: t('invoices.fields.open'), align: 'right', value: (row) => money(row.open, row.currency) },
        { title: t('batches.sums.paid_up'), align: 'right', value: (row) => formatCount(row.paid_invoices) },
        { title: t('batches.sums.part'), align: 'right', value: (row) => formatCount(row.part_invoices) },
        { title: t('batches.sums.unpaid'), align: 'right', value: (row) => formatCount(row.unpaid_invoices) },
        { title: t('invoices.fields.overdue'), align: 'right', value: (row) => formatCount(row.overdue_invoices) },
      ]}
    />
  )
}

const PAGE_SIZE = 50

/** Class list: the customers with a tag by name, with their open and paid amounts. */
function Customers({ tag }: { tag: string }) {
  const [page, setPage] = useState(1)
  const query = { tag, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
  const { data, error, refetch } = useQuery({
    queryKey: ['/invoices/customers', query],
    queryFn: () => api.get<List<CustomerSum>>('/invoices/customers', query),
    placeholderData: keepPreviousData,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <Panel
      title={t('batches.sums.customers', { tag })}
      actions={
        <>
          <Anchor component={Link} to={`/invoices?tag=${encodeURIComponent(tag)}`} fz="sm" underline="always">
            {t('batches.sums.all')}
          </Anchor>
          <FileMenu path="/invoices/customers/file" query={{ tag }} name={`customers-${tag}`} />
        </>
      }
    >
      <DataTable
        title={t('batches.sums.customers', { tag })}
        rows={data.results}
        keyOf={({ contact, currency }) => `${contact} ${currency}`}
        columns={[
          {
            title: t('invoices.fields.customer_number'),
            value: ({ customer_number }) => <span className="numeric no-break">{customer_number ?? '—'}</span>,
          },
          {
            title: t('fields.name'),
            value: ({ contact, name, phonenumber }) => (
              <Anchor component={Link} to={`/contacts/${contact}`} fz="sm">
                {name || phonenumber || `#${contact}`}
              </Anchor>
            ),
          },
          { title: t('batches.sums.invoiced'), align: 'right', value: (row) => money(row.invoiced, row.currency) },
          { title: t('invoices.fields.paid'), align: 'right', value: (row) => money(row.paid, row.currency) },
          { title: t('invoices.fields.open'), align: 'right', value: (row) => money(row.open, row.currency) },
          {
            title: t('fields.state'),
            status: true,
            value: ({ state, overdue }) => (
              <>
                <Status state={state} noun="invoice" /> {overdue && <Status state="overdue" noun="invoice" />}
              </>
            ),
          },
        ]}
      />
      <PageChoice count={data.count} size={PAGE_SIZE} page={page} choose={setPage} />
    </Panel>
  )
}
