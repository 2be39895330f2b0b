import { Alert, Button, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney, formatPercent, formatWord, joinParts } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Facts } from '../../parts/facts.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { BillDifference, BillOffer, ProviderFloat } from '../../wire.ts'

const states = ['waiting', 'approved', 'rejected', 'superseded']
const kinds = ['new', 'gone', 'price', 'limits']

/** Bill providers: our floats there, our offers, and the differences from their catalogues. */
export default function Providers() {
  return (
    <>
      <BackLink to="/bills">{t('shell.nav.bills')}</BackLink>
      <ListPage<BillDifference>
        title={t('bills.providers.title')}
        about={t('bills.providers.about')}
        path="/bill-differences"
        empty={t('bills.providers.none')}
        above={
          <>
            <Floats />
            <Offers />
          </>
        }
        filters={[
          { name: 'state', label: t('fields.state'), choices: states, noun: 'difference' },
          { name: 'kind', label: t('bills.providers.difference'), choices: kinds },
        ]}
        columns={[
          {
            name: 'difference',
            title: t('bills.providers.difference'),
            value: (row) => t('bills.providers.difference_of', { kind: formatWord(row.kind), name: row.name }),
          },
          { name: 'provider', title: t('bills.provider'), value: (row) => row.connection },
          {
            name: 'code',
            title: t('bills.providers.code'),
            value: (row) => namesOf(row.remote_service, row.remote_product),
          },
          { name: 'offer', title: t('bills.providers.offer'), value: (row) => describeTerms(row.before, row.currency) },
          {
            name: 'catalogue',
            title: t('bills.catalogue.title'),
            value: (row) => describeTerms(row.after, row.currency),
          },
          {
            name: 'found',
            title: t('bills.providers.found'),
            value: (row) => <Time at={row.found} />,
            file: (row) => ({ time: row.found }),
          },
          {
            name: 'state',
            title: t('fields.state'),
            status: true,
            value: (row) => <Decision difference={row} />,
            file: (row) => formatWord(row.state, 'difference'),
          },
        ]}
      />
    </>
  )
}

/** Buttons for a difference that waits, and its state otherwise. */
function Decision({ difference }: { difference: BillDifference }) {
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (verb: 'approve' | 'reject') => api.post(`/bill-differences/${difference.id}/${verb}`),
    onSettled: () =>
      Promise.all(['/bill-differences', '/bill-offers'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  if (difference.state !== 'waiting') return <Status state={difference.state} noun="difference" />
  const has_place = difference.kind !== 'new' || difference.suggestion !== null
  return (
    <Stack gap={4}>
      {difference.suggestion_name && (
        <Text fz="sm">
          {t('bills.providers.suggestion', { suggestion: describeSuggestion(difference.suggestion_name) })}
        </Text>
      )}
      {!has_place && (
        <Text fz="sm">
          <Trans i18nKey="bills.providers.no_place" components={{ code: <Code /> }} />
        </Text>
      )}
      <Group gap="xs">
        {has_place && (
          <Button size="compact-sm" variant="light" loading={decide.isPending} onClick={() => decide.mutate('approve')}>
            {t('bills.providers.approve')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" loading={decide.isPending} onClick={() => decide.mutate('reject')}>
          {t('bills.providers.reject')}
        </Button>
      </Group>
      <Problem error={decide.error} />
    </Stack>
  )
}

/** The category, the service, and the product where it is one. */
function describeSuggestion([category = '', ...names]: readonly string[]): string {
  return [formatWord(category), ...names].join(', ')
}

function describeTerms(terms: BillDifference['after'], currency: string): string {
  if (!terms) return '—'
  const { price, commission_percent, min, max } = terms
  const parts = [
    price && formatMoney(price, currency),
    commission_percent && t('bills.providers.commission', { percent: formatPercent(commission_percent) }),
    min && t('bills.providers.min', { money: formatMoney(min, currency) }),
    max && t('bills.providers.max', { money: formatMoney(max, currency) }),
  ]
  return joinParts(parts.filter((part) => typeof part === 'string')) || t('bills.providers.any_amount')
}

function Floats() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/bill-floats'],
    queryFn: () => api.get<{ results: ProviderFloat[] }>('/bill-floats'),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const stated = data.results.filter(({ balance }) => balance !== null)
  if (stated.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {stated.map((float) => (
        <Float key={`${float.connection} ${float.currency}`} float={float} />
      ))}
    </SimpleGrid>
  )
}

/** Our account at one provider, and for how long its balance lasts. */
function Float({ float }: { float: ProviderFloat }) {
  const { connection, currency, balance, hours_left, low_since, short_since, reported, warn_below } = float
  const { spent_last_day, uncounted_last_day } = float
  const is_low = low_since !== null || short_since !== null
  return (
    <Stack gap="xs">
      {is_low && (
        <Alert color="orange" title={t('bills.providers.top_up', { connection })}>
          {t(short_since === null ? 'bills.providers.below' : 'bills.providers.soon_empty')}
        </Alert>
      )}
      <Facts
        title={t('bills.providers.float', { connection })}
        facts={[
          [t('fields.balance'), <Money key="balance" amount={balance!} currency={currency} />],
          [
            t('bills.providers.lasts'),
            hours_left === null ? t('bills.providers.nothing_sold') : describeHours(hours_left),
          ],
          [t('bills.providers.spent'), spent_last_day && formatMoney(spent_last_day, currency)],
          ...(uncounted_last_day
            ? [
                [
                  t('bills.providers.uncounted'),
                  t('bills.providers.uncounted_text', { count: uncounted_last_day }),
                ] as const,
              ]
            : []),
          ...(warn_below === null
            ? []
            : [[t('bills.providers.threshold'), formatMoney(warn_below, currency)] as const]),
          [t('bills.providers.reported'), <Time key="reported" at={reported} />],
        ]}
      />
    </Stack>
  )
}

function describeHours(hours: number): string {
  if (hours < 1) return t('bills.providers.less_than_hour')
  if (hours < 72) return t('bills.providers.hours', { count: Math.floor(hours) })
  return t('bills.providers.days', { count: Math.floor(hours / 24) })
}

function Offers() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/bill-offers'],
    queryFn: () => api.get<List<BillOffer>>('/bill-offers', { limit: '100' }),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data || data.results.length === 0) return null
  return (
    <Paper withBorder>
      <Title order={2} fz="md" p="lg" pb="xs">
        {t('bills.providers.offers')}
      </Title>
      <DataTable
        title={t('bills.providers.offers')}
        rows={data.results}
        keyOf={({ id }) => id}
        columns={[
          { title: t('bills.service'), value: (offer) => namesOf(offer.service_name, offer.product_code) },
          { title: t('bills.provider'), value: (offer) => offer.connection },
          { title: t('bills.providers.code'), value: (offer) => namesOf(offer.remote_service, offer.remote_product) },
          { title: t('bills.providers.terms'), value: (offer) => describeTerms(offer, offer.currency) },
          { title: t('bills.providers.priority'), align: 'right', value: (offer) => offer.priority },
          { title: t('bills.providers.for_sale'), value: saleWord },
        ]}
      />
      {data.count > data.results.length && (
        <Text fz="sm" c="dimmed" p="md">
          <Trans
            i18nKey="bills.providers.first_of"
            values={{ shown: formatCount(data.results.length), total: formatCount(data.count) }}
            components={{ code: <Code /> }}
          />
        </Text>
      )}
    </Paper>
  )
}

/** Name a service, with its product if the product has its own price. */
function namesOf(service: string, product: string | null): string {
  return [service, product].filter(Boolean).join(', ')
}

function saleWord({ enabled, is_available, off_sale }: BillOffer): string {
  if (!enabled) return t('bills.providers.sale.no')
  if (off_sale !== null) return t('bills.providers.sale.price_risen')
  return t(is_available ? 'bills.providers.sale.yes' : 'bills.providers.sale.not_sold')
}
