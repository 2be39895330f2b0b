import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatMoney, formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import type { Purchase } from '../wire.ts'

/** One purchase, with the answer of the biller and what the customer got. */
export default function PurchasePage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/purchases', id],
    queryFn: () => api.get<Purchase>(`/purchases/${id}`),
    refetchInterval: 3_000,
  })
  const requery = useMutation({
    mutationFn: () => api.post(`/purchases/${id}/requery`),
    onSuccess: () => notifications.show({ color: 'green', message: 'The biller is asked now.' }),
    onSettled: () => refetch(),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/bills">Bills</BackLink>
      <PageHead
        title={`${formatWord(data.kind)} for ${data.account_number || data.phone}`}
        about={
          <Group gap="xs" mt={6}>
            <Status of={data.status} /> Purchase {data.id}, {formatMoney(data.amount, data.currency)}
          </Group>
        }
        actions={
          data.status === 'pending' && (
            <Button loading={requery.isPending} onClick={() => requery.mutate()}>
              Ask the biller
            </Button>
          )
        }
      />
      <Stack>
        <Problem error={requery.error} />
        <Details purchase={data} />
      </Stack>
    </>
  )
}

function Details({ purchase }: { purchase: Purchase }) {
  const { vended, currency } = purchase
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Facts
        title="Purchase"
        facts={[
          ['Service', purchase.service_type],
          ['Account', purchase.account_number],
          ['Phone', purchase.phone],
          ['Amount', <Money key="amount" amount={purchase.amount} currency={currency} />],
          ['Fee', <Money key="fee" amount={purchase.fee} currency={currency} />],
          ['Reference', purchase.agent_reference],
          ['Bought', <Time key="created" at={purchase.created} />],
        ]}
      />
      <Stack>
        <Facts
          title="The biller"
          facts={[
            ['Biller', purchase.biller],
            ['Knows it as', purchase.reference],
            ['Its own id', purchase.remote_id],
            ['Said', purchase.message ?? (purchase.outcome && formatWord(purchase.outcome))],
            ['Code', purchase.failure_code],
            ['Asked', `${purchase.status_queries} times`],
            ['Next asked', <Time key="due" at={purchase.due_at} />],
          ]}
        />
        {vended && (
          <Facts
            title="What the customer got"
            facts={[
              ['Token', vended.token],
              ['Power', vended.amount_of_power],
              ...vended.pins.map((pin) => [`Pin ${pin.serial_number}`, `${pin.pin}, until ${pin.expires_on}`] as const),
            ]}
          />
        )}
      </Stack>
    </SimpleGrid>
  )
}
