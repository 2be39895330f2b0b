import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, isOutage } from '../api.ts'
import { formatWord } from '../format.ts'

/** Says what went wrong, and offers to try again where that may help. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null
  const refused = error instanceof ApiError && error.status === 403
  const missing = error instanceof ApiError && error.status === 404
  const title = refused ? 'Not for you' : missing ? 'Not found' : 'That did not work'
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={title}>
      {problemText(error)}
      {retry && !refused && !missing && (
        <Button mt="sm" size="xs" variant="default" onClick={() => retry()} display="block">
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** What the service says, with the names of the fields that it means. */
function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { non_field_errors, ...fields } = error.fields
  const faults = Object.entries(fields).map(([name, messages]) => `${formatWord(name)}: ${messages.join(' ')}`)
  return [...(non_field_errors ?? []), ...faults].join(' ') || error.message
}

/**
 * Whether an error takes the place of what a page shows. An outage leaves standing what was read before it; the frame says
 * that it may be old (shell/connection.tsx).
 */
export function replacesContent(error: unknown, data: unknown): boolean {
  return Boolean(error) && !(data !== undefined && isOutage(error))
}
