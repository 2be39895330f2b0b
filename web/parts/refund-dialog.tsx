import { Select, Text, Textarea } from '@mantine/core'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Incoming, Payment, RequestAction, SignedReview } from '../wire.ts'
import { AmountInput } from './fields/amount-input.tsx'
import type { Done } from './notify.tsx'
import { ReviewDialog } from './review/review-dialog.tsx'

type Reason = NonNullable<RequestAction['reason']>

/** Reasons for refunds, in words. */
export const refundReasons: Record<Reason, string> = {
  customer_request: t('requests.refund.reasons.customer_request'),
  duplicate: t('requests.refund.reasons.duplicate'),
  wrong_amount: t('requests.refund.reasons.wrong_amount'),
  not_delivered: t('requests.refund.reasons.not_delivered'),
  fraud: t('requests.refund.reasons.fraud'),
  other: t('requests.refund.reasons.other'),
}

/** The button and the form that refund a collection. Pressing twice refunds once. @param props.path the route that does it */
export function RefundDialog({ collection, path }: { collection: Incoming; path: string }) {
  const { id, standing, currency, phonenumber } = collection
  const left = formatMoney(standing.left, currency)
  return (
    <ReviewDialog
      button={t('requests.refund.button')}
      title={t('requests.refund.title')}
      submit={t('requests.refund.button')}
      look={{ variant: 'default' }}
      initial={{ amount: '', reason: '', comment: '' }}
      review={(values) => api.post<SignedReview>(`/incoming/${id}/refund-review`, { ...values, currency })}
      // An empty field means all that is left: the amount is the one of the review.
      send={(values, key, { review, headers }) =>
        api.postOnce<Payment>(path, { ...values, amount: review.sums[0]!.amount }, key, headers)
      }
      done={describeRefund}
      fields={(form) => (
        <>
          <AmountInput
            label={t('fields.amount')}
            description={t('requests.refund.amount_about', { amount: left, phonenumber })}
            data-autofocus
            currency={currency}
            {...form.getInputProps('amount')}
          />
          <Select
            label={t('fields.reason')}
            required
            placeholder={t('fields.choose')}
            data={Object.entries(refundReasons).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('reason')}
          />
          <Comment required={form.values.reason === 'other'} {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

/** Describe the result of a refund: it is sent, or waits for approval. */
function describeRefund(payment: Payment | undefined): Done {
  if (!payment) return t('requests.refund.done_already')
  const { id, state } = payment
  const waits = state === 'approval_needed' || state === 'approval_requested'
  const message = t(waits ? 'requests.refund.for_approval' : 'requests.refund.done', { id })
  return { message, link: `/payments/${id}` }
}

/** Reason why a person cannot give money back, and a person who can. Empty for those with the permission. */
export function NoRefundNote() {
  const { may } = useSession()
  if (may('initiate_payments')) return null
  return (
    <Text fz="xs" c="dimmed">
      {t('requests.refund.no_permission', { permission: t('users.permissions.initiate_payments') })}
    </Text>
  )
}

/** The field in which people say why they do something. It is kept. */
export function Comment({ required = false, ...input }: { required?: boolean; [property: string]: unknown }) {
  return (
    <Textarea
      label={t('requests.comment')}
      description={t('requests.comment_about')}
      required={required}
      maxLength={500}
      autosize
      minRows={2}
      {...input}
    />
  )
}
