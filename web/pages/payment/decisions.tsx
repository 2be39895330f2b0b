import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Payment, PaymentDetails, PaymentSummary } from '../../wire.ts'
import { describeRecipients } from '../payments/describe-recipients.ts'

/** Return true if a payment waits for approvals. */
export function needsApproval({ state }: Pick<Payment, 'state'>): boolean {
  return state === 'approval_requested' || state === 'approval_needed'
}

/**
 * The buttons for decisions. A payment of a file has none: the file is approved as a whole. A user who may not approve so much can still reject. The initiator cannot decide, and a
 * payment in progress cannot be cancelled.
 */
export function Decisions({ payment, details }: { payment: PaymentSummary; details: PaymentDetails | undefined }) {
  const { may, user } = useSession()
  const client = useQueryClient()
  const decides =
    needsApproval(payment) && may('approve_payments') && payment.author !== user?.id && details?.bulk_payment === null
  const approves = decides && details?.obstacle === null
  const sum = formatMoney(payment.amount, payment.currency)
  return (
    <>
      {details?.is_untouched && may('initiate_payments') && <ReasonDialog payment={payment} verb="cancel" />}
      {decides && <ReasonDialog payment={payment} verb="reject" />}
      {approves && (
        <Confirm
          button={t('payments.approve')}
          size="sm"
          title={t('payments.approve_title')}
          act={async () => {
            const decided = await api.post<Payment>(`/payments/${payment.id}/approve`)
            const message = t(`approvals.done.${needsApproval(decided) ? 'partly' : 'approved'}`, { count: 1 })
            notifications.show({ color: 'green', message })
          }}
          done={() => {
            client.invalidateQueries({ queryKey: ['/payments'] })
            client.invalidateQueries({ queryKey: ['/approvals'] })
          }}
        >
          {t('payments.approve_text', { money: sum, recipients: describeRecipients(payment) })}
        </Confirm>
      )}
    </>
  )
}

function ReasonDialog({ payment, verb }: { payment: PaymentSummary; verb: 'cancel' | 'reject' }) {
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
