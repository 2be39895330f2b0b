import { Alert, Button, Group, SimpleGrid, Stack } from '@mantine/core'
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
import type { PurchaseDetail } from '../wire.ts'
import { Attempts } from './bills/attempts.tsx'

/** One purchase, with the answer of the provider and what the customer got. */
export default function PurchasePage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/purchases', id],
    queryFn: () => api.get<PurchaseDetail>(`/purchases/${id}`),
    refetchInterval: 3_000,
  })
  const requery = useMutation({
    mutationFn: () => api.post(`/purchases/${id}/requery`),
    onSuccess: () => notifications.show({ color: 'green', message: 'The provider is asked now.' }),
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
              Ask the provider
            </Button>
          )
        }
      />
      <Stack>
        <Problem error={requery.error} />
        {data.attention && (
          <Alert color="orange" title="This purchase needs attention">
            {data.attention}
          </Alert>
        )}
        <Details purchase={data} />
        <Attempts purchase={data} />
      </Stack>
    </>
  )
}

/** What the provider says it has taken from our account there. */
function chargeFact({ charged, charged_currency }: PurchaseDetail) {
  if (charged === null || charged_currency === null) return []
  return [['Taken from our account', <Money key="charged" amount={charged} currency={charged_currency} />] as const]
}

/** Digits in groups of four, as people type them at a meter. */
function inGroups(digits: string): string {
  return digits.replace(/(.{4})(?=.)/g, '$1 ')
}

function Details({ purchase }: { purchase: PurchaseDetail }) {
  const { vended, currency } = purchase
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Facts
        title="Purchase"
        facts={[
          ['Service', purchase.service_type],
          ['Country', purchase.country],
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
          title="Provider"
          facts={[
            ['Provider', purchase.biller],
            ['Our reference', purchase.reference],
            ['Provider’s id', purchase.remote_id],
            ['Last answer', purchase.message ?? (purchase.outcome && formatWord(purchase.outcome))],
            ['Code', purchase.failure_code],
            ...chargeFact(purchase),
            ['Status checks', String(purchase.status_queries)],
            ['Next check', <Time key="due" at={purchase.due_at} />],
          ]}
        />
        {purchase.sms.map((sms) => (
          <Facts
            key={sms.id}
            title="SMS with the token"
            facts={[
              ['To', sms.phonenumber],
              ['Text', sms.body],
              ['State', <Status key="state" of={sms.state} />],
              ['Sent over', sms.sender],
              ['Sent', <Time key="sent" at={sms.sent_at} />],
              ...(sms.last_error === null ? [] : [['Problem', sms.last_error] as const]),
            ]}
          />
        ))}
        {vended && (
          <Facts
            title="What the customer got"
            facts={[
              ['Token', vended.token && inGroups(vended.token)],
              ['Power', vended.amount_of_power],
              ...vended.pins.map((pin) => [`Pin ${pin.serial_number}`, `${pin.pin}, until ${pin.expires_on}`] as const),
            ]}
          />
        )}
      </Stack>
    </SimpleGrid>
  )
}
