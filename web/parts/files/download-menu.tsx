import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../texts/index.ts'

export interface DownloadMenuProps {
  busy: boolean
  children: ReactNode
  /** Default: Download. */
  label?: string
  size?: 'xs'
}

/** Button with the formats of a download. */
export function DownloadMenu({ busy, children, label = t('parts.download'), size }: DownloadMenuProps) {
  const icon = size === 'xs' ? 14 : 16
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size={size}
          leftSection={<IconDownload size={icon} />}
          rightSection={<IconChevronDown size={14} />}
          loading={busy}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
