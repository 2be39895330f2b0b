import { t } from '../../texts/index.ts'

/** Shorten a user agent to `Firefox on Linux`. */
export function deviceName(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1] ?? t('account.browser')
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(agent)?.[1]
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser
  return system ? t('account.browser_on', { browser: name, system }) : name
}
