import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { describeFile } from './files.tsx'
import { useApprovals } from './queries.ts'

/** Maximum payments, and files, that the panel names. */
const MAX_NAMED = 3

/** Show an approver on the home page the payments and files that wait for this user. Changes have their own notice. */
export function ApprovalsPanel() {
  const { may } = useSession()
  const { data } = useApprovals({ enabled: may('approve_payments') })
  const mine = (data?.payments ?? []).filter(({ obstacle }) => obstacle === null)
  const files = (data?.files ?? []).filter(({ obstacle }) => obstacle === null)
  const count = mine.length + files.length
  if (count === 0) return null
  return (
    <Alert color="yellow" title={t('approvals.panel.title', { count })}>
      {files.slice(0, MAX_NAMED).map((file) => (
        <div key={file.id}>
          <Anchor component={Link} to={`/bulk-payments/${file.id}`} inherit underline="always">
            {t('approvals.panel.file', { name: file.file_name, what: describeFile(file), person: file.author_name })}
          </Anchor>
        </div>
      ))}
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
