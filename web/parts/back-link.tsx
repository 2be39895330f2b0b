import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} fz="sm">
      {children}
    </Anchor>
  )
}
