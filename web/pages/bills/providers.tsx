import { Alert, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { BillDifference, BillOffer, ProviderFloat } from '../../wire.ts'

const states = ['waiting', 'approved', 'rejected', 'superseded']
const kinds = ['new', 'gone', 'price', 'limits']

/** What bill providers say: our floats there, our offers, and what differs from their catalogues. */
export default function Providers() {
  return (
    <>
      <BackLink to="/bills">Bills</BackLink>
      <ListPage<BillDifference>
        title="Bill providers"
        about="Their catalogues are read every night. What differs from our offers changes nothing for buyers before a person approves it."
        path="/bill-differences"
        empty="Providers sell what our offers say."
        csv={false}
        poll_ms={10_000}
        above={
          <>
            <Floats />
            <Offers />
          </>
        }
        filters={[
          { name: 'state', label: 'State', choices: states },
          { name: 'kind', label: 'Difference', choices: kinds },
        ]}
        columns={[
          { title: 'Difference', value: (row) => `${formatWord(row.kind)}: ${row.name}` },
          { title: 'Provider', value: (row) => row.connection },
          { title: 'Its name', value: (row) => [row.remote_service, row.remote_product].filter(Boolean).join(', ') },
          { title: 'Before', value: (row) => describeTerms(row.before, row.currency) },
          { title: 'Now', value: (row) => describeTerms(row.after, row.currency) },
          { title: 'Found', value: (row) => <Time at={row.found} /> },
          { title: 'State', value: (row) => <Decision of={row} /> },
        ]}
      />
    </>
  )
}

/** Buttons for a difference that waits, and its state otherwise. */
function Decision({ of: difference }: { of: BillDifference }) {
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (verb: 'approve' | 'reject') => api.post(`/bill-differences/${difference.id}/${verb}`),
    onSettled: () =>
      Promise.all(['/bill-differences', '/bill-offers'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  if (difference.state !== 'waiting') return <Status of={difference.state} />
  const has_place = difference.kind !== 'new' || difference.suggestion !== null
  return (
    <Stack gap={4}>
      {difference.suggestion && <Text fz="sm">As {difference.suggestion}</Text>}
      {!has_place && <Text fz="sm">An operator says which service this is: `bills differences approve`.</Text>}
      <Group gap="xs">
        {has_place && (
          <Button size="compact-sm" loading={decide.isPending} onClick={() => decide.mutate('approve')}>
            Approve
          </Button>
        )}
        <Button size="compact-sm" variant="default" loading={decide.isPending} onClick={() => decide.mutate('reject')}>
          Reject
        </Button>
      </Group>
      <Problem error={decide.error} />
    </Stack>
  )
}

function describeTerms(terms: BillDifference['after'], currency: string): string {
  if (!terms) return '—'
  const { price, commission_percent, min, max } = terms
  const parts = [
    price && formatMoney(price, currency),
    commission_percent && `${commission_percent} % commission`,
    min && `from ${formatMoney(min, currency)}`,
    max && `up to ${formatMoney(max, currency)}`,
  ]
  return parts.filter(Boolean).join(', ') || 'Any amount'
}

function Floats() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/bill-floats'],
    queryFn: () => api.get<{ results: ProviderFloat[] }>('/bill-floats'),
    refetchInterval: 10_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return data.results.map((float) => <Float key={`${float.connection} ${float.currency}`} of={float} />)
}

function Float({ of: float }: { of: ProviderFloat }) {
  const { connection, currency, balance, hours_left, low_since, short_since } = float
  if (balance === null) return null
  const lasts = hours_left === null ? '' : ` It lasts for ${Math.floor(hours_left)} hours at the pace of the last day.`
  return (
    <Alert
      color={low_since || short_since ? 'orange' : 'gray'}
      title={`${connection} has ${formatMoney(balance, currency)}`}
    >
      {low_since || short_since ? 'Put money into the account before purchases are refused.' : 'There is enough money.'}
      {lasts} Stated <Time at={float.reported} />.
    </Alert>
  )
}

function Offers() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/bill-offers'],
    queryFn: () => api.get<List<BillOffer>>('/bill-offers', { limit: '100' }),
    refetchInterval: 10_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data || data.results.length === 0) return null
  return (
    <Paper withBorder>
      <Title order={2} fz="md" p="lg" pb="xs">
        Offers
      </Title>
      <Table.ScrollContainer type="native" minWidth={700} tabIndex={0} role="region" aria-label="Offers">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Service</Table.Th>
              <Table.Th>Provider</Table.Th>
              <Table.Th>Its name</Table.Th>
              <Table.Th>Terms</Table.Th>
              <Table.Th ta="right">Priority</Table.Th>
              <Table.Th>Sold</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.results.map((offer) => (
              <Table.Tr key={offer.id}>
                <Table.Td>{[offer.service_type, offer.product_code].filter(Boolean).join(', ')}</Table.Td>
                <Table.Td>{offer.connection}</Table.Td>
                <Table.Td>{[offer.remote_service, offer.remote_product].filter(Boolean).join(', ')}</Table.Td>
                <Table.Td>{describeTerms(offer, offer.currency)}</Table.Td>
                <Table.Td ta="right" className="numeric">
                  {offer.priority}
                </Table.Td>
                <Table.Td>{soldWord(offer)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

function soldWord({ enabled, is_available, off_sale }: BillOffer): string {
  if (!enabled) return 'No'
  if (off_sale !== null) return 'No: its price has risen'
  return is_available ? 'Yes' : 'The provider does not sell it now'
}
