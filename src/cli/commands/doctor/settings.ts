import type { Config } from '../../../config.ts'
import { isLoopbackHost } from '../../../lib/http/ip-addresses.ts'
import { error, type Finding, warning } from './check.ts'

/** Find settings that are allowed but wrong for most installations. Forbidden settings end every command before. */
export function checkSettings(config: Config): Finding[] {
  return [
    ...(config.MODE === 'live' ? checkLiveSettings(config) : []),
    ...checkAddresses(config),
    ...checkTimeLimits(config),
  ]
}

function checkLiveSettings({ PUBLIC_URL, SMTP_URL, LOG_LEVEL }: Config): Finding[] {
  const found: Finding[] = []
  if (!PUBLIC_URL)
    found.push(
      error(
        'PUBLIC_URL is not set: networks are told an address for their callbacks that they cannot reach.',
        'Set PUBLIC_URL to the https address that networks and customers reach, and restart the service.',
      ),
    )
  else if (PUBLIC_URL.startsWith('http:'))
    found.push(
      error(
        `PUBLIC_URL is ${PUBLIC_URL}: keys, passwords and callbacks travel without encryption.`,
        'Put a proxy with a certificate in front (deploy/caddy, deploy/nginx), and set PUBLIC_URL to its https address.',
      ),
    )
  if (!SMTP_URL)
    found.push(
      warning(
        'SMTP_URL is not set: users get no mails about invitations, new sign-ins and changes of limits.',
        'Set SMTP_URL and MAIL_FROM to a mail server.',
      ),
    )
  if (['fatal', 'silent'].includes(LOG_LEVEL))
    found.push(
      warning(
        `LOG_LEVEL=${LOG_LEVEL} hides what needs a person.`,
        'Set LOG_LEVEL to info, or to warn if the log is too long.',
      ),
    )
  return found
}

function checkAddresses({ PUBLIC_URL, TRUST_PROXY, HOST, METRICS_ADDRESS }: Config): Finding[] {
  const found: Finding[] = []
  if (PUBLIC_URL?.startsWith('https:') && ['off', 'false'].includes(TRUST_PROXY))
    found.push(
      warning(
        'TRUST_PROXY is off and PUBLIC_URL is https, so that all callers have the address of the proxy: they share one limit of requests.',
        'Set TRUST_PROXY to the number of proxies in front of the service, usually 1.',
      ),
    )
  if (!METRICS_ADDRESS && !isLoopbackHost(HOST))
    found.push(
      warning(
        `METRICS_ADDRESS is not set and others can reach ${HOST}: there are no metrics, and no alert can fire.`,
        'Set METRICS_ADDRESS to an address that only Prometheus reaches, such as 10.0.0.5:9400.',
      ),
    )
  return found
}

function checkTimeLimits(config: Config): Finding[] {
  const limits = ['DATABASE_STATEMENT_SECONDS', 'DATABASE_LOCK_SECONDS', 'DATABASE_IDLE_SECONDS'] as const
  return limits
    .filter((name) => config[name] === 0)
    .map((name) =>
      warning(
        `${name}=0: one statement that hangs can hold up all others.`,
        `Remove ${name}, so that its default applies.`,
      ),
    )
}
