import { Box, NavLink, ScrollArea, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { pages } from '../pages/index.tsx'
import { groups } from '../pages/page.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'

/** The pages that the user may see, by section. */
export function Navigation({ onMove }: { onMove(): void }) {
  const { may, mode } = useSession()
  const { pathname } = useLocation()
  const visible = pages.filter(
    ({ nav, permission, sandbox }) => nav && (!permission || may(permission)) && (!sandbox || mode === 'sandbox'),
  )
  return (
    <ScrollArea>
      <nav aria-label={t('shell.pages')}>
        {groups.map((group) => {
          const inGroup = visible.filter(({ nav }) => nav?.group === group)
          if (inGroup.length === 0) return null
          return (
            <Box key={group} role="group" aria-label={t(`shell.groups.${group}`)}>
              <Text fz="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
                {t(`shell.groups.${group}`)}
              </Text>
              {inGroup.map(({ path, nav }) => {
                const { icon: Icon, label, count: Count } = nav!
                const here = path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)
                return (
                  <NavLink
                    key={path}
                    label={label}
                    leftSection={<Icon size={18} stroke={1.6} />}
                    rightSection={Count && <Count />}
                    active={here}
                    className="nav-link"
                    aria-current={here ? 'page' : undefined}
                    onClick={onMove}
                    renderRoot={(props) => <Link to={path} {...props} />}
                  />
                )
              })}
            </Box>
          )
        })}
      </nav>
    </ScrollArea>
  )
}
