import { Alert, Code, Stack, Text } from '@mantine/core'
import { CopyField } from '../../parts/copy-field.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'

/**
 * Help with a URL that no webhook can have, such as a program on the developer's machine. Explains the requirements for
 * certificates.
 */
export function TargetHelp({ target }: { target: string }) {
  const { mode } = useSession()
  if (isLocal(target))
    return (
      <Alert title={t('webhooks.help.local_title')}>
        <Stack gap="xs">
          <Text fz="sm">{t('webhooks.help.local')}</Text>
          <CopyField label={t('webhooks.help.command')} value={listenCommand(target)} />
        </Stack>
      </Alert>
    )
  return (
    <Text fz="xs" c="dimmed">
      {t('webhooks.help.certificate')}{' '}
      {mode === 'sandbox' && <Trans i18nKey="webhooks.help.certificate_sandbox" components={{ code: <Code /> }} />}
    </Text>
  )
}

/** Return true for a URL without TLS. A sandbox on this machine also sends to `https://localhost`. */
function isLocal(target: string): boolean {
  return /^(http:\/\/|localhost|127\.|\[::1\])/i.test(target.trim())
}

/** The command that forwards notifications to a target. `<API key>` stands for a key, which the page does not know. */
function listenCommand(target: string): string {
  const text = target.trim()
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const quoted = `'${url.replaceAll("'", '%27')}'`
  return `npx kusanya listen --url ${window.location.origin} --api-key ksy_… --forward-to ${quoted}`
}
