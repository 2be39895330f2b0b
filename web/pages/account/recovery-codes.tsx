import { Button, Code, CopyButton, Stack, Text } from '@mantine/core'
import { t } from '../../texts/index.ts'

/** Show new recovery codes, once. */
export function RecoveryCodes({ codes, close }: { codes: string[]; close(): void }) {
  return (
    <Stack>
      <Text fz="sm">{t('account.recovery.about')}</Text>
      <Code block>{codes.join('\n')}</Code>
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {t(copied ? 'parts.copied' : 'parts.copy')}
          </Button>
        )}
      </CopyButton>
      <Button onClick={close}>{t('account.recovery.saved')}</Button>
    </Stack>
  )
}
