import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, isMissing, isOutage } from '../api.ts'
import { formatPair, formatWord } from '../format.ts'
import { t } from '../texts/index.ts'
import { HomeLink } from './back-link.tsx'

/** Show an error, with a button to try again when that may help, or with the way home from a page that is not there. @param props.title in place of the usual one */
export function Problem({ error, retry, title }: { error: unknown; retry?: () => void; title?: string }) {
  if (!error) return null
  const refused = error instanceof ApiError && error.status === 403
  const missing = isMissing(error)
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={title ?? t(problemTitle(error))}
    >
      {problemText(error)}
      {retry && !refused && !missing && (
        <Button mt="sm" size="xs" variant="default" onClick={() => retry()} display="block">
          {t('parts.try_again')}
        </Button>
      )}
      {retry && (refused || missing) && <HomeLink />}
    </Alert>
  )
}

const titles = {
  400: 'parts.problem.not_possible',
  403: 'parts.problem.refused',
  409: 'parts.problem.not_possible',
} as const

function problemTitle(error: unknown) {
  if (isMissing(error)) return 'parts.problem.missing'
  return (error instanceof ApiError && titles[error.status as keyof typeof titles]) || 'parts.problem.failed'
}

/** The messages of the service, with the names of their fields. The state of an object is no field of a form. */
function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.status === 400 && isMissing(error)) return t('parts.problem.missing_text')
  const { non_field_errors, state, ...fields } = error.fields
  const faults = Object.entries(fields).map(([name, messages]) => formatPair(formatWord(name), messages.join(' ')))
  return [...(non_field_errors ?? []), ...(state ?? []), ...faults].join(' ') || error.message
}

/**
 * Return true if an error replaces the content of a page. During an outage the page keeps its earlier data, and the
 * frame says that it may be old (shell/connection.tsx).
 */
export function replacesContent(error: unknown, data: unknown): boolean {
  return Boolean(error) && !(data !== undefined && isOutage(error))
}
