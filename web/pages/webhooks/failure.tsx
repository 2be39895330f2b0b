import { Text } from '@mantine/core'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'

const codes = ['timeout', 'dns', 'tls', 'refused', 'private_address', 'too_large'] as const
type Code = (typeof codes)[number]

function isCode(failure: string): failure is Code {
  return (codes as readonly string[]).includes(failure)
}

/**
 * Return the reason for a failed attempt in words. @param failure as `last_failure` of a delivery: a code, or the
 * status of the answer
 */
export function failureText(failure: string): string {
  return isCode(failure) ? t(`deliveries.failures.${failure}`) : t('deliveries.failures.answered', { status: failure })
}

export function FailureAdvice({ failure }: { failure: string }) {
  const { mode } = useSession()
  return (
    <Text fz="sm" c="dimmed">
      {t(`deliveries.advice.${adviceOf(failure)}`)}
      {failure === 'tls' && mode === 'sandbox' && ` ${t('deliveries.advice.tls_sandbox')}`}
    </Text>
  )
}

function adviceOf(failure: string) {
  if (isCode(failure)) return failure
  const status = Number(failure)
  if (status >= 300 && status < 400) return 'redirect'
  if (status === 401 || status === 403) return 'credentials'
  if (status === 404 || status === 405) return 'path'
  if (status === 410) return 'gone'
  if (status === 429) return 'limit'
  return status >= 500 ? 'server' : 'other'
}
