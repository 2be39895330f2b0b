import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { PaymentDetails, PaymentSummary } from '../../wire.ts'
import { needsApproval } from './decisions.tsx'

/** Explain why a payment waits, for users who cannot approve it here. */
export function ApprovalNotice({ payment, details }: { payment: PaymentSummary; details: PaymentDetails | undefined }) {
  const { user } = useSession()
  if (!needsApproval(payment) || !details) return null
  if (details.bulk_payment) return <FileNotice file={details.bulk_payment} />
  if (details.obstacle === null) return null
  const is_author = payment.author === user?.id
  return (
    <Alert color="yellow" title={t('payments.approval_title')}>
      {is_author ? t('payments.approval_elsewhere') : t(`payments.obstacles.${details.obstacle}`)}
    </Alert>
  )
}

function FileNotice({ file: { id, file_name } }: { file: NonNullable<PaymentDetails['bulk_payment']> }) {
  return (
    <Alert color="yellow" title={t('payments.approval_title')}>
      <Trans
        i18nKey="payments.approval_of_file"
        values={{ name: file_name }}
        components={{ file: <Anchor component={Link} to={`/bulk-payments/${id}`} inherit underline="always" /> }}
      />
    </Alert>
  )
}

/** Requester of a payment, and its approvers, rejecters and cancellers, with times and reasons. */
export function People({ payment, details }: { payment: PaymentSummary; details: PaymentDetails }) {
  const { may } = useSession()
  const { rejected_reason, cancelled_reason, approvals_required: required } = payment
  const { approvals, rejected_by_name, cancelled_by_name } = details
  const given = t('payments.approvals_given', { count: required, given: payment.approvals })
  return (
    <Facts
      title={t('payments.people.title')}
      facts={[
        [t('payments.people.requested'), <By key="author" name={details.author_name} at={payment.created} />],
        [t('payments.people.approvals'), required === 0 ? t('payments.people.not_needed') : given],
        ...approvals.map(
          ({ user, name, at }) => [t('payments.people.approved'), <By key={user} name={name} at={at} />] as const,
        ),
        ...(rejected_by_name
          ? [
              [
                t('payments.people.rejected'),
                <By key="no" name={rejected_by_name} at={payment.rejected_time} />,
              ] as const,
            ]
          : []),
        ...(rejected_reason ? [[t('payments.rejected_because'), rejected_reason] as const] : []),
        ...(cancelled_by_name
          ? [
              [
                t('payments.people.cancelled'),
                <By key="off" name={cancelled_by_name} at={payment.cancelled_time} />,
              ] as const,
            ]
          : []),
        ...(cancelled_reason ? [[t('payments.cancelled_because'), cancelled_reason] as const] : []),
        ...(may('manage_organization')
          ? [[t('shell.nav.audit'), <AuditLink key="audit" id={payment.id} />] as const]
          : []),
      ]}
    />
  )
}

function By({ name, at }: { name: string; at: string | null }): ReactNode {
  return <Trans i18nKey="payments.people.by" values={{ name }} components={{ time: <Time at={at} /> }} />
}

function AuditLink({ id }: { id: number }) {
  return (
    <Anchor component={Link} to={`/audit?object_type=payment&object=${id}`} inherit>
      {t('payments.people.audit')}
    </Anchor>
  )
}
