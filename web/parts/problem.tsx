import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError } from '../api.ts'

/** Says what went wrong, and offers to try again where that may help. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null
  const refused = error instanceof ApiError && error.status === 403
  const missing = error instanceof ApiError && error.status === 404
  const title = refused ? 'Not for you' : missing ? 'Not found' : 'That did not work'
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={title}>
      {error instanceof Error ? error.message : String(error)}
      {retry && !refused && !missing && (
        <Button mt="sm" size="xs" variant="default" onClick={() => retry()} display="block">
          Try again
        </Button>
      )}
    </Alert>
  )
}
