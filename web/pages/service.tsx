import { Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { countryName, formatCount, formatMoney, formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../texts/index.ts'
import { translateMessage } from '../texts/messages.ts'
import type { PriceList } from '../wire.ts'

type Product = PriceList['products'][number]

/** Service of the catalogue, with its products and prices. */
export default function ServicePage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/services', id],
    queryFn: () => api.get<PriceList>(`/services/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const { minimum_amount: least, maximum_amount: most } = data
  return (
    <>
      <BackLink to="/bills/catalogue">{t('bills.catalogue.title')}</BackLink>
      <PageHead
        title={data.name}
        about={
          <Group gap="xs" mt={6}>
            <Status state={data.enabled ? 'active' : 'inactive'} /> {formatWord(data.category)}
          </Group>
        }
      />
      <Stack>
        <Facts
          title={t('bills.service')}
          facts={[
            [
              t('fields.code'),
              <span key="code" className="code-text">
                {data.service_type}
              </span>,
            ],
            [t('fields.country'), countryName(data.country)],
            [t('fields.currency'), data.currency],
            ...(data.account_format === null
              ? []
              : [[t('bills.catalogue.account_number'), translateMessage(data.account_format)] as const]),
            ...(least === null ? [] : [[t('bills.catalogue.minimum'), formatMoney(least, data.currency)] as const]),
            ...(most === null ? [] : [[t('bills.catalogue.maximum'), formatMoney(most, data.currency)] as const]),
            [t('fields.changed'), <Time key="modified" at={data.modified} />],
          ]}
        />
        <Products products={data.products} currency={data.currency} />
      </Stack>
    </>
  )
}

function Products({ products, currency }: { products: Product[]; currency: string }) {
  if (products.length === 0)
    return (
      <Paper withBorder p="lg">
        <Text fz="sm">{t('bills.catalogue.no_prices')}</Text>
      </Paper>
    )
  return (
    <Paper withBorder>
      <Table.ScrollContainer
        type="native"
        minWidth={560}
        tabIndex={0}
        role="group"
        aria-label={t('bills.catalogue.products')}
      >
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('bills.catalogue.product')}</Table.Th>
              <Table.Th>{t('fields.code')}</Table.Th>
              <Table.Th>{t('fields.type')}</Table.Th>
              <Table.Th ta="right">{t('bills.catalogue.price')}</Table.Th>
              <Table.Th ta="right">{t('bills.catalogue.stock')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {products.map((product) => (
              <Table.Tr key={product.id}>
                <Table.Td>{product.name}</Table.Td>
                <Table.Td>{product.code}</Table.Td>
                <Table.Td>{formatWord(product.kind)}</Table.Td>
                <Table.Td ta="right" className="numeric">
                  {product.prices.map((one) => (
                    <div key={one.months}>{describePrice(one, currency)}</div>
                  ))}
                </Table.Td>
                <Table.Td ta="right" className="numeric">
                  {product.available === null ? '—' : formatCount(product.available)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

/** Zero months means a single purchase. */
function describePrice({ months, price }: Product['prices'][number], currency: string): string {
  const money = formatMoney(price, currency)
  return months === 0 ? money : t('bills.catalogue.price_for', { money, count: months })
}
