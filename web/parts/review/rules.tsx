import { Alert } from '@mantine/core'
import { formatMoney } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { PaymentReview } from '../../wire.ts'
import { Facts } from '../facts.tsx'
import { Panel } from '../panel.tsx'

/** The rule that decides about approvals, the people who may approve, and the room that is left in the limits. */
export function Rules({ review: { approval, limits } }: { review: Pick<PaymentReview, 'approval' | 'limits'> }) {
  const { required, approvers } = approval
  return (
    <Panel title={t('review.rules')}>
      <Facts
        bare
        facts={[
          [t('review.approval'), describeRule(approval)],
          ...(required > 0 ? [[t('review.approvers'), approvers.map(({ name }) => name).join(', ')] as const] : []),
          ...(limits.length === 0 ? [[t('review.limit.title'), t('review.limit.none')] as const] : []),
          ...limits.map(
            ({ kind, currency, limit, left, phonenumber = '' }) =>
              [
                t(`review.limit.${kind}`, { phonenumber }),
                t('review.limit.room', { limit: formatMoney(limit, currency), left: formatMoney(left, currency) }),
              ] as const,
          ),
        ]}
      />
      {approvers.length < required && (
        <Alert color="yellow">
          {approvers.length === 0 ? t('review.nobody') : t('review.too_few', { count: approvers.length })}
        </Alert>
      )}
    </Panel>
  )
}

function describeRule({ required, rule }: PaymentReview['approval']): string {
  if (!rule) return t('review.no_rule')
  const amount = formatMoney(rule.threshold, rule.currency)
  return required === 0 ? t('review.below', { amount }) : t('review.needed', { count: required, amount })
}
