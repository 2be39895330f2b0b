import { Badge, Tooltip } from '@mantine/core'
import { useSession } from '../session.tsx'

/** Shows that the money is play money, so that people do not confuse it with real money. */
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
