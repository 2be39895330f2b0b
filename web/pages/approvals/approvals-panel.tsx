import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { useApprovals } from './queries.ts'

/** Maximum payments that the panel names. */
const MAX_NAMED = 3

/** Show an approver on the home page the payments that wait for this user. Changes have their own notice. */
export function ApprovalsPanel() {
  const { may } = useSession()
  const { data } = useApprovals({ enabled: may('approve_payments') })
  const mine = (data?.payments ?? []).filter(({ obstacle }) => obstacle === null)
  if (mine.length === 0) return null
  return (
    <Alert color="yellow" title={t('approvals.panel.title', { count: mine.length })}>
      {mine.slice(0, MAX_NAMED).map(({ id, amount, currency, author_name }) => (
        <div key={id}>
          <Anchor component={Link} to={`/payments/${id}`} inherit underline="always">
            {t('approvals.panel.payment', { id, money: formatMoney(amount, currency), name: author_name })}
          </Anchor>
        </div>
      ))}
      <Anchor component={Link} to="/approvals" inherit underline="always" fw={600}>
        {t('approvals.panel.review')}
      </Anchor>
    </Alert>
  )
}
