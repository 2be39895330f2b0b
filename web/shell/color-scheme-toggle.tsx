import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { t } from '../texts/index.ts'

/** Switch between light and dark. Default: the system's choice. */
function useToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  return {
    label: t(dark ? 'shell.colors.light' : 'shell.colors.dark'),
    Icon: dark ? IconSun : IconMoon,
    toggle: () => setColorScheme(dark ? 'light' : 'dark'),
  }
}

export function ColorSchemeToggle() {
  const { label, Icon, toggle } = useToggle()
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={toggle} visibleFrom="xs">
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  )
}

/** The same as a menu item, for narrow screens. It is not rendered elsewhere, because a hidden item gets the focus. */
export function ColorSchemeItem() {
  const { label, Icon, toggle } = useToggle()
  const narrow = useMediaQuery('(max-width: 35.99em)')
  if (!narrow) return null
  return (
    <Menu.Item leftSection={<Icon size={16} />} onClick={toggle}>
      {label}
    </Menu.Item>
  )
}
