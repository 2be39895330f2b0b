import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../texts/index.ts'

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} fz="sm">
      {children}
    </Anchor>
  )
}

/** The way from an error to the home page. */
export function HomeLink() {
  return (
    <Anchor component={Link} to="/" fz="sm" display="table" mt="sm" underline="always">
      {t('parts.problem.home')}
    </Anchor>
  )
}
