import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

/** Button that checks what was chosen. It is the primary action until the result offers one. */
export function CheckButton(props: {
  is_checked: boolean
  is_ready: boolean
  is_busy: boolean
  check(): void
  children: ReactNode
}) {
  const { is_checked, is_ready, is_busy, check, children } = props
  return (
    <Group justify="flex-end">
      <Button variant={is_checked ? 'default' : 'filled'} loading={is_busy} disabled={!is_ready} onClick={check}>
        {children}
      </Button>
    </Group>
  )
}
