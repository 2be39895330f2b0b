import { Badge, Tooltip } from '@mantine/core'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'

/** Show that the money is play money, so that people do not confuse it with real money. */
export function SandboxBadge() {
  const { mode } = useSession()
  if (mode === 'live') return null
  return (
    <Tooltip label={t('shell.sandbox.about')}>
      <Badge variant="outline" color="var(--app-warning)" tt="none" miw="max-content">
        {t('shell.sandbox.badge')}
      </Badge>
    </Tooltip>
  )
}
