import { Alert, Anchor, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, queryText } from '../api.ts'
import { countryName, formatMoney, formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../texts/index.ts'
import { translateMessage } from '../texts/messages.ts'
import type { PurchaseDetail } from '../wire.ts'
import { Attempts } from './bills/attempts.tsx'
import { Goods } from './bills/goods.tsx'

/** Purchase, with the provider's answer and the customer's goods. */
export default function PurchasePage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/purchases', id],
    queryFn: () => api.get<PurchaseDetail>(`/purchases/${id}`),
  })
  const requery = useMutation({
    mutationFn: () => api.post(`/purchases/${id}/requery`),
    onSuccess: () => notifications.show({ color: 'green', message: t('bills.requeried') }),
    onSettled: () => refetch(),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const waits = data.status === 'pending' && data.approvals < data.approvals_required
  return (
    <>
      <BackLink to="/bills">{t('shell.nav.bills')}</BackLink>
      <PageHead
        audited={['purchase', data.id]}
        title={t('bills.heading', { kind: formatWord(data.kind), account: data.account_number || data.phone })}
        about={
          <Group gap="xs" mt={6}>
            <Status state={data.status} noun="purchase" />{' '}
            {t('bills.purchase_id', { id: data.id, money: formatMoney(data.amount, data.currency) })}
          </Group>
        }
        actions={
          waits ? undefined : data.status === 'pending' ? (
            <Button loading={requery.isPending} onClick={() => requery.mutate()}>
              {t('bills.requery')}
            </Button>
          ) : (
            <Button variant="default" component={Link} to={buyAgainPath(data)}>
              {t('bills.buy.again')}
            </Button>
          )
        }
      />
      <Stack>
        <Problem error={requery.error} />
        {waits && (
          <Alert color="yellow" title={t('bills.waits_title')}>
            {t('bills.waits_text', { given: data.approvals, count: data.approvals_required })}{' '}
            <Anchor component={Link} to="/approvals" fz="sm" fw={600}>
              {t('shell.nav.approvals')}
            </Anchor>
          </Alert>
        )}
        {data.attention && (
          <Alert color="orange" title={t('bills.attention')}>
            {translateMessage(data.attention)}
          </Alert>
        )}
        <Details purchase={data} />
        <Attempts purchase={data} />
      </Stack>
    </>
  )
}

/** The form with the service and the customer of a purchase. */
function buyAgainPath({ kind, service_type, account_number: account, phone, amount }: PurchaseDetail): string {
  return `/bills/buy${queryText({ kind, service_type, account, phone, amount: amount.replace(/\.?0{1,4}$/, '') })}`
}

/** Charge to our account, as the provider states it. */
function chargeFact({ charged, charged_currency }: PurchaseDetail) {
  if (charged === null || charged_currency === null) return []
  return [[t('bills.charged'), <Money key="charged" amount={charged} currency={charged_currency} />] as const]
}

function Details({ purchase }: { purchase: PurchaseDetail }) {
  const { currency } = purchase
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Facts
        title={formatWord('purchase')}
        facts={[
          [t('bills.service'), purchase.service_name],
          [t('fields.country'), countryName(purchase.country)],
          [t('bills.for'), purchase.account_number],
          [t('bills.phone'), purchase.phone],
          [t('fields.amount'), <Money key="amount" amount={purchase.amount} currency={currency} />],
          [t('fields.fee'), <Money key="fee" amount={purchase.fee} currency={currency} />],
          [t('fields.reference'), purchase.agent_reference],
          [t('fields.created'), <Time key="created" at={purchase.created} />],
        ]}
      />
      <Stack>
        <Facts
          title={t('bills.provider')}
          facts={[
            [t('bills.provider'), purchase.biller],
            [t('bills.our_reference'), purchase.reference],
            [t('bills.provider_id'), purchase.remote_id],
            [
              t('bills.last_answer'),
              (purchase.message && translateMessage(purchase.message)) ??
                (purchase.outcome && formatWord(purchase.outcome, 'answer')),
            ],
            [t('fields.code'), purchase.failure_code],
            ...chargeFact(purchase),
            [t('bills.status_checks'), String(purchase.status_queries)],
            [t('bills.next_check'), <Time key="due" at={purchase.due_at} />],
          ]}
        />
        {purchase.sms.map((sms) => (
          <Facts
            key={sms.id}
            title={t('bills.sms.title')}
            facts={[
              [t('fields.to'), sms.phonenumber],
              [t('bills.sms.text'), sms.body],
              [t('fields.state'), <Status key="state" state={sms.state} />],
              [t('bills.sms.sender'), sms.sender],
              [t('bills.sms.sent'), <Time key="sent" at={sms.sent_at} />],
              ...(sms.last_error === null ? [] : [[t('fields.problem'), translateMessage(sms.last_error)] as const]),
            ]}
          />
        ))}
        <Goods purchase={purchase} />
      </Stack>
    </SimpleGrid>
  )
}
