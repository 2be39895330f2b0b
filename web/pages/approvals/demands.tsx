import { Text } from '@mantine/core'
import { formatMoney } from '../../format.ts'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { WaitingPayment, WaitingPurchase } from '../../wire.ts'

type Waiting = WaitingPayment | WaitingPurchase

/** Say who requested a payment, a file or a bill, and when. */
export function RequestedBy({ item: { author_name, created } }: { item: Pick<Waiting, 'author_name' | 'created'> }) {
  return (
    <Text fz="xs" c="dimmed" component="div">
      <Trans
        i18nKey="approvals.requested_by"
        values={{ name: author_name }}
        components={{ time: <Time at={created} /> }}
      />
    </Text>
  )
}

/** Show the approvals that a payment or a bill has and needs, its fee, and why this user cannot approve it. */
export function Demands({
  item: { approvals_required, approved_by_names, fee, currency, obstacle },
}: {
  item: Waiting
}) {
  return (
    <>
      {approvals_required > 1 && (
        <Text fz="xs" ta="right">
          {t('payments.approvals_given', { count: approvals_required, given: approved_by_names.length })}
          {approved_by_names.length > 0 && <div>{approved_by_names.join(', ')}</div>}
        </Text>
      )}
      {!isZero(fee) && (
        <Text fz="xs" c="dimmed">
          {t('approvals.fee', { money: formatMoney(fee, currency) })}
        </Text>
      )}
      {obstacle && (
        <Text fz="xs" c="dimmed">
          {t(`payments.obstacles.${obstacle}`)}
        </Text>
      )}
    </>
  )
}

function isZero(amount: string): boolean {
  return /^0(\.0+)?$/.test(amount)
}
