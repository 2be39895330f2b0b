import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { t } from '../texts/index.ts'

/** A value to copy: a link, a key, a secret. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {t(copied ? 'parts.copied' : 'parts.copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
