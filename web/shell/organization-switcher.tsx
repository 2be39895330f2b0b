import { Button, Menu, Text } from '@mantine/core'
import { IconBuildingStore, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api.ts'
import { notifyProblem } from '../parts/notify.tsx'
import { useSession, useStartSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Session } from '../wire.ts'

/** Show the current organization, and switch between organizations when the user has several. */
export function OrganizationSwitcher() {
  const { organization, organizations } = useSession()
  const startSession = useStartSession()
  const navigate = useNavigate()
  if (!organization) return null
  if (organizations.length < 2)
    return (
      <Text fz="sm" fw={500} visibleFrom="sm" truncate maw={220}>
        {organization.name}
      </Text>
    )
  const switchTo = async (id: number) => {
    try {
      startSession(await api.post<Session>('/session/organization', { organization: id }))
      await navigate({ to: '/' })
    } catch (error) {
      notifyProblem(error)
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconBuildingStore size={16} className="wide-only" />}
          rightSection={<IconChevronDown size={14} />}
          maw={{ base: 100, sm: 240 }}
        >
          {organization.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.groups.organization')}</Menu.Label>
        {organizations.map((one) => (
          <Menu.Item
            key={one.id}
            onClick={() => switchTo(one.id)}
            rightSection={one.id === organization.id ? <IconCheck size={14} /> : null}
          >
            {one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
