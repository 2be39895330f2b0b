import { Text, Tooltip } from '@mantine/core'
import { otherBrowserZone } from '../format.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'

/** The time zone in which times are shown, for a user whose own clocks show another time. */
export function TimeZoneHint(props: { visibleFrom?: 'lg'; hiddenFrom?: 'lg' }) {
  const { organization } = useSession()
  const own = otherBrowserZone()
  if (!organization || own === undefined) return null
  const { time_zone } = organization
  return (
    <Tooltip label={t('shell.time_zone.own', { time_zone, own })} withinPortal multiline maw={280}>
      <Text fz="xs" c="dimmed" truncate maw={200} tabIndex={0} {...props}>
        {t('shell.time_zone.shown', { time_zone })}
      </Text>
    </Tooltip>
  )
}
