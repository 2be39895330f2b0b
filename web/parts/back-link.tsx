import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** From one object back to the list it is in. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} fz="sm">
      {children}
    </Anchor>
  )
}
