import { Alert, Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '../session.tsx'

/** Leads a user to set up a second step, while the organization demands one that is missing. */
export function SecondFactorNotice() {
  const { second_factor_missing, organization } = useSession()
  const { pathname } = useLocation()
  if (!second_factor_missing) return null
  return (
    <Alert color="yellow" mb="md" title={`${organization?.name} demands a second step`}>
      You may not move money or manage until you have set up a second step of signing in.
      {pathname !== '/account' && (
        <Button component={Link} to="/account" size="xs" variant="default" mt="sm" display="block" w="fit-content">
          Set it up
        </Button>
      )}
    </Alert>
  )
}
