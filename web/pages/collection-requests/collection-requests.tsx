import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatWord } from '../../format.ts'
import { searchFilter } from '../../parts/filters.tsx'
import { contactName } from '../../parts/list/contact-name.ts'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest } from '../../wire.ts'
import { NewCollectionRequest } from '../new-collection-request.tsx'
import { requestActions } from './bulk.ts'

const statuses = ['pending', 'processing_started', 'instructions_sent', 'successful', 'failed', 'expired', 'reversed']

const columns: Column<CollectionRequest>[] = [
  {
    name: 'customer',
    title: t('fields.customer'),
    value: (row) => <Customer request={row} />,
    file: ({ contact }) => contactName(contact),
    beside: [{ title: t('fields.phone_number'), file: (row) => row.phonenumber }],
  },
  {
    name: 'amount',
    card: 'amount',
    title: t('fields.amount'),
    align: 'right',
    ordering: 'amount',
    value: (row) => <Money amount={row.amount} currency={row.currency} />,
    file: (row) => row,
  },
  {
    name: 'status',
    title: t('fields.status'),
    status: true,
    value: (row) => <Status state={row.status} noun="collectionrequest" />,
    file: (row) => formatWord(row.status, 'collectionrequest'),
  },
  { name: 'reason', title: t('fields.reason'), value: (row) => row.reason || '—' },
  {
    name: 'requested',
    card: 'note',
    title: t('requests.requested'),
    ordering: 'created',
    value: (row) => <Time at={row.created} />,
    file: (row) => ({ time: row.created }),
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

export default function CollectionRequests() {
  const { may } = useSession()
  return (
    <ListPage<CollectionRequest>
      title={t('shell.nav.collection_requests')}
      about={t('requests.about')}
      path="/collectionrequests"
      source="/requests"
      rowLink={(row) => `/collectionrequests/${row.id}`}
      primary={may('initiate_collections') && <NewCollectionRequest />}
      actions={
        may('initiate_collections') && (
          <Button component={Link} to="/collectionrequests/many" variant="default">
            {t('request_batches.button')}
          </Button>
        )
      }
      empty={t('requests.none')}
      bulk={requestActions(may('initiate_collections'))}
      filters={[
        searchFilter(t('parts.search.requests')),
        { name: 'status', label: t('fields.status'), choices: statuses, noun: 'collectionrequest' },
        { name: 'days', label: t('fields.created'), kind: 'days' },
        { name: 'amount', label: t('fields.amount'), placeholder: '1500', more: true },
        { name: 'currency', label: t('fields.currency'), placeholder: t('fields.examples.currency'), more: true },
        { name: 'phonenumber', label: t('fields.phone_number'), placeholder: '+256…', more: true },
        { name: 'collection', label: t('fields.collection'), placeholder: t('fields.id'), more: true },
        { name: 'remote_transaction_id', label: t('fields.network_id'), more: true },
        { name: 'network', label: t('fields.network'), placeholder: t('fields.examples.network'), more: true },
        { name: 'plan', label: t('plans.plan'), placeholder: t('fields.id'), more: true },
        { name: 'modified_after', label: t('fields.modified_after'), kind: 'date', more: true },
        { name: 'modified_before', label: t('fields.modified_before'), kind: 'date', more: true },
      ]}
      columns={columns}
    />
  )
}

function Customer({ request: { contact, phonenumber } }: { request: CollectionRequest }) {
  const name = contactName(contact)
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
