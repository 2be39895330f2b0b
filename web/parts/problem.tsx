import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, isOutage } from '../api.ts'
import { formatPair, formatWord } from '../format.ts'
import { t } from '../texts/index.ts'

/** Shows an error, and a button to try again when that may help. @param props.title in place of the usual one */
export function Problem({ error, retry, title }: { error: unknown; retry?: () => void; title?: string }) {
  if (!error) return null
  const refused = error instanceof ApiError && error.status === 403
  const missing = error instanceof ApiError && error.status === 404
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={title ?? t(problemTitle(refused, missing))}
    >
      {problemText(error)}
      {retry && !refused && !missing && (
        <Button mt="sm" size="xs" variant="default" onClick={() => retry()} display="block">
          {t('parts.try_again')}
        </Button>
      )}
    </Alert>
  )
}

function problemTitle(refused: boolean, missing: boolean) {
  if (refused) return 'parts.problem.refused'
  return missing ? 'parts.problem.missing' : 'parts.problem.failed'
}

/** The messages of the service, with the names of their fields. */
function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { non_field_errors, ...fields } = error.fields
  const faults = Object.entries(fields).map(([name, messages]) => formatPair(formatWord(name), messages.join(' ')))
  return [...(non_field_errors ?? []), ...faults].join(' ') || error.message
}

/**
 * Whether an error replaces the content of a page. During an outage the page keeps its earlier data, and the frame says
 * that it may be old (shell/connection.tsx).
 */
export function replacesContent(error: unknown, data: unknown): boolean {
  return Boolean(error) && !(data !== undefined && isOutage(error))
}
