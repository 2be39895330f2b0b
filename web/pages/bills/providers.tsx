import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney, formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Facts } from '../../parts/facts.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { BillDifference, BillOffer, ProviderFloat } from '../../wire.ts'

const states = ['waiting', 'approved', 'rejected', 'superseded']
const kinds = ['new', 'gone', 'price', 'limits']

/** Bill providers: our floats there, our offers, and what differs from their catalogues. */
export default function Providers() {
  return (
    <>
      <BackLink to="/bills">Bills</BackLink>
      <ListPage<BillDifference>
        title="Bill providers"
        about="Your accounts at bill providers, what you offer there, and how their catalogues differ from your offers. A difference changes nothing for buyers before you approve it."
        path="/bill-differences"
        cards
        empty="The catalogues of the providers agree with your offers."
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
          { title: 'Provider’s code', value: (row) => namesOf(row.remote_service, row.remote_product) },
          { title: 'Offer', value: (row) => describeTerms(row.before, row.currency) },
          { title: 'Catalogue', value: (row) => describeTerms(row.after, row.currency) },
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
      {!has_place && <Text fz="sm">An operator chooses the service: `bills differences approve`.</Text>}
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
  const text = parts.filter(Boolean).join(', ') || 'any amount'
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function Floats() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/bill-floats'],
    queryFn: () => api.get<{ results: ProviderFloat[] }>('/bill-floats'),
    refetchInterval: 10_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const stated = data.results.filter(({ balance }) => balance !== null)
  if (stated.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {stated.map((float) => (
        <Float key={`${float.connection} ${float.currency}`} of={float} />
      ))}
    </SimpleGrid>
  )
}

/** Our account at one provider, and for how long its balance lasts. */
function Float({ of: float }: { of: ProviderFloat }) {
  const { connection, currency, balance, hours_left, low_since, short_since, reported, warn_below } = float
  const { spent_last_day, uncounted_last_day } = float
  const is_low = low_since !== null || short_since !== null
  return (
    <Stack gap="xs">
      {is_low && (
        <Alert color="orange" title={`Top up the account at ${connection}`}>
          {short_since === null ? 'Its balance is below the threshold.' : 'It will soon be empty.'} Purchases are
          refused when it has no money.
        </Alert>
      )}
      <Facts
        title={`Float at ${connection}`}
        facts={[
          ['Balance', <Money key="balance" amount={balance!} currency={currency} />],
          ['Lasts for', hours_left === null ? 'Nothing was sold in the last day' : describeHours(hours_left)],
          ['Spent in the last day', spent_last_day && formatMoney(spent_last_day, currency)],
          ...(uncounted_last_day
            ? [['Not counted', `${uncounted_last_day} purchases whose cost the provider has not stated`] as const]
            : []),
          ...(warn_below === null ? [] : [['Threshold', formatMoney(warn_below, currency)] as const]),
          ['Stated', <Time key="reported" at={reported} />],
        ]}
      />
    </Stack>
  )
}

function describeHours(hours: number): string {
  if (hours < 1) return 'Less than an hour'
  if (hours < 72) return `${formatCount(Math.floor(hours))} ${hours < 2 ? 'hour' : 'hours'}`
  return `${formatCount(Math.floor(hours / 24))} days`
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
      <DataTable
        title="Offers"
        rows={data.results}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Service', value: (offer) => namesOf(offer.service_type, offer.product_code) },
          { title: 'Provider', value: (offer) => offer.connection },
          { title: 'Provider’s code', value: (offer) => namesOf(offer.remote_service, offer.remote_product) },
          { title: 'Terms', value: (offer) => describeTerms(offer, offer.currency) },
          { title: 'Priority', align: 'right', value: (offer) => offer.priority },
          { title: 'For sale', value: saleWord },
        ]}
      />
      {data.count > data.results.length && (
        <Text fz="sm" c="dimmed" p="md">
          The first {formatCount(data.results.length)} of {formatCount(data.count)}. `bills offers list` has all.
        </Text>
      )}
    </Paper>
  )
}

/** A service, and its product where it is one with a price of its own. */
function namesOf(service: string, product: string | null): string {
  return [service, product].filter(Boolean).join(', ')
}

function saleWord({ enabled, is_available, off_sale }: BillOffer): string {
  if (!enabled) return 'No'
  if (off_sale !== null) return 'No: its price has risen'
  return is_available ? 'Yes' : 'No: the provider does not sell it now'
}
