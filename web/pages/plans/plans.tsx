import { Text } from '@mantine/core'
import { formatCount, formatWord } from '../../format.ts'
import { namedCustomer } from '../../parts/list/contact-name.ts'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Plan } from '../../wire.ts'
import { NewCollectionRequest } from '../new-collection-request.tsx'

/** The list of recurring requests. */
export default function Plans() {
  const { may } = useSession()
  return (
    <ListPage<Plan>
      title={t('shell.nav.plans')}
      about={t('plans.about')}
      path="/plans"
      rowLink={(row) => `/plans/${row.id}`}
      primary={may('initiate_collections') && <NewCollectionRequest />}
      empty={t('plans.none')}
      filters={[
        { name: 'state', label: t('fields.state'), choices: ['active', 'paused', 'ended', 'stopped'], noun: 'plan' },
        { name: 'phonenumber', label: t('fields.phone_number'), placeholder: '+256…' },
        { name: 'currency', label: t('fields.currency'), placeholder: t('fields.examples.currency') },
      ]}
      columns={columns}
    />
  )
}

const columns: Column<Plan>[] = [
  {
    name: 'customer',
    title: t('fields.customer'),
    value: (row) => <Customer plan={row} />,
    file: (row) => namedCustomer(row.customer_name),
    beside: [{ title: t('fields.phone_number'), file: (row) => row.phonenumber }],
  },
  {
    name: 'amount',
    card: 'amount',
    title: t('fields.amount'),
    align: 'right',
    value: (row) => <Money amount={row.amount} currency={row.currency} />,
    file: (row) => row,
  },
  {
    name: 'frequency',
    card: 'note',
    title: t('requests.repeat.frequency'),
    value: (row) => row.frequencies.map((one) => formatWord(one)).join(', '),
  },
  {
    name: 'state',
    title: t('fields.state'),
    status: true,
    value: (row) => <Status state={row.state} noun="plan" />,
    file: (row) => formatWord(row.state, 'plan'),
  },
  {
    name: 'next_date',
    title: t('plans.next_date'),
    value: (row) => <Time at={row.next_date} />,
    file: (row) => ({ time: row.next_date }),
  },
  {
    name: 'collected',
    title: t('plans.collected'),
    align: 'right',
    value: (row) => <Money amount={row.collected_amount} currency={row.currency} />,
    file: (row) => ({ amount: row.collected_amount, currency: row.currency }),
  },
  {
    name: 'failed',
    title: t('plans.failed'),
    align: 'right',
    value: (row) => <span className="numeric">{formatCount(row.failed_count)}</span>,
    file: (row) => row.failed_count,
  },
  {
    name: 'id',
    title: t('fields.id'),
    align: 'right',
    ordering: 'id',
    value: (row) => <span className="numeric">{row.id}</span>,
    file: (row) => row.id,
  },
]

function Customer({ plan: { customer_name, phonenumber } }: { plan: Plan }) {
  const name = namedCustomer(customer_name)
  return (
    <>
      <span className="numeric">{phonenumber}</span>
      {name && (
        <Text fz="xs" c="dimmed" component="span" display="block">
          {name}
        </Text>
      )}
    </>
  )
}
