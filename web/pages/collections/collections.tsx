import { Anchor, Badge, SegmentedControl, Text } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { formatWord } from '../../format.ts'
import { searchFilter } from '../../parts/filters.tsx'
import { contactName } from '../../parts/list/contact-name.ts'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { Incoming } from '../../wire.ts'

const statuses = ['pending', 'successful', 'failed', 'reversed']

const columns: Column<Incoming>[] = [
  {
    name: 'payer',
    title: t('fields.payer'),
    value: (row) => <Payer collection={row} />,
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
    value: (row) => <Status state={row.status} noun="collection" />,
    file: (row) => formatWord(row.status, 'collection'),
  },
  {
    name: 'request',
    card: 'note',
    title: t('fields.request'),
    value: (row) => <Match collection={row} />,
    file: describeMatch,
  },
  { name: 'reference', title: t('fields.reference'), value: (row) => row.reference ?? '—' },
  {
    name: 'paid',
    card: 'note',
    title: t('fields.paid'),
    ordering: 'created',
    value: (row) => <Time at={row.payment_date} />,
    file: (row) => ({ time: row.payment_date }),
  },
]

/** The list of collections. Unsolicited payments are highlighted. */
export default function Collections() {
  const search: { unmatched?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const unmatched = search.unmatched === 'true'
  return (
    <ListPage<Incoming>
      title={t('shell.nav.collections')}
      about={t('collections.about')}
      path="/incoming"
      fixed={{ unmatched: unmatched ? 'true' : undefined }}
      rowLink={(row) => `/collections/${row.id}`}
      empty={t(unmatched ? 'collections.none_unmatched' : 'collections.none')}
      bulk={[]}
      above={
        <SegmentedControl
          aria-label={t('collections.which')}
          w="fit-content"
          data={[
            { value: 'false', label: t('collections.all') },
            { value: 'true', label: t('collections.unmatched') },
          ]}
          value={String(unmatched)}
          onChange={(value) => navigate({ to: '.', search: (value === 'true' ? { unmatched: 'true' } : {}) as never })}
        />
      }
      filters={[
        searchFilter(t('parts.search.collections')),
        { name: 'status', label: t('fields.status'), choices: statuses, noun: 'collection' },
        { name: 'days', label: t('fields.created'), kind: 'days' },
        { name: 'amount', label: t('fields.amount'), placeholder: '1500', more: true },
        { name: 'currency', label: t('fields.currency'), placeholder: t('fields.examples.currency'), more: true },
        { name: 'phonenumber', label: t('fields.phone_number'), placeholder: '+256…', more: true },
        { name: 'collection_request', label: t('fields.request'), placeholder: t('fields.id'), more: true },
        { name: 'remote_transaction_id', label: t('fields.network_id'), more: true },
        { name: 'network', label: t('fields.network'), placeholder: t('fields.examples.network'), more: true },
        { name: 'modified_after', label: t('fields.modified_after'), kind: 'date', more: true },
        { name: 'modified_before', label: t('fields.modified_before'), kind: 'date', more: true },
      ]}
      columns={columns}
    />
  )
}

function Payer({ collection: { phonenumber, contact } }: { collection: Incoming }) {
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

/** The request that the money fulfilled, or the disposition of other money. */
export function Match({ collection }: { collection: Incoming }) {
  const { collection_request: request, status } = collection
  const text = describeMatch(collection)
  if (request)
    return (
      <Anchor component={Link} to={`/collectionrequests/${request.id}`} inherit underline="always">
        {text}
      </Anchor>
    )
  if (!isOpen(collection)) return <>{text}</>
  const color = status === 'pending' ? 'yellow' : status === 'failed' ? 'red' : 'orange'
  return (
    <Badge variant="light" color={color} tt="none" miw="max-content">
      {text}
    </Badge>
  )
}

/** Return true while nobody has decided about the money. */
function isOpen({ collection_request: request, standing, status }: Incoming): boolean {
  if (request || standing.claimed_by !== null || hasGone(standing)) return false
  return status !== 'successful' || standing.unmatched
}

function hasGone({ left }: Incoming['standing']): boolean {
  return /^0\.0+$/.test(left)
}

/** Say in words what the money is for. */
function describeMatch(collection: Incoming): string {
  const { collection_request: request, standing, status } = collection
  if (request) return t('fields.request_id', { id: request.id })
  if (standing.claimed_by !== null) return t('collections.claimed', { id: standing.claimed_by })
  if (hasGone(standing)) return t('collections.returned')
  if (!isOpen(collection)) return t('collections.matched')
  if (status === 'pending') return t('collections.pending')
  return t(status === 'failed' ? 'collections.suspense' : 'collections.unmatched')
}
