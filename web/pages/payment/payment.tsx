import { Alert, Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Json } from '../../parts/json.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { refundReasons } from '../../parts/refund-dialog.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { PaymentTimeline } from '../../parts/timeline/payment-timeline.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { LatePayout, PaymentDetails, PaymentSummary, RequestAction } from '../../wire.ts'
import { describeRecipients } from '../payments/describe-recipients.ts'
import { Decisions } from './decisions.tsx'
import { ApprovalNotice, People } from './people.tsx'
import { Recipients } from './recipients.tsx'

/** Payment: the people, the recipients, the history, and the possible decisions. */
export default function PaymentPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/payments', id],
    queryFn: () => api.get<PaymentSummary>(`/payment-summaries/${id}`),
  })
  const details = useDetails(id)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/payments">{t('shell.nav.payments')}</BackLink>
      <PageHead
        title={t('payments.heading', {
          money: formatMoney(data.amount, data.currency),
          recipients: describeRecipients(data),
        })}
        about={
          <Group gap="xs" mt={6}>
            <Status state={data.state} noun="payment" /> {t('payments.payment_id', { id: data.id })}
          </Group>
        }
        actions={<Decisions payment={data} details={details} />}
      />
      <Stack>
        <ApprovalNotice payment={data} details={details} />
        <LateNotice payment={data} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <Summary payment={data} details={details} />
            <Refund payment={data.id} />
          </Stack>
          {details && <People payment={data} details={details} />}
        </SimpleGrid>
        {details && <Recipients payment={data} details={details} />}
        <SimpleGrid cols={{ base: 1, lg: hasMetadata(data) ? 2 : 1 }}>
          <Panel title={t('payments.timeline.title')}>
            <PaymentTimeline payment={data.id} />
          </Panel>
          {hasMetadata(data) && <Json value={data.metadata} label={t('payments.metadata')} />}
        </SimpleGrid>
      </Stack>
    </>
  )
}

/** Read the names, checks and fees that the API does not show. */
function useDetails(id: string | undefined): PaymentDetails | undefined {
  const { data } = useQuery({
    queryKey: ['/payments', id, 'details'],
    queryFn: () => api.get<PaymentDetails>(`/payments/${id}/details`),
  })
  return data
}

function hasMetadata({ metadata }: PaymentSummary): boolean {
  return Object.keys(metadata).length > 0
}

/** Say that the network sent money after it had reported a failure, until a person has looked into it. */
function LateNotice({ payment }: { payment: PaymentSummary }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['/late-payouts', payment.id],
    queryFn: () => api.get<{ results: LatePayout[] }>('/late-payouts', { payment: String(payment.id), open: 'true' }),
  })
  const late = data?.results ?? []
  if (late.length === 0) return null
  return (
    <Alert color="orange" title={t('payments.late.title')}>
      <Stack gap="xs" align="flex-start">
        {late.map(({ id, phonenumber, amount, currency, booked }) => (
          <div key={id}>
            {t(booked ? 'payments.late.booked' : 'payments.late.not_booked', {
              money: formatMoney(amount, currency),
              phonenumber,
            })}
          </div>
        ))}
        <div>{t('payments.late.check')}</div>
        {may('initiate_payments') && (
          <Confirm
            button={t('payments.review.button')}
            title={t('payments.review.title')}
            act={() => api.post(`/payments/${payment.id}/review`)}
            done={async () => {
              await client.invalidateQueries({ queryKey: ['/late-payouts'] })
              await client.invalidateQueries({ queryKey: ['home'] })
            }}
          >
            {t('payments.review.text')}
          </Confirm>
        )}
      </Stack>
    </Alert>
  )
}

function Summary({ payment, details }: { payment: PaymentSummary; details: PaymentDetails | undefined }) {
  const { currency } = payment
  return (
    <Facts
      title={formatWord('payment')}
      facts={[
        [t('fields.type'), formatWord(payment.payment_type)],
        [t('fields.description'), payment.description],
        ...(details?.bulk_payment
          ? [
              [
                t('bulk.file'),
                <Anchor key="file" component={Link} to={`/bulk-payments/${details.bulk_payment.id}`} inherit>
                  {details.bulk_payment.file_name}
                </Anchor>,
              ] as const,
            ]
          : []),
        [t('payments.fee_expected'), details && <Money key="expected" amount={details.fee} currency={currency} />],
        [t('payments.fee_charged'), <Money key="fee" amount={payment.charged_fee} currency={currency} />],
        [
          t('payments.from_wallet'),
          <Anchor key="wallet" component={Link} to={`/wallets/${payment.account}`} inherit>
            {details?.account_name ?? payment.account}
          </Anchor>,
        ],
        ...(payment.send_sms_message ? [[t('payments.sms'), t('payments.sms_on_arrival')] as const] : []),
        [t('fields.created'), <Time key="created" at={payment.created} />],
        ...(payment.start_date > payment.created
          ? [[t('payments.start'), <Time key="start" at={payment.start_date} />] as const]
          : []),
        ...(payment.last_error ? [[t('fields.problem'), translateMessage(payment.last_error)] as const] : []),
      ]}
    />
  )
}

/** Amount and reason of a refund. Other payments show nothing here. */
function Refund({ payment }: { payment: number }) {
  const { data } = useQuery({
    queryKey: ['/payments', String(payment), 'actions'],
    queryFn: () => api.get<{ results: RequestAction[] }>(`/payments/${payment}/actions`),
  })
  const action = data?.results[0]
  if (!action) return null
  const { reason, comment, collection_request: request, author_name } = action
  return (
    <Facts
      title={formatWord('refund')}
      facts={[
        [t('fields.reason'), reason && refundReasons[reason]],
        [t('payments.refund.comment'), comment],
        [t('payments.refund.by'), author_name],
        [
          t('payments.refund.request'),
          request && (
            <Anchor key="request" component={Link} to={`/collectionrequests/${request}`} inherit>
              {request}
            </Anchor>
          ),
        ],
      ]}
    />
  )
}
