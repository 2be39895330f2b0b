import { Anchor, Badge, SegmentedControl, Text } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { Incoming } from '../../wire.ts'

const statuses = ['pending', 'successful', 'failed', 'reversed']

/** The list of collections. Money that no request asked for is highlighted. */
export default function Collections() {
  const search: { unmatched?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const unmatched = search.unmatched === 'true'
  return (
    <ListPage<Incoming>
      title="Collections"
      about="Money that came in, whether it was asked for or not."
      path="/incoming"
      fixed={{ unmatched: unmatched ? 'true' : undefined }}
      rowLink={(row) => `/collections/${row.id}`}
      empty={unmatched ? 'All money that came in was asked for, claimed or given back.' : 'No money came in yet.'}
      poll_ms={5_000}
      above={
        <SegmentedControl
          aria-label="Which"
          w="fit-content"
          data={[
            { value: 'false', label: 'All' },
            { value: 'true', label: 'Not asked for' },
          ]}
          value={String(unmatched)}
          onChange={(value) => navigate({ to: '.', search: (value === 'true' ? { unmatched: 'true' } : {}) as never })}
        />
      }
      filters={[
        { name: 'status', label: 'Status', choices: statuses },
        { name: 'phonenumber', label: 'Phone number', placeholder: '+256…' },
        { name: 'reference', label: 'Reference' },
        { name: 'created_after', label: 'After', kind: 'date' },
        { name: 'created_before', label: 'Before', kind: 'date' },
        { name: 'amount', label: 'Amount', placeholder: '1500', more: true },
        { name: 'currency', label: 'Currency', placeholder: 'UGX', more: true },
        { name: 'contact_first_name', label: 'First name', more: true },
        { name: 'contact_last_name', label: 'Last name', more: true },
        { name: 'collection_request', label: 'Request', placeholder: 'Its id', more: true },
        { name: 'remote_transaction_id', label: 'Network’s id', more: true },
        { name: 'network', label: 'Network', placeholder: 'sandbox', more: true },
        { name: 'modified_after', label: 'Changed after', kind: 'date', more: true },
        { name: 'modified_before', label: 'Changed before', kind: 'date', more: true },
      ]}
      columns={[
        { title: 'From', value: (row) => <Payer of={row} /> },
        {
          title: 'Amount',
          align: 'right',
          ordering: 'amount',
          value: (row) => <Money amount={row.amount} currency={row.currency} />,
        },
        { title: 'Status', value: (row) => <Status of={row.status} /> },
        { title: 'Asked for by', value: (row) => <Match of={row} /> },
        { title: 'Reference', value: (row) => row.reference ?? '—' },
        { title: 'Paid', ordering: 'created', value: (row) => <Time at={row.payment_date} /> },
      ]}
    />
  )
}

function Payer({ of: { phonenumber, contact } }: { of: Incoming }) {
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

/** The request that the money fulfilled, or the disposition of other money. */
export function Match({ of: { collection_request: request, standing, status } }: { of: Incoming }) {
  if (request)
    return (
      <Anchor component={Link} to={`/collectionrequests/${request.id}`} inherit>
        Request {request.id}
      </Anchor>
    )
  if (standing.claimed_by !== null) return <>Claimed by user {standing.claimed_by}</>
  if (/^0\.0+$/.test(standing.left)) return <>Nobody; given back</>
  const [color, text] =
    status === 'pending'
      ? ['yellow', 'You are being asked']
      : status === 'failed'
        ? ['red', 'In suspense']
        : ['orange', 'Nobody']
  return (
    <Badge variant="light" color={color} tt="none" miw="max-content">
      {text}
    </Badge>
  )
}
