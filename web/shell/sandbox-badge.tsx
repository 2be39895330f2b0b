import { Badge, Tooltip } from '@mantine/core'
import { useSession } from '../session.tsx'

/** Nobody should take play money for real money, nor the other way round. */
export function SandboxBadge() {
  const { mode } = useSession()
  if (mode === 'live') return null
  return (
    <Tooltip label="Networks and customers are simulated. No real money moves.">
      <Badge variant="outline" color="var(--app-warning)" tt="none" miw="max-content">
        Sandbox
      </Badge>
    </Tooltip>
  )
}
