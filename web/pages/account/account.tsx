import { Stack } from '@mantine/core'
import { PageHead } from '../../parts/page-head.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { BrowsersPanel } from './browsers.tsx'
import { LanguagePanel } from './language.tsx'
import { PasswordPanel } from './password.tsx'
import { SecondFactorPanel } from './second-factor.tsx'
import { SessionsPanel } from './sessions.tsx'

/** The settings of the user, apart from any organization. */
export default function Account() {
  const { user } = useSession()
  return (
    <>
      <PageHead title={t('shell.user_menu.account')} about={`${user?.name}, ${user?.email}`} />
      <Stack maw={720}>
        <LanguagePanel />
        <PasswordPanel />
        <SecondFactorPanel />
        <SessionsPanel />
        <BrowsersPanel />
      </Stack>
    </>
  )
}
