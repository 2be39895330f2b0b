import { Alert, Anchor, Group, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatMoney, formatWord } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Facts } from '../parts/facts.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { refundReasons } from '../parts/refund-dialog.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import { Trans, t } from '../texts/index.ts'
import type { LatePayout, Payment, RequestAction } from '../wire.ts'
import { describeRecipients } from './payments/payments.tsx'

/** One payment with the state of each recipient, and the decisions that are possible. */
export default function PaymentPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/payments', id],
    queryFn: () => api.get<Payment>(`/payments/${id}`),
    refetchInterval: 3_000,
  })
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
            <Status of={data.state} /> {t('payments.payment_id', { id: data.id })}
          </Group>
        }
        actions={<Decisions payment={data} />}
      />
      <Stack>
        <ApprovalNotice payment={data} />
        <LateNotice payment={data} />
        <SimpleGrid cols={{ base: 1, lg: Object.keys(data.metadata).length > 0 ? 2 : 1 }}>
          <Stack>
            <Summary payment={data} />
            <Refund payment={data.id} />
          </Stack>
          {Object.keys(data.metadata).length > 0 && <Json value={data.metadata} label={t('payments.metadata')} />}
        </SimpleGrid>
        <Phones payment={data} />
      </Stack>
    </>
  )
}

/** Explains why a payment waits, for users who cannot approve it. */
function ApprovalNotice({ payment }: { payment: Payment }) {
  const { may, user } = useSession()
  if (!needsApproval(payment)) return null
  if (may('approve_payments') && payment.author !== user?.id) return null
  return (
    <Alert color="yellow" title={t('payments.approval_title')}>
      {t(payment.author === user?.id ? 'payments.approval_by_other' : 'payments.approval_text')}
    </Alert>
  )
}

/** Says that the network sent money after it had reported a failure, until a person has looked into it. */
function LateNotice({ payment }: { payment: Payment }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['/late-payouts', payment.id],
    queryFn: () => api.get<{ results: LatePayout[] }>('/late-payouts', { payment: String(payment.id), open: 'true' }),
    refetchInterval: 10_000,
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

/** Whether a part of the money has come back, but not all of it. */
function hasComeBackInPart({ state, reversed_amount }: Payment['phone_nos'][number]): boolean {
  return state === 'complete' && !/^0\.0+$/.test(reversed_amount)
}

function needsApproval({ state }: Payment): boolean {
  return state === 'approval_requested' || state === 'approval_needed'
}

/** The buttons for decisions. The initiator cannot approve a payment, and a payment in progress cannot be cancelled. */
function Decisions({ payment }: { payment: Payment }) {
  const { may, user } = useSession()
  const client = useQueryClient()
  const decides = needsApproval(payment) && may('approve_payments') && payment.author !== user?.id
  const untouched = payment.state !== 'validated' && payment.phone_nos.every((phone) => phone.state === 'new')
  const sum = formatMoney(payment.amount, payment.currency)
  return (
    <>
      {untouched && may('initiate_payments') && <ReasonDialog payment={payment} verb="cancel" />}
      {decides && <ReasonDialog payment={payment} verb="reject" />}
      {decides && (
        <Confirm
          button={t('payments.approve')}
          size="sm"
          title={t('payments.approve_title')}
          act={() => api.post(`/payments/${payment.id}/approve`)}
          done={() => client.invalidateQueries({ queryKey: ['/payments'] })}
        >
          {t('payments.approve_text', { money: sum, recipients: describeRecipients(payment) })}
        </Confirm>
      )}
    </>
  )
}

function ReasonDialog({ payment, verb }: { payment: Payment; verb: 'cancel' | 'reject' }) {
  return (
    <FormDialog
      button={t(`payments.${verb}`)}
      title={t(`payments.${verb}_title`)}
      submit={t(`payments.${verb}`)}
      danger
      look={{ variant: 'default' }}
      initial={{ reason: '' }}
      send={(values) => api.post(`/payments/${payment.id}/${verb}`, values)}
      done={t('payments.returned')}
      fields={(form) => (
        <TextInput label={t('fields.reason')} required data-autofocus {...form.getInputProps('reason')} />
      )}
    />
  )
}

function Summary({ payment }: { payment: Payment }) {
  const { currency, rejected_reason, cancelled_reason } = payment
  return (
    <Facts
      title={formatWord('payment')}
      facts={[
        [t('fields.type'), formatWord(payment.payment_type)],
        [t('fields.description'), payment.description],
        [t('fields.fee'), <Money key="fee" amount={payment.charged_fee} currency={currency} />],
        [
          t('payments.from_wallet'),
          <Anchor key="wallet" component={Link} to={`/wallets/${payment.account}`} inherit>
            {payment.account}
          </Anchor>,
        ],
        ...(payment.send_sms_message ? [[t('payments.sms'), t('payments.sms_on_arrival')] as const] : []),
        [t('fields.created'), <Time key="created" at={payment.created} />],
        ...(payment.start_date > payment.created
          ? [[t('payments.start'), <Time key="start" at={payment.start_date} />] as const]
          : []),
        ...(rejected_reason ? [[t('payments.rejected_because'), rejected_reason] as const] : []),
        ...(cancelled_reason ? [[t('payments.cancelled_because'), cancelled_reason] as const] : []),
        ...(payment.last_error ? [[t('fields.problem'), payment.last_error] as const] : []),
      ]}
    />
  )
}

/** What a refund gives back, and why. Other payments have nothing of it. */
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

function Phones({ payment }: { payment: Payment }) {
  return (
    <Panel title={t('payments.recipients')}>
      <Table.ScrollContainer
        type="native"
        minWidth={640}
        tabIndex={0}
        role="region"
        aria-label={t('payments.recipients')}
      >
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('fields.phone_number')}</Table.Th>
              <Table.Th ta="right">{t('fields.amount')}</Table.Th>
              <Table.Th>{t('fields.state')}</Table.Th>
              <Table.Th>{t('fields.problem')}</Table.Th>
              <Table.Th>{t('payments.network_id')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {payment.phone_nos.map((phone) => (
              <Table.Tr key={phone.phonenumber}>
                <Table.Td className="numeric">{phone.phonenumber}</Table.Td>
                <Table.Td ta="right">
                  <Money amount={phone.amount} currency={payment.currency} />
                  {hasComeBackInPart(phone) && (
                    <Text fz="xs" c="dimmed">
                      <Trans
                        i18nKey="payments.partly_returned"
                        components={{ money: <Money amount={phone.reversed_amount} currency={payment.currency} /> }}
                      />
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Status of={phone.state} />
                </Table.Td>
                <Table.Td>{phone.last_error ?? '—'}</Table.Td>
                <Table.Td>{phone.remote_transaction_id ?? '—'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}
