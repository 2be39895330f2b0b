import { Badge } from '@mantine/core'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { useMyApprovals } from './queries.ts'

/** Number of approvals that wait for this user, for the navigation. */
export function ApprovalCount() {
  const { may } = useSession()
  return may('approve_payments') || may('manage_organization') ? <Count /> : null
}

function Count() {
  const count = useMyApprovals()
  if (count === 0) return null
  return (
    <Badge size="sm" circle={count < 10} variant="filled" aria-label={t('approvals.count', { count })}>
      {count}
    </Badge>
  )
}
