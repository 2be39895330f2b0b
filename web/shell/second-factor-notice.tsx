import { Alert, Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'

/** Lead a user to set up a second factor, while the organization demands one that is missing. */
export function SecondFactorNotice() {
  const { second_factor_missing, organization } = useSession()
  const { pathname } = useLocation()
  if (!second_factor_missing) return null
  return (
    <Alert color="yellow" mb="md" title={t('shell.second_factor.title', { organization: organization?.name ?? '' })}>
      {t('shell.second_factor.text')}
      {pathname !== '/account' && (
        <Button component={Link} to="/account" size="xs" variant="default" mt="sm" display="block" w="fit-content">
          {t('shell.second_factor.set_up')}
        </Button>
      )}
    </Alert>
  )
}
