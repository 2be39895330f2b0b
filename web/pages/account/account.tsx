import { Stack } from '@mantine/core'
import { PageHead } from '../../parts/page-head.tsx'
import { useSession } from '../../session.tsx'
import { BrowsersPanel } from './browsers.tsx'
import { PasswordPanel } from './password.tsx'
import { SecondFactorPanel } from './second-factor.tsx'
import { SessionsPanel } from './sessions.tsx'

/** The settings of the user, apart from any organization. */
export default function Account() {
  const { user } = useSession()
  return (
    <>
      <PageHead title="Your account" about={`${user?.name}, ${user?.email}`} />
      <Stack maw={720}>
        <PasswordPanel />
        <SecondFactorPanel />
        <SessionsPanel />
        <BrowsersPanel />
      </Stack>
    </>
  )
}
