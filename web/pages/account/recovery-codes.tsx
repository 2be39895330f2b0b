import { Button, Code, CopyButton, Stack, Text } from '@mantine/core'

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, close }: { codes: string[]; close(): void }) {
  return (
    <Stack>
      <Text fz="sm">
        Each of these replaces your phone or passkey once. Keep them where you keep passwords: they are shown only now.
      </Text>
      <Code block>{codes.join('\n')}</Code>
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button onClick={close}>I have kept them</Button>
    </Stack>
  )
}
