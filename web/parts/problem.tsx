import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, isOutage } from '../api.ts'
import { formatWord } from '../format.ts'

/** Shows an error, and a button to try again when that may help. */
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

/** The messages of the service, with the names of their fields. */
function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { non_field_errors, ...fields } = error.fields
  const faults = Object.entries(fields).map(([name, messages]) => `${formatWord(name)}: ${messages.join(' ')}`)
  return [...(non_field_errors ?? []), ...faults].join(' ') || error.message
}

/**
 * Whether an error replaces the content of a page. During an outage the page keeps its earlier data, and the frame says
 * that it may be old (shell/connection.tsx).
 */
export function replacesContent(error: unknown, data: unknown): boolean {
  return Boolean(error) && !(data !== undefined && isOutage(error))
}
