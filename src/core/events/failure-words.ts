import { NOTIFICATION_TIMEOUT_MS } from './notification-request.ts'

/** Reason why an attempt failed, and a remedy, in words. */
export interface FailureWords {
  what: string
  advice: string
}

const words: Record<string, FailureWords> = {
  timeout: {
    what: `No answer within ${NOTIFICATION_TIMEOUT_MS / 1_000} seconds`,
    advice: 'Respond first, then do the work.',
  },
  dns: { what: 'Host not found', advice: 'Check the host of the URL and its DNS records.' },
  tls: {
    what: 'Certificate not trusted, or no TLS',
    advice: 'Use a valid certificate for this host from a public authority, with its full chain.',
  },
  refused: { what: 'Connection refused or closed', advice: 'Start the receiver, and open its port in the firewall.' },
  private_address: {
    what: 'Not a public address',
    advice:
      'Check the host of the URL and its DNS records: it must have a public address. The operator can allow a network with WEBHOOK_ALLOWED_NETWORKS.',
  },
  too_large: { what: 'Response too large', advice: 'Respond with a short body and short headers.' },
}

/**
 * Says in words why an attempt failed.
 * @param failure as `last_failure` of a delivery: such as `timeout`, or the status of the response
 */
export function failureWords(failure: string): FailureWords {
  const known = words[failure]
  if (known) return known
  return { what: `Answered ${failure}`, advice: adviceOfStatus(Number(failure)) }
}

function adviceOfStatus(status: number): string {
  if (status >= 300 && status < 400) return 'Redirects are not followed: use the URL that the receiver redirects to.'
  if (status === 401 || status === 403)
    return 'Check the credentials of notifications, and how the receiver verifies signatures.'
  if (status === 404 || status === 405) return 'Check the path of the URL: it does not accept POST.'
  if (status === 410) return 'The receiver asks you to delete the webhook.'
  if (status === 429) return 'The receiver limits the rate of notifications.'
  if (status >= 500) return 'Check the log of the receiver.'
  return 'The receiver must respond with 2xx. Check its log.'
}
