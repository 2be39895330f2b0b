import { Text } from '@mantine/core'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { CollectionRequest } from '../../wire.ts'
import { NewCollectionRequest } from '../new-collection-request.tsx'

const statuses = ['pending', 'processing_started', 'instructions_sent', 'successful', 'failed', 'expired', 'reversed']

/** The list of collection requests. */
export default function CollectionRequests() {
  const { may } = useSession()
  return (
    <ListPage<CollectionRequest>
      title="Collection requests"
      about="Money that customers were asked for."
      path="/collectionrequests"
      rowLink={(row) => `/collectionrequests/${row.id}`}
      actions={may('initiate_collections') && <NewCollectionRequest />}
      empty="No customer was asked for money yet."
      poll_ms={3_000}
      filters={[
        { name: 'status', label: 'Status', choices: statuses },
        { name: 'phonenumber', label: 'Phone number', placeholder: '+256…' },
        { name: 'currency', label: 'Currency', placeholder: 'UGX' },
        { name: 'created_after', label: 'After', kind: 'date' },
        { name: 'created_before', label: 'Before', kind: 'date' },
        { name: 'amount', label: 'Amount', placeholder: '1500', more: true },
        { name: 'reason', label: 'Reason', more: true },
        { name: 'contact_first_name', label: 'First name', more: true },
        { name: 'contact_last_name', label: 'Last name', more: true },
        { name: 'collection', label: 'Collection', placeholder: 'Its id', more: true },
        { name: 'remote_transaction_id', label: 'Network’s id', more: true },
        { name: 'network', label: 'Network', placeholder: 'sandbox', more: true },
        { name: 'modified_after', label: 'Changed after', kind: 'date', more: true },
        { name: 'modified_before', label: 'Changed before', kind: 'date', more: true },
      ]}
      columns={[
        { title: 'Customer', value: (row) => <Customer request={row} /> },
        {
          title: 'Amount',
          align: 'right',
          ordering: 'amount',
          value: (row) => <Money amount={row.amount} currency={row.currency} />,
        },
        { title: 'Status', value: (row) => <Status of={row.status} /> },
        { title: 'Reason', value: (row) => row.reason || '—' },
        { title: 'Asked', ordering: 'created', value: (row) => <Time at={row.created} /> },
        { title: 'Id', align: 'right', ordering: 'id', value: (row) => <span className="numeric">{row.id}</span> },
      ]}
    />
  )
}

function Customer({ request: { contact, phonenumber } }: { request: CollectionRequest }) {
  const name = `${contact.first_name} ${contact.last_name}`.trim()
  return (
    <>
      <span className="numeric">{phonenumber}</span>
      {name !== 'Anonymous Contact' && (
        <Text fz="xs" c="dimmed" component="span" display="block">
          {name}
        </Text>
      )}
    </>
  )
}
