import { ActionIcon, Avatar, Menu, Text } from '@mantine/core'
import { IconCheck, IconLanguage, IconLogout, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api.ts'
import { notifyProblem } from '../parts/notify.tsx'
import { useEndSession, useSession } from '../session.tsx'
import { language, t } from '../texts/index.ts'
import { type Language, languages } from '../texts/languages.ts'
import { storeLanguage } from '../user-language.ts'
import { ColorSchemeItem } from './color-scheme-toggle.tsx'
import { forgetSearches } from './search/recent.ts'

/** The menu of the signed-in user, with signing out. */
export function UserMenu() {
  const { user } = useSession()
  const leave = useEndSession()
  const navigate = useNavigate()
  const signOut = async () => {
    try {
      await api.delete('/session')
      forgetSearches()
      await leave()
      await navigate({ to: '/' })
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="transparent" size="lg" aria-label={t('shell.user_menu.open')}>
          <Avatar size={32} radius="xl" color="green" alt="">
            <IconUser size={18} stroke={1.8} />
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fz="sm" fw={600} c="var(--mantine-color-text)">
            {user?.name}
          </Text>
          {user?.email}
        </Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => navigate({ to: '/account' })}>
          {t('shell.user_menu.account')}
        </Menu.Item>
        <ColorSchemeItem />
        <Menu.Divider />
        <Menu.Label>{t('shell.user_menu.language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((code) => (
          <Menu.Item
            key={code}
            lang={code}
            aria-current={code === language ? 'true' : undefined}
            leftSection={code === language ? <IconCheck size={16} /> : <IconLanguage size={16} />}
            onClick={() => storeLanguage(code).catch(notifyProblem)}
          >
            {languages[code]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('shell.user_menu.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
