import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatDate, formatMoney, formatWord } from '../../format.ts'
import { NO_VALUE } from '../../parts/list/column.ts'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Invoice } from '../../wire.ts'
import { AllMatching } from './all-matching.tsx'
import { invoiceActions } from './bulk.ts'

const columns: Column<Invoice>[] = [
  {
    name: 'number',
    title: t('invoices.fields.number'),
    value: (row) => (
      <span className="numeric" style={{ whiteSpace: 'nowrap' }}>
        {row.number ?? formatWord('draft')}
      </span>
    ),
    file: (row) => row.number ?? formatWord('draft'),
    ordering: 'id',
  },
  {
    name: 'customer',
    card: 'note',
    title: t('invoices.fields.customer'),
    value: (row) => row.customer_name || row.phonenumber,
  },
  {
    name: 'customer_number',
    title: t('invoices.fields.customer_number'),
    value: (row) => <span className="numeric no-break">{row.customer_number || NO_VALUE}</span>,
    file: (row) => row.customer_number,
  },
  {
    name: 'tags',
    title: t('invoices.fields.tags'),
    value: (row) => row.tags.join(', ') || NO_VALUE,
    file: (row) => row.tags.join(', '),
  },
  {
    name: 'total',
    card: 'amount',
    title: t('invoices.fields.total'),
    align: 'right',
    ordering: 'amount',
    value: (row) => <span className="numeric">{formatMoney(row.total, row.currency)}</span>,
    file: (row) => ({ amount: row.total, currency: row.currency }),
  },
  {
    name: 'paid',
    title: t('invoices.fields.paid'),
    align: 'right',
    value: (row) => <span className="numeric">{formatMoney(row.amount_paid, row.currency)}</span>,
    file: (row) => ({ amount: row.amount_paid, currency: row.currency }),
  },
  {
    name: 'open',
    title: t('invoices.fields.open'),
    align: 'right',
    value: (row) => <span className="numeric">{formatMoney(row.amount_open, row.currency)}</span>,
    file: (row) => ({ amount: row.amount_open, currency: row.currency }),
  },
  {
    name: 'state',
    title: t('invoices.fields.state'),
    status: true,
    value: (row) => <InvoiceStatus invoice={row} />,
    file: describeState,
  },
  {
    name: 'due',
    title: t('invoices.fields.due'),
    value: (row) => <span className="numeric no-break">{formatDate(row.due_date)}</span>,
    file: (row) => ({ day: row.due_date }),
  },
  {
    name: 'created',
    rare: true,
    title: t('invoices.fields.created'),
    ordering: 'created',
    value: (row) => <Time at={row.created} />,
    file: (row) => ({ time: row.created }),
  },
]

export default function Invoices() {
  const { may } = useSession()
  return (
    <ListPage<Invoice>
      title={t('invoices.title')}
      about={t('invoices.about')}
      path="/invoices"
      rowLink={(row) => `/invoices/${row.id}`}
      primary={
        may('initiate_collections') && (
          <Button component={Link} to="/invoices/new" leftSection={<IconPlus size={16} />}>
            {t('invoices.new')}
          </Button>
        )
      }
      actions={
        <>
          <Button component={Link} to="/invoices/by-tag" variant="default">
            {t('batches.sums.button')}
          </Button>
          {may('initiate_collections') && <ManyInvoices />}
        </>
      }
      empty={t('invoices.none')}
      bulk={invoiceActions(may('initiate_collections'))}
      rowName={({ id, number }) => number ?? `#${id}`}
      filters={[
        { name: 'number', label: t('invoices.fields.number'), placeholder: t('invoices.fields.number_example') },
        {
          name: 'state',
          label: t('invoices.fields.state'),
          choices: ['draft', 'issued', 'unpaid', 'part', 'paid', 'void'],
          noun: 'invoice',
        },
        { name: 'overdue', label: t('invoices.fields.overdue'), choices: ['true', 'false'] },
        { name: 'tag', label: t('invoices.fields.tag') },
        { name: 'customer_number', label: t('invoices.fields.customer_number'), more: true },
        { name: 'batch', label: t('invoices.fields.batch'), more: true },
        { name: 'phonenumber', label: t('invoices.fields.phonenumber'), placeholder: '+256…', more: true },
        { name: 'total', label: t('invoices.fields.total'), more: true },
        {
          name: 'currency',
          label: t('invoices.fields.currency'),
          placeholder: t('invoices.fields.currency_example'),
          more: true,
        },
        { name: 'due_after', label: t('invoices.fields.due_after'), placeholder: '2030-01-31', more: true },
        { name: 'due_before', label: t('invoices.fields.due_before'), placeholder: '2030-01-31', more: true },
      ]}
      columns={columns}
    />
  )
}

/** Ways to make many invoices, and actions on all that match the filters. */
function ManyInvoices() {
  return (
    <>
      <AllMatching />
      <Button component={Link} to="/invoices/for-tag" variant="default">
        {t('batches.tag.button')}
      </Button>
      <Button component={Link} to="/invoices/file" variant="default">
        {t('batches.file.button')}
      </Button>
    </>
  )
}

type InvoiceState = Pick<Invoice, 'state' | 'overdue' | 'amount_paid'>

/** The state of an invoice, and whether it is overdue. */
export function InvoiceStatus({ invoice }: { invoice: InvoiceState }) {
  return (
    <Group gap={4} component="span">
      {statesOf(invoice).map((state) => (
        <Status key={state} state={state} noun="invoice" />
      ))}
    </Group>
  )
}

function statesOf({ state, overdue, amount_paid }: InvoiceState): string[] {
  const is_part = state === 'issued' && amount_paid !== '0.0000'
  return [is_part ? 'part' : state, ...(overdue ? ['overdue'] : [])]
}

function describeState(invoice: InvoiceState): string {
  return statesOf(invoice)
    .map((state) => formatWord(state, 'invoice'))
    .join(', ')
}
