import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LiveUpdates } from '../live/live-updates.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import { ColorSchemeToggle } from './color-scheme-toggle.tsx'
import { ConnectionNotice } from './connection.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { usePageFocus } from './page-focus.ts'
import { SandboxBadge } from './sandbox-badge.tsx'
import { SandboxClock } from './sandbox-clock.tsx'
import { Search } from './search/search.tsx'
import { SecondFactorNotice } from './second-factor-notice.tsx'
import { ServiceNotices } from './service-notices.tsx'
import { TimeZoneHint } from './time-zone-hint.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame of every page: navigation at the side, user and organization at the top. */
export function Frame({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const { service_name, may } = useSession()
  usePageFocus()
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 248, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <a href="#content" className="skip-link">
        {t('shell.skip_to_content')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('shell.navigation')} />
            <Link to="/" aria-label={t('shell.home_link', { service: service_name })} className="plain-link">
              <Group gap={10} wrap="nowrap">
                <Logo size={30} />
                <Text fw={650} fz="lg" visibleFrom="xs">
                  {service_name}
                </Text>
              </Group>
            </Link>
            <SandboxBadge />
            <SandboxClock visibleFrom="sm" />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <TimeZoneHint visibleFrom="lg" />
            <Search />
            <OrganizationSwitcher />
            <ColorSchemeToggle />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <SandboxClock hiddenFrom="sm" />
        <TimeZoneHint hiddenFrom="lg" />
        <Navigation onMove={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        {may('view') && <LiveUpdates />}
        <SecondFactorNotice />
        <ServiceNotices />
        {children}
      </AppShell.Main>
    </AppShell>
  )
}
